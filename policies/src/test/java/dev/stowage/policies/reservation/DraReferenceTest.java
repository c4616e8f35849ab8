package dev.stowage.policies.reservation;

import static dev.stowage.policies.Duel.scenarios;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.policies.ComparedEngines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The incremental algorithm decides like the pseudo-code over all servers, the static plans like a walk over all
 * slots, and protection levels as worked out anew each time.
 */
class DraReferenceTest {
    private static final int COMMANDS = 400;
    private static final String REPEAT =
            "mvn -pl policies -am test -Dtest=DraReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dscenario=";

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "4, 0", "2, 7"})
    void decidesAlike(long slack, long periodSeconds) {
        scenarios(30, scenario -> {
            Map<String, String> parameters = new TreeMap<>(Map.of("slack", Long.toString(slack)));
            if (periodSeconds > 0) {
                parameters.put("update-s", Long.toString(periodSeconds));
            }
            new Duel(
                            scenario,
                            PolicySpec.of("dra", parameters),
                            spec -> new SlowDra(slack, periodSeconds * 1_000_000_000L))
                    .run();
        });
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 3})
    void protectionLevelsDecideAlike(double memory) {
        scenarios(
                30,
                scenario -> new Duel(
                                scenario,
                                PolicySpec.of("protection-levels", Map.of("memory", Double.toString(memory))),
                                spec -> new SlowProtectionLevels(memory))
                        .run());
    }

    /** Loads are thirds per server, so rounded up; with none every server holds what pays most. */
    @ParameterizedTest
    @ValueSource(strings = {"gpa-static", "static-partition"})
    void plansDecideAlike(String policy) {
        scenarios(20, scenario -> {
            KeyedRandom random = new KeyedRandom();
            random.key(scenario, 23, 0);
            int types = 1 + random.nextInt(4);
            random.key(scenario, 29, 0);
            double[] load = new double[scenario % 6 == 0 ? 0 : types];
            Arrays.setAll(load, type -> random.nextInt(9) / 3.0);
            String text = load.length == 0
                    ? "unlimited"
                    : Arrays.stream(load).mapToObj(Double::toString).collect(Collectors.joining("/"));
            new Duel(
                            scenario,
                            PolicySpec.of(policy, Map.of("load-per-server", text)),
                            spec -> new SlowStaticSlots(policy.equals("gpa-static"), load))
                    .run();
        });
    }

    private static final class Duel {
        private final KeyedRandom random = new KeyedRandom();
        private final int scenario;
        private final int types;
        private final Steps steps;
        private final ComparedEngines engines;
        private final List<Long> known = new ArrayList<>();
        private long now;
        private long ids;

        Duel(int scenario, PolicySpec fast, PolicyFactory slow) {
            this.scenario = scenario;
            random.key(scenario, 23, 0);
            types = 1 + random.nextInt(4);
            steps = scenario % 5 == 4 ? Steps.SLOTS : Steps.COMMANDS;
            engines = new ComparedEngines(cluster(), fast, slow, steps);
        }

        private Cluster cluster() {
            int resources = 1 + random.nextInt(2);
            List<ServerBlock> blocks = new ArrayList<>();
            for (int block = 1 + random.nextInt(2); block > 0; block--) {
                blocks.add(new ServerBlock(1 + random.nextInt(9), amounts(resources, 3, 6)));
            }
            // Servers of one capacity on both sides of another's; and many, so that stacks are of unequal depth.
            int more = scenario / 60 % 3;
            if (more > 0) {
                blocks.add(new ServerBlock(
                        more == 1 ? 1 + random.nextInt(4) : 40, blocks.get(0).capacity()));
            }
            List<RequestType> all = new ArrayList<>();
            for (int j = 0; j < types; j++) {
                all.add(new RequestType("t" + j, amounts(resources, 1, 3), Amounts.NONE, random.nextInt(5)));
            }
            List<Resource> names = new ArrayList<>();
            for (int r = 0; r < resources; r++) {
                names.add(Resource.of("r" + r));
            }
            return new Cluster(names, List.of(), List.of(new Site("s", blocks, Amounts.NONE)), all);
        }

        private Amounts amounts(int resources, long least, int span) {
            long[] amounts = new long[resources];
            for (int r = 0; r < resources; r++) {
                amounts[r] = least + random.nextInt(span);
            }
            return Amounts.of(amounts);
        }

        void run() {
            // Fills up, empties out, fills up with another mix, and so on.
            for (int k = 0; k < COMMANDS; k++) {
                now += 1_000_000_000L * random.nextInt(3);
                command(k / 60 % 2 == 0 ? 70 : 30);
                engines.agree("scenario %d, command %d; to repeat: %s%d", scenario, k, REPEAT, scenario);
                if (random.nextInt(50) == 0) {
                    engines.restoreFast();
                }
            }
        }

        private void command(int arrivals) {
            int draw = random.nextInt(100);
            if (draw < 4) {
                change();
            } else if (draw < 14 && steps == Steps.SLOTS) {
                engines.both(engine -> engine.round(now));
            } else if (random.nextInt(100) < arrivals) {
                int type = Math.min(random.nextInt(types), random.nextInt(types));
                long id = ids++;
                known.add(id);
                engines.both(engine -> engine.arrive(now, id, type));
            } else if (!known.isEmpty()) {
                long id = known.remove(random.nextInt(known.size()));
                engines.both(engine -> engine.leave(now, id));
            }
        }

        private void change() {
            int server = random.nextInt(engines.view().servers());
            if (random.nextInt(4) == 0 && engines.view().servers() < 25) {
                long[] capacity = new long[engines.view().resources()];
                for (int r = 0; r < capacity.length; r++) {
                    capacity[r] = engines.view().capacity(server, r);
                }
                engines.both(engine -> engine.addServer(now, 0, capacity));
            } else {
                engines.awayOrBack(now, server, random.nextInt(2) == 0);
            }
        }
    }
}
