package dev.stowage.study.recommend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.report.Ranking;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.WarmUpRule;
import dev.stowage.study.TestExperiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recommendations where it is known which policy is best. */
final class RecommenderTest {
    /** Large requests block small ones under FIFO, half the servers cannot hold the large ones. */
    private static final String MIXED = """
            cluster: {servers: {count: 10, slots: 10}}
            workload:
              types:
                - {name: small, rate: 40 / min, service: {exponential: 1 min}, demand: {slots: 1}}
                - {name: large, rate: 4 / min, service: {exponential: 1 min}, demand: {slots: 10}}
            horizon: 4 h
            warm-up: 10 min
            replications: 8
            policies: [first-fit]
            """;

    @TempDir
    private Path directory;

    private static LabelledPolicy policy(String name, Map<String, String> parameters) {
        return new LabelledPolicy(LabelledPolicy.label(name, parameters), PolicySpec.of(name, parameters));
    }

    private static Recommendation of(Experiment point, List<LabelledPolicy> named) throws InterruptedException {
        List<String> steps = new ArrayList<>();
        Recommendation found = new Recommender(point, new Policies(), 2, steps::add).recommend(named);
        assertThat(steps).isNotEmpty();
        return found;
    }

    /** 200 requests would be in service on 100 slots, and each pays 1 per second. */
    @Test
    void theGreatestReward() throws InterruptedException {
        Experiment paying = TestExperiments.of("""
                cluster: {servers: {count: 10, slots: 10}}
                workload:
                  types:
                    - {name: one, rate: 200 / min, service: {exponential: 1 min}, demand: {slots: 1}, reward: 1 / s}
                horizon: 1 h
                warm-up: 10 min
                replications: 2
                policies: [first-fit]
                """);
        Recommendation found = of(paying, List.of(policy("first-fit", Map.of()), policy("best-fit", Map.of())));
        assertThat(found.best().stream().map(Recommendation.Best::goal)).contains(Goal.REWARD);
        assertThat(found.rewardBound()).isCloseTo(100, within(1e-6));
        assertThat(of(TestExperiments.of(MIXED), List.of(policy("first-fit", Map.of()), policy("best-fit", Map.of())))
                        .rewardBound())
                .isZero();
    }

    /** Of many requests at one instant a policy of jobs of many tasks runs none, though no time passes. */
    @Test
    void whatRunsNoneOfTheFirstRequestsIsNotSuited() throws IOException, InterruptedException {
        StringBuilder rows = new StringBuilder("arrival_s,duration_s,vcpus,mem_gib\n");
        for (int i = 0; i < 300; i++) {
            rows.append(i < 250 ? 0 : i).append(",3.5,1,1\n");
        }
        Files.writeString(directory.resolve("burst.csv"), rows);
        Candidates candidates = new Candidates(TestExperiments.of("""
                        cluster: {servers: {count: 40, cpu: 10, memory: 64 GiB}}
                        workload: {trace: {file: burst.csv}}
                        policies: [first-fit]
                        warm-up: none
                        """, directory), new Policies(), true);
        assertThat(candidates.suited())
                .extracting(LabelledPolicy::label)
                .contains("first-fit", "bf-js", "best-fit:score=even", "lifetime-classes:when-full=queue");
        assertThat(candidates.unsuited()).containsKey("ontapra");
    }

    /** Differences between policies are over draws of the origins, at least four, whatever is asked for. */
    @Test
    void originsOfATraceAreDrawnFourTimes() throws IOException, InterruptedException {
        StringBuilder rows = new StringBuilder("arrival_s,duration_s,slots\n");
        for (int i = 0; i < 400; i++) {
            rows.append(i).append(",3.5,").append(i % 3 + 2).append('\n');
        }
        Files.writeString(directory.resolve("drawn.csv"), rows);
        Recommendation found = of(
                TestExperiments.of("""
                        cluster:
                          sites: [{name: a, servers: {count: 1, slots: 10}}, {name: b, servers: {count: 1, slots: 10}}]
                        workload:
                          trace: {file: drawn.csv}
                          origins: {of: [{name: a, sites: [a]}, {name: b, sites: [b]}]}
                        policies: [first-fit]
                        warm-up: none
                        """, directory),
                List.of(policy("fifo-ff", Map.of()), policy("first-fit", Map.of("when-full", "queue"))));
        assertThat(found.rounds().get(2).what()).isEqualTo("100 % of the time, 4 draws of the origins");
        Ranking.Ranked behind = found.best().get(0).ranked().ranked().get(1);
        assertThat(behind.value().method()).isEqualTo("one-trace");
        assertThat(behind.difference()).isNotNull();
    }

