package dev.stowage.study.bound;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.Site;
import dev.stowage.optimize.bound.RoutingBound;
import dev.stowage.optimize.bound.RoutingLimit;
import dev.stowage.optimize.bound.ServerClass;
import dev.stowage.optimize.bound.SupportableLoad;
import dev.stowage.sim.driver.ScheduledChange;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.study.load.ServersUp;
import dev.stowage.study.load.SiteGroup;
import dev.stowage.study.load.TypeLoads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The bounds of routing of an experiment: one for each period in which load and servers stay the same. */
public final class RoutingPeriods {
    /** Up to this many types are solved to full precision. */
    private static final int FEW = 8;

    private static final double EXACT = 1e-9;
    private static final double SECOND_NANOS = 1e9;

    private final Experiment experiment;
    private final Cluster cluster;
    private final List<String> types;
    private final double tolerance;

    private RoutingPeriods(Experiment experiment, double tolerance) {
        this.experiment = experiment;
        this.cluster = experiment.cluster();
        this.types = experiment.workload().types();
        this.tolerance = types.size() <= FEW ? Math.min(EXACT, tolerance) : tolerance;
    }

    /**
     * The bounds of all periods.
     *
     * @param windows number of equal windows into which a trace is divided; 0 for a single bound
     * @return empty if there is nothing to route: one site without pools, a divisible resource, or types without one
     *     demand
     */
    public static List<RoutingPeriod> of(Experiment experiment, double tolerance, int windows) {
        Cluster cluster = experiment.cluster();
        boolean routes =
                cluster.sites().size() > 1 || !cluster.pooledResources().isEmpty();
        if (!routes || cluster.resources().stream().anyMatch(Resource::divisible)) {
            return List.of();
        }
        Optional<String> obstacle = TypeLoads.obstacle(experiment);
        if (obstacle.isPresent()) {
            return List.of(RoutingPeriod.without(0, "many-origins", obstacle.get()));
        }
        List<TypeLoads> loads = TypeLoads.of(experiment, windows);
        return loads.isEmpty() ? List.of() : new RoutingPeriods(experiment, tolerance).periods(loads);
    }

    private List<RoutingPeriod> periods(List<TypeLoads> loads) {
        List<RoutingPeriod> periods = new ArrayList<>();
        ServersUp servers = new ServersUp(cluster);
        int change = 0;
        int load = 0;
        for (long from : TypeLoads.times(loads, experiment)) {
            List<ScheduledChange> changes = experiment.changes();
            for (; change < changes.size() && changes.get(change).atNanos() <= from; change++) {
                servers.apply(changes.get(change));
            }
            while (load + 1 < loads.size() && loads.get(load + 1).fromNanos() <= from) {
                load++;
            }
            periods.add(bound(from / SECOND_NANOS, loads.get(load), servers));
        }
        return periods;
    }

    private RoutingPeriod bound(double from, TypeLoads loads, ServersUp servers) {
        List<RoutingBound.Block> blocks = new ArrayList<>();
        int[] counts = servers.counts();
        for (int b = 0; b < counts.length; b++) {
            ServersUp.Block block = servers.blocks().get(b);
            if (counts[b] > 0) {
                blocks.add(new RoutingBound.Block(block.site(), new ServerClass(counts[b], block.capacity())));
            }
        }
        if (blocks.isEmpty()) {
            return RoutingPeriod.without(from, "no-server-up", "no server is up");
        }
        long[][] pools =
                cluster.sites().stream().map(site -> site.pooled().toArray()).toArray(long[][]::new);
        RoutingLimit limit =
                RoutingBound.of(blocks, pools, loads.demand(), loads.pooledDemand(), loads.classes(), tolerance);
        if (!limit.misfits().isEmpty()) {
            return RoutingPeriod.without(
                    from,
                    "fits-no-server",
                    limit.misfits().stream()
                                    .map(misfit -> name(misfit, loads.groups()))
                                    .collect(Collectors.joining(", "))
                            + ": no server that is up could hold one");
        }
        return new RoutingPeriod(
                from,
                limit.lower(),
                limit.upper(),
                byType(loads.byType()),
                uses(blocks, limit, loads.groups()),
                pools(limit.pools()),
                "",
                "");
    }

    /** Name of a class of demand: its type, and its origin if that limits it. */
    private String name(int demand, List<SiteGroup> groups) {
        SiteGroup group = groups.get(demand / types.size());
        return types.get(demand % types.size()) + (group.sites().isEmpty() ? "" : " from " + group.name());
    }

    private Map<String, Double> byType(double[] values) {
        Map<String, Double> map = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            map.put(types.get(i), values[i]);
        }
        return map;
    }

    private List<RoutingPeriod.BlockUse> uses(
            List<RoutingBound.Block> blocks, RoutingLimit limit, List<SiteGroup> groups) {
        List<RoutingPeriod.BlockUse> uses = new ArrayList<>();
        for (int b = 0; b < blocks.size(); b++) {
            double[] routed = new double[types.size()];
            Map<String, Double> from = new LinkedHashMap<>();
            for (int c = 0; c < limit.table().length; c++) {
                routed[c % routed.length] += limit.table()[c][b];
                if (groups.size() > 1) {
                    from.merge(groups.get(c / routed.length).name(), limit.table()[c][b], Double::sum);
                }
            }
            ServerClass servers = blocks.get(b).servers();
            uses.add(new RoutingPeriod.BlockUse(
                    cluster.sites().get(blocks.get(b).site()).name(),
                    servers.servers(),
                    servers.capacity(),
                    limit.servers()[b],
                    byType(routed),
                    from,
                    mixes(limit.shares(), b, servers.servers())));
        }
        return uses;
    }

    private List<PointBound.MixPart> mixes(List<SupportableLoad.Share> shares, int block, int servers) {
        List<PointBound.MixPart> mixes = new ArrayList<>();
        for (SupportableLoad.Share share : shares) {
            if (share.serverClass() == block && share.servers() > 0) {
                Map<String, Integer> holds = new LinkedHashMap<>();
                for (int i = 0; i < types.size(); i++) {
                    if (share.counts()[i] > 0) {
                        holds.put(types.get(i), share.counts()[i]);
                    }
                }
                mixes.add(new PointBound.MixPart(share.servers() / servers, holds));
            }
        }
        return mixes;
    }

    private List<RoutingPeriod.PoolUse> pools(double[][] used) {
        List<RoutingPeriod.PoolUse> uses = new ArrayList<>();
        for (int site = 0; site < used.length; site++) {
            Site each = cluster.sites().get(site);
            for (int k = 0; k < used[site].length; k++) {
                uses.add(new RoutingPeriod.PoolUse(
                        each.name(), cluster.pooledResources().get(k), used[site][k]));
            }
        }
        return uses;
    }
}
