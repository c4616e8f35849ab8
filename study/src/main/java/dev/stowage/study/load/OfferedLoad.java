package dev.stowage.study.load;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.optimize.bound.LoadCell;
import dev.stowage.optimize.bound.ServerClass;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.workload.Demand;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.Workload;
import dev.stowage.sim.workload.WorkloadPhase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * The load that an experiment offers from some time on: the mean number of requests of each demand that would be in
 * service if every request were served at once.
 *
 * @param fromNanos when it begins: 0, or the beginning of a phase
 * @param cells demands in the order of the cluster's resources, with the mean number in service
 * @param notes remarks on it
 */
public record OfferedLoad(long fromNanos, List<LoadCell> cells, List<String> notes) {
    private static final double SECOND_NANOS = 1e9;
    /** Number of steps at which a distribution of one resource is evaluated. */
    public static final int GRID = 1000;

    private static final int DRAWS = 20_000;

    /** How a remark ends that says how much of the load is left out. */
    public static final String FITS_NONE = " of the load fits no server: it is rejected and left out.";

    /**
     * Mean number of requests of a type in service, were each served at once: rate times mean service time, times the
     * members of a gang.
     */
    public static double inService(SyntheticType type) {
        double gangs = type.ratePerSecond() * type.service().mean() * type.serviceUnitNanos() / SECOND_NANOS;
        return gangs * type.traits().members();
    }

    /** The loads of an experiment, in order of time: one, or one per phase. */
    public static List<OfferedLoad> of(Experiment experiment) {
        if (experiment.workload() instanceof SyntheticWorkload synthetic) {
            return synthetic.phases().stream()
                    .map(phase -> ofPhase(phase, experiment.cluster(), synthetic))
                    .toList();
        }
        return List.of(measured(experiment));
    }

    private static OfferedLoad ofPhase(WorkloadPhase phase, Cluster cluster, SyntheticWorkload workload) {
        int[] source = RequestPass.sources(cluster.resources().stream().map(Resource::name), workload);
        List<LoadCell> cells = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        RequestKinds kinds = new RequestKinds(workload);
        List<ServerClass> servers = kinds.classes(cluster);
        for (int type = 0; type < phase.types().size(); type++) {
            double load = inService(phase.types().get(type));
            int kind = kinds.of(type);
            if (load > 0) {
                List<LoadCell> ofType = new ArrayList<>();
                addCells(phase.types().get(type).demand(), load, source, admitting(servers, kind), ofType, notes);
                ofType.forEach(cell -> cells.add(cell.ofKind(kind)));
            }
        }
        return new OfferedLoad(phase.fromNanos(), cells, notes);
    }

    private static List<ServerClass> admitting(List<ServerClass> servers, int kind) {
        return servers.stream().filter(each -> each.admits(kind)).toList();
    }

    private static void addCells(
            Demand demand,
            double load,
            int[] source,
            List<ServerClass> servers,
            List<LoadCell> cells,
            List<String> notes) {
        if (demand.drawnUnits(0).isEmpty()) {
            cells.add(LoadCell.of(RequestPass.inOrder(source, demand::fixedUnits), load));
        } else if (source.length == 1 && source[0] >= 0) {
            addDistribution(demand.drawnUnits(source[0]).orElseThrow(), load, servers, cells, notes);
        } else {
            addDraws(demand, load, source, servers, cells, notes);
        }
    }

