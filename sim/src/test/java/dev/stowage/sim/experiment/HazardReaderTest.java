package dev.stowage.sim.experiment;

import static dev.stowage.sim.experiment.Experiments.point;
import static dev.stowage.sim.experiment.Experiments.problems;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.Capability;
import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.driver.Starts;
import dev.stowage.sim.measure.MeasuredPart;
import dev.stowage.sim.workload.MaxWait;
import dev.stowage.sim.workload.RequestTraits;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Failures, starts, gangs and priorities in experiments. */
final class HazardReaderTest {
    private static final String GOOD = """
            name: hazards
            cluster:
              failures: {time-to-failure: {exponential: 30 d}, time-to-repair: 4 h}
              servers:
                - {count: 2, cpu: 8}
                - count: 3
                  cpu: 8
                  failures:
                    time-to-failure: {weibull: {shape: 0.7, scale: 2 d}}
                    time-to-repair: {exponential: 90 min}
                - {count: 4, cpu: 8, failures: none}
            starts: {failing: 2 %, duration: {exponential: 30 s}}
            workload:
              types:
                - {name: plain, rate: 1 / min, demand: {cpu: 1}, service: {exponential: 5 min}}
                - {name: high, rate: 1 / min, demand: {cpu: 1}, service: {exponential: 5 min}, priority: 5}
                - {name: pair, rate: 1 / h, demand: {cpu: 8}, service: {exponential: 5 min}, gang: 2}
                - name: apart
                  rate: 1 / h
                  demand: {cpu: 8}
                  service: {exponential: 5 min}
                  gang: {members: 3, distinct-servers: true}
            policies: [{policy: first-fit, when-full: queue}, {policy: best-fit, when-full: queue}]
            horizon: 5 h
            warm-up: none
            """;

    @Test
    void allIsRead() {
        Experiment experiment = point(GOOD, "workload.types[1].priority=0");
        Hazards hazards = experiment.hazards();
        assertThat(hazards.failures()).hasSize(2);
        assertThat(hazards.failures().get(0).from()).isZero();
        assertThat(hazards.failures().get(0).count()).isEqualTo(2);
        assertThat(hazards.failures().get(0).toFailure().mean()).isEqualTo(30 * 86_400.0);
        assertThat(hazards.failures().get(0).toRepair().mean()).isEqualTo(4 * 3600.0);
        assertThat(hazards.failures().get(1).from()).isEqualTo(2);
        assertThat(hazards.failures().get(1).count()).isEqualTo(3);
        assertThat(hazards.failures().get(1).toRepair().mean()).isEqualTo(90 * 60.0);
        Starts starts = Objects.requireNonNull(hazards.starts());
        assertThat(starts.failing()).isEqualTo(0.02);
        assertThat(starts.duration().mean()).isEqualTo(30);
        assertThat(experiment.workload().typeTraits(0)).isEqualTo(RequestTraits.NONE);
        assertThat(experiment.workload().typeTraits(2)).isEqualTo(new RequestTraits(0, 2, false));
        assertThat(experiment.workload().typeTraits(3)).isEqualTo(new RequestTraits(0, 3, true));
        assertThat(experiment.parts()).containsExactly(MeasuredPart.FAILURES, MeasuredPart.STARTS, MeasuredPart.GANGS);
        assertThat(PolicyNeeds.of(experiment.cluster(), experiment.workload(), experiment.origins(), hazards))
                .containsExactly(Capability.CONSTRAINTS, Capability.GANGS, Capability.EVICTION);
    }

    @Test
    void priorities() {
        Experiment experiment = point(GOOD);
        assertThat(experiment.workload().typeTraits(1)).isEqualTo(new RequestTraits(5, 1, false));
        assertThat(experiment.parts())
                .containsExactly(
                        MeasuredPart.FAILURES, MeasuredPart.STARTS, MeasuredPart.PRIORITIES, MeasuredPart.GANGS);
        assertThat(PolicyNeeds.of(
                        experiment.cluster(), experiment.workload(), experiment.origins(), experiment.hazards()))
                .containsExactly(Capability.CONSTRAINTS, Capability.GANGS, Capability.EVICTION, Capability.PRIORITIES);
    }