    @Test
    void fifoIsBehind() throws InterruptedException {
        Recommendation found = of(
                TestExperiments.of(MIXED),
                List.of(
                        policy("fifo-ff", Map.of()),
                        policy("best-fit", Map.of("when-full", "queue")),
                        policy("first-fit", Map.of("when-full", "queue")),
                        policy("best-fit", Map.of()),
                        policy("first-fit", Map.of())));
        Recommendation.Best waits = found.best().get(0);
        assertThat(waits.goal()).isEqualTo(Goal.MEAN_WAIT);
        List<Ranking.Ranked> ranked = waits.ranked().ranked();
        assertThat(ranked.get(0).policy()).contains("when-full");
        assertThat(ranked).noneMatch(each -> each.policy().equals("first-fit"));
        assertThat(found.best().stream().map(Recommendation.Best::goal))
                .contains(Goal.REJECTED, Goal.SERVERS)
                .doesNotContain(Goal.REWARD, Goal.COMPLETION);
        Recommendation.Best rejected = found.best().stream()
                .filter(each -> each.goal() == Goal.REJECTED)
                .findFirst()
                .orElseThrow();
        assertThat(rejected.ranked().ranked().stream().map(Ranking.Ranked::policy))
                .containsExactlyInAnyOrder("first-fit", "best-fit");
        assertThat(found.rounds()).hasSize(3);
        assertThat(found.rounds().get(0).ran()).hasSize(5);
        assertThat(found.rounds().get(2).dropped()).isEmpty();
        // 40 small and 4 large in service in the mean: 8 of 10 servers at least.
        assertThat(found.serversBound()).isBetween(7.0, 9.0);
    }

    /**
     * All suitable policies; those for one paper's model that cannot handle these requests are named with the reason.
     */
    @Test
    void allThatSuit() throws InterruptedException {
        Experiment point = TestExperiments.of(MIXED.replace("horizon: 4 h", "horizon: 30 min")
                .replace("replications: 8", "replications: 2")
                .replace("demand: {slots: 1}}", "demand: {slots: 1}, where: zone = a}")
                .replace("{count: 10, slots: 10}", "{count: 10, slots: 10, labels: {zone: a}}"));
        Recommendation found = of(point, List.of());
        assertThat(found.unsuited()).containsKeys("vqs", "ontapra", "dra");
        assertThat(found.unsuited().values()).allMatch(why -> !why.isBlank());
        assertThat(found.rounds().get(0).ran()).contains("first-fit", "bf-js").doesNotContain("vqs");
    }

    /** A part shortens every key that defines the length of the run; else a round would be as long as the last. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "warm-up: 400 s | 200 | max | 100",
                "{warm-up: 400 s, horizon: 600 s} | 150 | max | 100",
                "{warm-up: 0 s, requests: 30} | 200 | 8 | 0",
                "{warm-up: auto, requests: 1} | 200 | 1 | auto"
            })
    void aPart(String more, String seconds, String requests, String warmUp) throws IOException {
        Files.writeString(directory.resolve("t.csv"), "arrival_s,duration_s,slots\n0,10,1\n300,10,1\n800,10,1\n");
        String yaml = "cluster: {servers: {count: 1, slots: 10}}\nworkload: {trace: {file: t.csv}}\n"
                + "policies: [first-fit]\n" + more.replaceAll("[{}]", "").replace(", ", "\n") + "\n";
        Experiment whole = TestExperiments.of(yaml, directory);
        assertThat(Recommender.part(whole, 1)).isEqualTo(whole);
        Experiment part = Recommender.part(whole, 0.25);
        assertThat(part.end().atNanos()).isEqualTo(Long.parseLong(seconds) * 1_000_000_000L);
        assertThat(part.end().requests()).isEqualTo(requests.equals("max") ? Long.MAX_VALUE : Long.parseLong(requests));
        assertThat(part.warmUp())
                .isEqualTo(
                        warmUp.equals("auto")
                                ? WarmUpRule.AUTOMATIC
                                : WarmUpRule.of(Long.parseLong(warmUp) * 1_000_000_000L));
    }

    @Test
    void noPrecision() {
        Experiment point = TestExperiments.of(MIXED.replace("replications: 8", "precision: 5 %"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Recommender(point, new Policies(), 1, step -> {}))
                .withMessageContaining("no precision");
    }
}