    private static void addDraws(
            Demand demand,
            double load,
            int[] source,
            List<ServerClass> servers,
            List<LoadCell> cells,
            List<String> notes) {
        KeyedRandom random = new KeyedRandom();
        long[] units = new long[demand.resources()];
        int beyond = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            random.key(draw, 0, 0);
            demand.draw(random, units);
            long[] drawn = RequestPass.inOrder(source, resource -> units[resource]);
            if (servers.stream().anyMatch(each -> each.fits(drawn))) {
                cells.add(LoadCell.of(drawn, load / DRAWS));
            } else {
                beyond++;
            }
        }
        notes.add(format("Demands of several resources are drawn: the bound is for %,d draws.", DRAWS));
        noteBeyond((double) beyond / DRAWS, notes);
    }

    private static void noteBeyond(double beyond, List<String> notes) {
        if (beyond > 0) {
            notes.add(format(
                    "%.3g of the requests are larger than every server: they are rejected and left out.", beyond));
        }
    }

    /** Sizes larger than every server are rejected by the simulator and offer no load. */
    private static void addDistribution(
            Demand.Size size, double load, List<ServerClass> servers, List<LoadCell> cells, List<String> notes) {
        long largest = servers.stream().mapToLong(each -> each.capacity()[0]).reduce(1, Math::max);
        for (LoadCell cell : LoadCell.distribution(size::atMost, largest, GRID)) {
            cells.add(new LoadCell(cell.least(), cell.most(), cell.load() * load));
        }
        noteBeyond(1 - size.atMost(largest), notes);
    }

    /** By one pass over the requests, those of all replications: work within the window over its length. */
    private static OfferedLoad measured(Experiment experiment) {
        Workload workload = experiment.workload();
        long end = Math.min(experiment.end().atNanos(), workload.endNanos());
        TreeMap<long[], double[]> work = new TreeMap<>(Arrays::compare);
        RequestKinds kinds = new RequestKinds(workload);
        long from = Math.min(experiment.warmUp().nanos(), end - 1);
        int passes = workload.isGiven() ? 1 : experiment.replications();
        double window = 0;
        // Most requests of a type demand the same, which then need not be looked up for each.
        long[][] demands = new long[workload.types().size()][];
        double[][] works = new double[demands.length][];
        for (int replication = 0; replication < passes; replication++) {
            RequestPass pass = new RequestPass(experiment, ExperimentRunner.seed(experiment.seed(), replication), end);
            long last = from + 1;
            while (pass.next()) {
                last = Math.max(last, pass.arrivalNanos());
                long within = pass.untilNanos() - Math.max(from, pass.arrivalNanos());
                if (within > 0) {
                    int type = pass.type();
                    long[] demand = pass.demand();
                    if (!Arrays.equals(demands[type], demand)) {
                        demands[type] = demand;
                        works[type] = work.computeIfAbsent(kindAndDemand(kinds.of(type), demand), key -> new double[1]);
                    }
                    works[type][0] += within;
                }
            }
            window += (end == Long.MAX_VALUE ? last : end) - from;
        }
        List<LoadCell> cells = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        double refused = 0;
        double all = 0;
        List<ServerClass> servers = kinds.classes(experiment.cluster());
        for (var entry : work.entrySet()) {
            double load = entry.getValue()[0] / window;
            all += load;
            int kind = (int) entry.getKey()[0];
            long[] demand = Arrays.copyOfRange(entry.getKey(), 1, entry.getKey().length);
            if (admitting(servers, kind).stream().anyMatch(each -> each.fits(demand))) {
                cells.add(LoadCell.of(demand, load).ofKind(kind));
            } else {
                refused += load;
            }
        }
        if (!experiment.workload().isInventory()) {
            notes.add(format(
                    "The load is the mean over %.4g days%s, if every request were served at once; it is higher at peaks.",
                    window / passes / SECOND_NANOS / 86_400,
                    passes > 1 ? " of each of " + passes + " replications" : ""));
        }
        if (refused > 0) {
            notes.add(format("%.3g %%" + FITS_NONE, 100 * refused / all));
        }
        return new OfferedLoad(0, cells, notes);
    }

    private static long[] kindAndDemand(int kind, long[] demand) {
        long[] both = new long[demand.length + 1];
        both[0] = kind;
        System.arraycopy(demand, 0, both, 1, demand.length);
        return both;
    }

    /** Mean number of requests in service. */
    public double requests() {
        return cells.stream().mapToDouble(LoadCell::load).sum();
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
