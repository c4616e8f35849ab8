package dev.stowage.policies;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every policy against its slow twin, effect by effect, on random commands: 1 to 4 resources, unequal servers, several
 * sites with and without pools, requests limited to some of them, servers that come and go, continuous and slotted time; the fast one is saved and restored
 * now and then.
 */
class PolicyTwinsTest {
    private static final String REPEAT =
            "mvn -pl policies -am test -Dsurefire.failIfNoSpecifiedTests=false -Dtest=PolicyTwinsTest -Dscenario=";

    private record Pair(String slow, PolicySpec fast, String score) {
        Policy slowPolicy() {
            if (!slow.startsWith("vqs")) {
                return new SlowPolicy(slow, score, fast.parameters().containsKey("stalling") ? 0.5 : 0);
            }
            int levels = Character.isDigit(score.charAt(0)) ? Integer.parseInt(score) : 0;
            return new SlowVirtualQueues(slow, levels, score.equals("stalling") ? 0.7 : 0);
        }

        @Override
        public String toString() {
            return fast + " / " + slow;
        }
    }

    static List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        pairs.add(new Pair("first-fit", PolicySpec.of("first-fit"), "occupied"));
        pairs.add(new Pair("first-fit-queue", PolicySpec.of("first-fit", Map.of("when-full", "queue")), "occupied"));
        pairs.add(new Pair("fifo-ff", PolicySpec.of("fifo-ff"), "occupied"));
        for (String score : List.of("occupied", "available", "mix", "leftover")) {
            pairs.add(new Pair("best-fit", PolicySpec.of("best-fit", Map.of("score", score)), score));
            pairs.add(new Pair(
                    "best-fit-queue", PolicySpec.of("best-fit", Map.of("when-full", "queue", "score", score)), score));
            for (String key : List.of("bf-j", "bf-s", "bf-js")) {
                pairs.add(new Pair(key, PolicySpec.of(key, Map.of("score", score)), score));
            }
        }
        pairs.add(new Pair("bf-js", PolicySpec.of("bf-js", Map.of("stalling", "0.5")), "occupied"));
        pairs.add(new Pair("vqs", PolicySpec.of("vqs"), "auto"));
        pairs.add(new Pair("vqs", PolicySpec.of("vqs", Map.of("levels", "2")), "2"));
        pairs.add(new Pair("vqs", PolicySpec.of("vqs", Map.of("stalling", "0.7")), "stalling"));
        pairs.add(new Pair("vqs-bf", PolicySpec.of("vqs-bf"), "auto"));
        pairs.add(new Pair("vqs-bf", PolicySpec.of("vqs-bf", Map.of("levels", "3")), "3"));
        pairs.add(new Pair("vqs-bf", PolicySpec.of("vqs-bf", Map.of("stalling", "0.7")), "stalling"));
        return pairs;
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void decideAlike(Pair pair) {
        int only = Integer.getInteger("scenario", -1);
        int first = only < 0 ? 0 : only;
        int end = only < 0 ? Integer.getInteger("scenarios", 48) : only + 1;
        for (int scenario = first; scenario < end; scenario++) {
            new Duel(pair, scenario).run(250);
        }
    }

    /** Two engines fed with the same commands. */
    private static final class Duel {
        private final KeyedRandom random = new KeyedRandom();
        private final Pair pair;
        private final int scenario;
        private final int resources;
        private final boolean coarse;
        private final int pools;
        private final boolean limited;
        private final Steps steps;
        private final List<Long> known = new ArrayList<>();
        private final TwinEngines twins;
        private long now;
        private long ids;

        Duel(Pair pair, int scenario) {
            this.pair = pair;
            this.scenario = scenario;
            random.key(scenario, 17, 0);
            // The largest request of a virtual queue is defined in one resource.
            resources = pair.slow.equals("vqs-bf") ? 1 : 1 + scenario % 4;
            coarse = scenario % 8 < 4;
            pools = scenario % 3 == 2 ? 1 + random.nextInt(2) : 0;
            limited = scenario % 2 == 1 && !pair.slow.startsWith("vqs");
            steps = scenario % 5 < 2 ? Steps.SLOTS : Steps.COMMANDS;
            twins = new TwinEngines(cluster(), pair.fast, spec -> pair.slowPolicy(), steps);
        }

