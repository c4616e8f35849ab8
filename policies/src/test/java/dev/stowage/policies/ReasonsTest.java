package dev.stowage.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.fit.Preemption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people are told of a placement: the rule by which the server was chosen, with and without constraints. */
class ReasonsTest {
    @ParameterizedTest
    @CsvSource({
        "first-fit, 1, first server with room",
        "fifo-ff, 2, first server with room",
        "best-fit, 1, least residual capacity",
        "best-fit, 2, best score",
        "bf-j, 1, least residual capacity",
        "bf-js, 2, best score"
    })
    void ofAPlacement(String policy, int resources, String reason) {
        List<String> heard = new ArrayList<>();
        Effects effects = new Effects() {
            @Override
            public void placed(long now, int job, int server, String why) {
                heard.add(server + ": " + why);
            }
        };
        long[] ten = new long[resources];
        Arrays.fill(ten, 10);
        long[] three = new long[resources];
        Arrays.fill(three, 3);
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu"), Resource.of("memory")).subList(0, resources),
                List.of(),
                List.of(Site.of(
                        "site",
                        new ServerBlock(1, Amounts.of(ten)),
                        new ServerBlock(1, Amounts.of(ten), List.of(), Labels.parse("disk=ssd")))),
                List.of());
        Engine engine = Engine.start(cluster, PolicySpec.of(policy), new Policies(), Steps.COMMANDS, 1, 0, effects);
        Constraints ssd = new Constraints(List.of(), Constraints.parseTerms("disk=ssd"), List.of(), List.of());
        engine.arrive(0, 0, -1, three, new long[0], 0);
        engine.arrive(1, 1, -1, three, new long[0], 0, ssd);
        assertThat(heard).containsExactly("0: " + reason, "1: " + reason);
    }

    @ParameterizedTest
    @CsvSource({"first-fit, queue", "first-fit, reject", "best-fit, queue", "best-fit, reject"})
    void ofAPlacementInTheRoomOfOthers(String policy, String whenFull) {
        List<String> heard = new ArrayList<>();
        Effects effects = new Effects() {
            @Override
            public void placed(long now, int job, int server, String why) {
                heard.add(why);
            }

            @Override
            public void evicted(long now, int job, int server, String why) {
                heard.add(why);
            }
        };
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("site", new ServerBlock(1, Amounts.of(10)))),
                List.of());
        PolicySpec spec = PolicySpec.of(policy, Map.of("when-full", whenFull));
        Engine engine = Engine.start(cluster, spec, new Policies(), Steps.COMMANDS, 1, 0, effects);
        engine.arrive(0, request(0, 7, 0));
        String rule = heard.get(0);
        engine.arrive(1, request(1, 5, 2));
        engine.arrive(2, request(2, 5, 2));
        assertThat(heard)
                .containsExactly(
                        rule,
                        "its room is needed by request 1 of priority 2",
                        "takes the place of requests of lower priority",
                        rule);
    }

    @Test
    void ofAPlugInIsNotTakenForOneOfPreemption() {
        assertThat(Preemption.neededBy("its room is needed by request 17 of priority 2"))
                .isEqualTo(17);
        for (String other : List.of(
                "",
                "its room is needed by request ",
                "its room is needed by request 17",
                "its room is needed by request -17 of priority 2",
                "its room is needed by request web of priority 2",
                "its room is needed by request 99999999999999999999 of priority 2")) {
            assertThat(Preemption.neededBy(other)).as(other).isEqualTo(-1);
        }
    }

    private static NewRequest request(long id, long cpu, int priority) {
        return new NewRequest(id, -1, new long[] {cpu}, new long[0], 0, Constraints.NONE, priority, false);
    }
}