    @Test
    void longestWaits() {
        Experiment experiment = point(
                GOOD,
                "workload.types[0].max-wait=90 s",
                "workload.types[2].max-wait={exponential: 10 min}",
                "workload.types[3].max-wait=0 s");
        assertThat(maxWait(experiment, 0).meanNanos()).isEqualTo(90_000_000_000L);
        assertThat(experiment.workload().typeTraits(1).maxWait()).isNull();
        assertThat(maxWait(experiment, 2).meanNanos()).isEqualTo(600_000_000_000L);
        assertThat(maxWait(experiment, 3).meanNanos()).isZero();
        assertThat(experiment.workload().typeTraits(3).members()).isEqualTo(3);
        assertThat(experiment.parts()).contains(MeasuredPart.LONGEST_WAITS);
        assertThat(point(GOOD).parts()).doesNotContain(MeasuredPart.LONGEST_WAITS);
        assertThat(problems(GOOD, "workload.types[0].max-wait=90")).anyMatch(p -> p.contains("types[0].max-wait"));
        assertThat(problems(GOOD, "workload.types[0].max-wait=-1 s")).anyMatch(p -> p.contains("types[0].max-wait"));
        assertThat(problems(GOOD, "workload.types[0].max-wiat=90 s"))
                .anyMatch(p -> p.contains("did you mean 'max-wait'"));
        assertThat(problems(GOOD, "workload.changes=[{at: 1 h, types: [{name: plain, max-wait: 5 s}]}]"))
                .anyMatch(p -> p.contains("stay as they are at the start"));
    }

    private static MaxWait maxWait(Experiment experiment, int type) {
        return Objects.requireNonNull(experiment.workload().typeTraits(type).maxWait());
    }

    @Test
    void everyMistakeIsTold() {
        assertThat(problems(GOOD, "starts.failing=95 %")).anyMatch(p -> p.contains("starts.failing"));
        assertThat(problems(GOOD, "starts.failng=2 %")).anyMatch(p -> p.contains("did you mean 'failing'"));
        assertThat(problems(GOOD, "cluster.failures.time-to-failure=1 ms"))
                .anyMatch(p -> p.contains("mean of less than 1 s"));
        assertThat(problems(GOOD, "cluster.failures={time-to-failure: 3 d}"))
                .anyMatch(p -> p.contains("cluster.failures.time-to-repair") && p.contains("is missing"));
        assertThat(problems(GOOD, "cluster.servers[0].failures.mtbf=3 d")).anyMatch(p -> p.contains("unknown key"));
        assertThat(problems(GOOD, "workload.types[2].gang=0")).anyMatch(p -> p.contains("1 to 100000"));
        assertThat(problems(GOOD, "workload.types[2].gang={distinct-servers: true}"))
                .anyMatch(p -> p.contains("gang.members") && p.contains("is missing"));
        assertThat(problems(GOOD, "workload.types[1].priority=high")).anyMatch(p -> p.contains("priority"));
        assertThat(problems(GOOD, "policies=[load-balancing]"))
                .anyMatch(p -> p.contains("does not")
                        && p.contains("support gangs")
                        && p.contains("these do: first-fit, best-fit"));
        assertThat(problems(GOOD, "server-changes=[{at: 1 h, drain: {count: 3}}]"))
                .anyMatch(p -> p.contains("fail by themselves"));
        assertThat(point(GOOD, "starts=null", "server-changes=[{at: 1 h, drain: {from: 5, count: 4}}]")
                        .changes())
                .hasSize(1);
        // 2 of 8 cores on each of 9 servers, or one member each.
        assertThat(problems(GOOD, "workload.types[2].gang=10"))
                .anyMatch(p -> p.contains("gangs of 10") && p.contains("hold at most 9 members"));
        assertThat(problems(GOOD, "workload.types[2].demand.cpu=4", "workload.types[2].gang=19"))
                .anyMatch(p -> p.contains("hold at most 18"));
        assertThat(problems(GOOD, "workload.types[3].gang.members=10"))
                .anyMatch(p -> p.contains("hold at most 9 members at once, one each"));
        assertThat(problems(GOOD, "size={target: wait p99 <= 10 min}")).anyMatch(p -> p.contains("may not fail"));
    }
}
