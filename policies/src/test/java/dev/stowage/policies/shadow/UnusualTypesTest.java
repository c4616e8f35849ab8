package dev.stowage.policies.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Types of which no number of servers could be worked out, and requests of no type. */
class UnusualTypesTest {
    private static final String NO_TYPE = "has no type, or its demand is not that of its type";
    private static final String NO_DEMAND =
            "demands so little that a server could hold any number of it (or, with strict fits, demands a whole"
                    + " server)";

    private final List<String> heard = new ArrayList<>();
    private final Effects effects = new Effects() {
        @Override
        public void placed(long now, int job, int server, String reason) {
            heard.add("on " + server);
        }

        @Override
        public void rejected(long now, int job, String reason) {
            heard.add(reason);
        }
    };

    /** Servers of size 4 and 2 at two sites, the second with none of the pooled resource. */
    private Engine engine(PolicySpec policy) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("size")),
                List.of("links"),
                List.of(
                        new Site("large", List.of(new ServerBlock(1, Amounts.of(4))), Amounts.of(1)),
                        new Site("small", List.of(new ServerBlock(1, Amounts.of(2))), Amounts.of(0))),
                List.of(
                        new RequestType("nothing", Amounts.of(0), Amounts.of(0), 0),
                        new RequestType("whole", Amounts.of(4), Amounts.of(0), 0),
                        new RequestType("linked", Amounts.of(1), Amounts.of(1), 0)));
        return Engine.start(cluster, policy, new Policies(), Steps.COMMANDS, 1, 0, effects);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shadow", "shadow-simplified", "shadow-consolidating", "shadow-bfjs", "load-balancing"})
    void whatDemandsNothingIsRejected(String policy) {
        Engine engine = engine(PolicySpec.of(policy));
        engine.arrive(0, 0, 0);
        engine.arrive(1, 1, 2);
        engine.arrive(2, 2, -1, new long[] {1}, new long[] {0}, 0);
        assertThat(heard).containsExactly(NO_DEMAND, "on 0", NO_TYPE);
    }

    /** With strict-fit some capacity must stay free, so what takes all of a server is rejected. */
    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void whatTakesAllOfAServer(String strict) {
        Engine engine = engine(PolicySpec.of("load-balancing", Map.of("strict-fit", strict)));
        engine.arrive(0, 0, 1);
        assertThat(heard).containsExactly(strict.equals("true") ? NO_DEMAND : "on 0");
    }
}