        private Cluster cluster() {
            List<Resource> names = new ArrayList<>();
            for (int r = 0; r < resources; r++) {
                names.add(Resource.of("r" + r));
            }
            List<String> pooled = new ArrayList<>();
            for (int p = 0; p < pools; p++) {
                pooled.add("p" + p);
            }
            List<Site> sites = new ArrayList<>();
            int count = 1 + random.nextInt(3);
            for (int s = 0; s < count; s++) {
                List<ServerBlock> blocks = new ArrayList<>();
                for (int b = 1 + random.nextInt(2); b > 0; b--) {
                    blocks.add(new ServerBlock(1 + random.nextInt(4), Amounts.of(capacity())));
                }
                long[] pool = new long[pools];
                Arrays.fill(pool, 12 + random.nextInt(10));
                sites.add(new Site("s" + s, blocks, Amounts.of(pool)));
            }
            return new Cluster(names, pooled, sites, List.of());
        }

        private long[] capacity() {
            long[] capacity = new long[resources];
            for (int r = 0; r < resources; r++) {
                capacity[r] = coarse ? 8 + 4 * random.nextInt(3) : 9_000 + random.nextInt(3) * 1_500;
            }
            return capacity;
        }

        private long[] demand() {
            long[] demand = new long[resources];
            for (int r = 0; r < resources; r++) {
                demand[r] = coarse ? random.nextInt(6) : random.nextInt(6_000);
            }
            return demand;
        }

        void run(int commands) {
            for (int k = 0; k < commands; k++) {
                command();
                twins.agree("%s, command %d; to repeat: %s%d", pair, k, REPEAT, scenario);
                if (random.nextInt(40) == 0) {
                    twins.restoreFast();
                }
            }
        }

        private void command() {
            now += random.nextInt(3);
            int kind = random.nextInt(100);
            if (kind < 48) {
                arrive();
            } else if (kind < 84) {
                leave();
            } else if (kind < 94) {
                if (steps == Steps.SLOTS) {
                    twins.both(engine -> engine.round(now));
                } else {
                    leave();
                }
            } else {
                change(kind);
            }
        }

        private void arrive() {
            long[] demand = demand();
            long[] pooled = new long[pools];
            for (int p = 0; p < pools; p++) {
                pooled[p] = random.nextInt(2) == 1 ? random.nextInt(7) : 0;
            }
            long id = ids++;
            int[] sites = limited && random.nextInt(3) == 0 ? sites() : Commands.EVERYWHERE;
            twins.both(engine -> engine.arrive(now, id, -1, demand, pooled, 0, sites));
            known.add(id);
        }

        private int[] sites() {
            int all = twins.view().sites();
            return new int[] {random.nextInt(all), random.nextInt(all)};
        }

        private void leave() {
            if (known.isEmpty()) {
                return;
            }
            int at = random.nextInt(known.size());
            long id = known.get(at);
            int job = twins.find(id);
            boolean gone = job < 0;
            // Those who wait mostly go on waiting.
            if (gone || twins.view().state(job) == JobState.RUNNING || random.nextInt(10) == 0) {
                twins.both(engine -> engine.leave(now, id));
                known.remove(at);
            }
        }

        private void change(int kind) {
            int server = random.nextInt(twins.view().servers());
            if (kind == 94 && twins.view().servers() < 20) {
                int site = random.nextInt(twins.view().sites());
                long[] capacity = capacity();
                capacity[0] += random.nextInt(2) == 1 ? 5 : 0;
                twins.both(engine -> engine.addServer(now, site, capacity));
            } else {
                twins.awayOrBack(now, server, kind < 97);
            }
        }
    }
}
