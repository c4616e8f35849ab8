package dev.stowage.sim.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.statistics.TimeGrid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Three sites, one of them with two shapes, servers that drain and come back; against a count of all servers after
 * every command.
 */
class SiteSeriesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int SECONDS = 400;
    private static final int WIDTH = 10;
    private static final int WARM_UP = 20;
    private static final List<String> SITES = List.of("east", "west", "south");
    private static final List<String> TYPES = List.of("small", "large");
    private static final Cluster CLUSTER = new Cluster(
            List.of(Resource.of("size")),
            List.of(),
            List.of(
                    Site.of("east", new ServerBlock(3, Amounts.of(10)), new ServerBlock(2, Amounts.of(7))),
                    Site.of("west", new ServerBlock(4, Amounts.of(10))),
                    Site.of("south", new ServerBlock(2, Amounts.of(10)))),
            List.of(
                    new RequestType("small", Amounts.of(3), Amounts.NONE, 0),
                    new RequestType("large", Amounts.of(4), Amounts.NONE, 0)));

    private final RunCollector collector =
            new RunCollector(TimeGrid.forHorizon(0, SECONDS * SECOND, SECONDS / WIDTH), 2);
    private final Engine engine =
            Engine.start(CLUSTER, PolicySpec.of("shadow"), new Policies(), Steps.COMMANDS, 1, 0, collector);

    private final double[][] inUse = new double[3][SECONDS / WIDTH];
    private final double[][] up = new double[3][SECONDS / WIDTH];
    private final Map<String, Integer> placed = new TreeMap<>();
    private final Set<Long> seen = new TreeSet<>();

    @Test
    void sameAsASlowCount() {
        long seed = 7;
        System.out.println("SiteSeriesTest seed " + seed);
        Random random = new Random(seed);
        List<Long> live = new ArrayList<>();
        for (int second = 0; second < SECONDS; second++) {
            command(random, second, live);
            count(second);
            seePlaced(second, live);
        }
        Measurements measured = collector.finish(SECONDS * SECOND);

        Origin origin = new Origin("", "", "", "", "", "shadow", Map.of(), Map.of());
        Map<String, SeriesRow> rows = new TreeMap<>();
        new RunSeries(measured, CLUSTER, TYPES, origin, 0).overTime().forEach(row -> rows.put(row.name(), row));
        for (int site = 0; site < SITES.size(); site++) {
            double[] mean =
                    rows.get("servers_in_use{site=" + SITES.get(site) + "}").mean();
            double[] designated = new double[mean.length];
            String prefix = "configuration_use{site=" + SITES.get(site) + ",holds=";
            rows.forEach((name, row) -> {
                for (int i = 0; name.startsWith(prefix) && i < designated.length; i++) {
                    designated[i] += row.mean()[i];
                }
            });
            for (int i = 0; i < mean.length; i++) {
                double expected = up[site][i] > 0 ? inUse[site][i] / up[site][i] : 0;
                assertThat(mean[i]).isCloseTo(expected, within(1e-5));
                // Every server in use has a designation: nothing ran when the policy started.
                assertThat(designated[i]).isCloseTo(expected, within(1e-4));
            }
        }
        assertThat(rows.keySet()).anyMatch(name -> name.endsWith(",holds=2 x small + 1 x large}"));
        assertThat(rows.keySet()).noneMatch(name -> name.startsWith("designated_servers"));
        comparePlacements(measured);
    }

    private void comparePlacements(Measurements measured) {
        Map<String, RunMetric> metrics = RunMetrics.of(measured, CLUSTER, TYPES, WARM_UP * SECOND, Set.of());
        for (String type : TYPES) {
            double sum = SITES.stream()
                    .mapToInt(site -> placed.getOrDefault(site + type, 0))
                    .sum();
            assertThat(sum).isGreaterThan(20);
            for (String site : SITES) {
                assertThat(metrics.get("placed_fraction{site=" + site + ",type=" + type + "}")
                                .value())
                        .isCloseTo(placed.getOrDefault(site + type, 0) / sum, within(1e-12));
            }
        }
    }

    private void seePlaced(int second, List<Long> live) {
        for (long id : live) {
            int server = engine.view().server(engine.find(id));
            if (server != View.NONE && seen.add(id) && second >= WARM_UP) {
                String pair = SITES.get(engine.view().site(server))
                        + TYPES.get(engine.view().type(engine.find(id)));
                placed.merge(pair, 1, Integer::sum);
            }
        }
    }

    private void command(Random random, int second, List<Long> live) {
        long now = second * SECOND;
        int server = random.nextInt(11);
        switch (random.nextInt(8)) {
            case 0, 1, 2, 3 -> {
                engine.arrive(now, second, random.nextInt(2));
                live.add((long) second);
            }
            case 4, 5 -> {
                if (!live.isEmpty()) {
                    engine.leave(now, live.remove(random.nextInt(live.size())));
                }
            }
            case 6 -> engine.drainServer(now, server);
            default -> {
                for (int each = 0; each < 11; each++) {
                    if (engine.view().status(each) == ServerStatus.DRAINING) {
                        engine.returnServer(now, each);
                    }
                }
            }
        }
    }

    /** Counts for the second that begins now. */
    private void count(int second) {
        View view = engine.view();
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) == ServerStatus.UP) {
                up[view.site(server)][second / WIDTH]++;
                inUse[view.site(server)][second / WIDTH] += view.firstOn(server) == View.NONE ? 0 : 1;
            }
        }
    }
}
