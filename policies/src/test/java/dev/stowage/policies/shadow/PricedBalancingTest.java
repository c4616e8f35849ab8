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
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Decisions of {@code priced-balancing} by hand. */
class PricedBalancingTest {
    private static Engine engine(String policy, List<Site> sites, RequestType... types) {
        Cluster cluster = new Cluster(List.of(Resource.of("r")), List.of(), sites, List.of(types));
        return Engine.start(cluster, PolicySpec.of(policy), new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE);
    }

    /** A request of 2 without a type, so without prices. */
    private static void arrive(Engine engine, long at, long id, int... sites) {
        engine.arrive(at, id, View.NONE, new long[] {2}, new long[0], 0, sites);
    }

    private static int siteOf(Engine engine, long id) {
        int job = engine.find(id);
        return engine.view().state(job) == JobState.RUNNING
                ? engine.view().site(engine.view().server(job))
                : View.NONE;
    }

    /**
     * Sites a, b, c of 1, 2 and 1 servers for one request each; without prices. 0 goes to a (all are empty), 1 to b: a
     * is full; of b and c b is the lower. 2 to c: in use b 1/2, c 0. 3 overflows to b, the only one with room. 4 waits;
     * it goes to c when there is room.
     */
    @Test
    void triesEverySiteBeforeItWaits() {
        Engine engine = engine("priced-balancing", sites(1, 2, 1));
        int[] expected = {0, 1, 2, 1, View.NONE};
        for (int id = 0; id < expected.length; id++) {
            arrive(engine, id, id);
            assertThat(siteOf(engine, id)).as("request %d", id).isEqualTo(expected[id]);
        }
        engine.leave(9, 2);
        assertThat(siteOf(engine, 4)).isEqualTo(2);
    }

    /** Both sites full; 2 may run at a only, 3 anywhere. Room at b is for 3, though it came later; room at a for 2. */
    @Test
    void roomIsForTheEarliestThatMayUseIt() {
        Engine engine = engine("priced-balancing", sites(1, 1));
        arrive(engine, 0, 0);
        arrive(engine, 0, 1);
        arrive(engine, 1, 2, 0);
        arrive(engine, 2, 3);
        assertThat(siteOf(engine, 2)).isEqualTo(View.NONE);
        assertThat(siteOf(engine, 3)).isEqualTo(View.NONE);
        engine.leave(3, 1);
        assertThat(siteOf(engine, 2)).isEqualTo(View.NONE);
        assertThat(siteOf(engine, 3)).isEqualTo(1);
        engine.leave(4, 0);
        assertThat(siteOf(engine, 2)).isZero();
    }

    private static List<Site> sites(int... servers) {
        List<Site> sites = new ArrayList<>();
        for (int count : servers) {
            sites.add(Site.of("s" + sites.size(), new ServerBlock(count, Amounts.of(2))));
        }
        return sites;
    }

    /**
     * Large requests fit site a only and fill a server of it; small ones fit a and b, one to a server. With 10 servers
     * each, 5 large and 5 small ones, the optimum is 1/2 with all small ones at b. Whoever balances utilization alone
     * (large and small by turns) sends small ones to a as long as a seems emptier: one of capacity 4 takes 4/100 of a.
     */
    @Test
    void pricesKeepRoomForThoseWithoutAChoice() {
        int[] smallAtA = new int[2];
        for (String policy : List.of("priced-balancing", "load-balancing")) {
            Engine engine = engine(
                    policy,
                    List.of(
                            Site.of("a", new ServerBlock(10, Amounts.of(10))),
                            Site.of("b", new ServerBlock(10, Amounts.of(4)))),
                    RequestType.of("large", 7),
                    RequestType.of("small", 4));
            for (int id = 0; id < 400; id++) {
                engine.arrive(id, id, id % 2);
                if (id >= 10) {
                    engine.leave(id, id - 10);
                }
                smallAtA[policy.startsWith("priced") ? 0 : 1] +=
                        id >= 200 && id % 2 == 1 && siteOf(engine, id) == 0 ? 1 : 0;
            }
        }
        assertThat(smallAtA[0]).isLessThan(smallAtA[1] / 2);
    }
}
