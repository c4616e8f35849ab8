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
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.policies.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody declares mean service times, as in a trace: what is decided does not depend on the unit of time. */
class UnitOfTimeTest {
    private static final int REQUESTS = 300;
    private static final long UNIT_NANOS = 1_000_000;

    @ParameterizedTest
    @ValueSource(strings = {"shadow", "shadow-simplified"})
    void decidesAlikeInAnyUnitOfTime(String policy) {
        List<String> placements = placements(policy, 1);
        assertThat(placements).hasSizeGreaterThan(REQUESTS / 2);
        assertThat(placements.stream().filter(line -> line.endsWith("on 0"))).hasSizeLessThan(placements.size() / 2);
        // Factors of two leave the digits of every quotient as they are.
        for (long factor : new long[] {4, 1024, 1 << 20}) {
            assertThat(placements(policy, factor)).as("times %d", factor).isEqualTo(placements);
        }
    }

    private static List<String> placements(String policy, long factor) {
        List<String> lines = new ArrayList<>();
        Effects log = new Effects() {
            @Override
            public void placed(long now, int job, int server, String reason) {
                lines.add("place " + job + " on " + server);
            }
        };
        PolicySpec spec = PolicySpec.of(policy, Map.of("gamma", "1"));
        Engine engine = Engine.start(cluster(), spec, new Policies(), Steps.COMMANDS, 1, 0, log);
        KeyedRandom random = new KeyedRandom();
        random.key(3, 0, 0);
        TreeMap<Long, List<Long>> ends = new TreeMap<>();
        for (long id = 0; id < REQUESTS; id++) {
            long now = id * UNIT_NANOS;
            int type = random.nextInt(2);
            while (!ends.isEmpty() && ends.firstKey() <= now) {
                Map.Entry<Long, List<Long>> end = ends.pollFirstEntry();
                end.getValue().forEach(gone -> engine.leave(end.getKey() * factor, gone));
            }
            engine.arrive(now * factor, id, type);
            long length = (3 + 2 * type + random.nextInt(3)) * UNIT_NANOS;
            ends.computeIfAbsent(now + length, key -> new ArrayList<>()).add(id);
        }
        return lines;
    }

    private static Cluster cluster() {
        ServerBlock two = new ServerBlock(2, Amounts.of(5));
        ServerBlock three = new ServerBlock(3, Amounts.of(5));
        return new Cluster(
                List.of(Resource.of("x")),
                List.of(),
                List.of(new Site("p", List.of(two), Amounts.NONE), new Site("q", List.of(three), Amounts.NONE)),
                List.of(
                        new RequestType("a", Amounts.of(2), Amounts.NONE, 0),
                        new RequestType("b", Amounts.of(3), Amounts.NONE, 0)));
    }
}
