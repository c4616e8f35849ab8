package dev.stowage.study.bound;

import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.optimize.bound.LoadBound;
import dev.stowage.optimize.bound.LoadCell;
import dev.stowage.optimize.bound.ServerClass;
import dev.stowage.optimize.bound.SupportableLoad;
import dev.stowage.optimize.lp.SolverException;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.workload.RecordedOrigins;
import dev.stowage.study.load.OfferedLoad;
import dev.stowage.study.load.RequestKinds;
import dev.stowage.study.load.ServersUp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Computes the share of the maximum supportable load that the points of an experiment offer. */
public final class SupportedLoads {
    /** Up to this many types of fixed demand are solved to full precision. */
    private static final int FEW = 8;

    /** Up to this many demands in several resources are solved quickly. */
    private static final int QUICK_CELLS = 40;

    private static final double EXACT = 1e-9;
    private static final double SECOND_NANOS = 1e9;

    private final double tolerance;
    private final int mostClasses;
    /**
     * Known bounds by servers and shares of the load, because points of a sweep often differ in the size of the load
     * only.
     */
    private final Map<String, LoadBound> known = new TreeMap<>();

    public SupportedLoads(double tolerance, int mostClasses) {
        this.tolerance = tolerance;
        this.mostClasses = mostClasses;
    }

    /**
     * The loads of a point if they can be computed quickly: of few fixed demands, or of a distribution in one resource.
     */
    public List<PointBound> quick(Experiment experiment) {
        return of(experiment, QUICK_CELLS);
    }

    /** What is said of a point whose load is implausible, as far as that is known quickly; else empty. */
    public Optional<Remark> caution(Experiment experiment) {
        return PointBound.caution(known(experiment));
    }

    /** What is said of a point whose load no policy supports, as far as that is known quickly; else empty. */
    public String excess(Experiment experiment) {
        List<PointBound> bounds = known(experiment);
        double least = bounds.stream()
                .mapToDouble(PointBound::loadOfBoundAtLeast)
                .min()
                .orElse(0);
        return least > 0
                        && Double.isFinite(least)
                        && bounds.stream().allMatch(bound -> bound.verdict().equals("unsupportable"))
                ? String.format(
                        Locale.ROOT,
                        "No policy can support this load: it is at least %,.1f %% of the greatest that any policy can"
                                + " support (proven).",
                        Math.floor(1000 * least * (1 + EXACT)) / 10)
                : "";
    }

    private List<PointBound> known(Experiment experiment) {
        try {
            return quick(experiment);
        } catch (SolverException e) {
            return List.of();
        }
    }

    /** The loads of a point, one per phase of its workload. */
    public List<PointBound> of(Experiment experiment) {
        return of(experiment, Long.MAX_VALUE);
    }

    /** At most so many cells of demands in several resources: with more it takes long. */
    private List<PointBound> of(Experiment experiment, long mostCells) {
        List<Resource> resources = experiment.cluster().resources();
        if (resources.stream().anyMatch(Resource::divisible)) {
            return List.of(PointBound.without(
                    experiment.point(), 0, "work runs faster with more of a divisible resource: it has no fixed load"));
        }
        if (experiment.origins().areLimited()) {
            return List.of(PointBound.without(
                    experiment.point(),
                    0,
                    experiment.origins() instanceof RecordedOrigins
                            ? "recorded requests are limited to some servers, or sites"
                            : "origins limit requests to sites, which only the bound of routing takes into account"));
        }
        List<ServerClass> servers = new RequestKinds(experiment.workload()).classes(experiment.cluster());
        if (servers.isEmpty()) {
            return List.of(PointBound.without(experiment.point(), 0, "there is no server at the start"));
        }
        List<OfferedLoad> loads = OfferedLoad.of(experiment);
        long cells = loads.stream().mapToLong(load -> load.cells().size()).sum();
        if (resources.size() > 1 && cells > mostCells) {
            return List.of(PointBound.without(experiment.point(), 0, "it takes long: see 'stowage bound'"));
        }
        return loads.stream().map(load -> bound(experiment, servers, load)).toList();
    }

    private PointBound bound(Experiment experiment, List<ServerClass> servers, OfferedLoad load) {
        double from = load.fromNanos() / SECOND_NANOS;
        double requests = load.requests();
        if (!(requests > 0)) {
            return PointBound.without(experiment.point(), from, "there is no load");
        }
        List<LoadCell> shares = load.cells().stream()
                .map(cell -> new LoadCell(cell.least(), cell.most(), share(cell.load() / requests), cell.kind()))
                .toList();
        LoadBound bound = known.computeIfAbsent(key(servers, shares), key -> solve(servers, shares));
        List<String> notes = new ArrayList<>(load.notes());
        notes.addAll(notes(experiment));
        missed(bound).ifPresent(notes::add);
        return new PointBound(
                experiment.point(),
                from,
                requests,
                bound.lower() / requests,
                bound.upper() / requests,
                bound.classes(),
                resources(experiment, servers, load),
                classes(experiment, servers, bound),
                ServersUp.changeForGood(experiment),
                notes,
                "",
                null,
                List.of());
    }

    /** When and why the tolerance was not met. */
    private Optional<String> missed(LoadBound bound) {
        if (bound.gap() <= tolerance || bound.lower() <= 0) {
            return Optional.empty();
        }
        String classes = bound.classes() + " classes of demand ";
        String why = switch (bound.end()) {
            case SEARCH -> "the search for configurations was ended before it could prove more";
            case FINEST ->
                "the " + classes + "cannot be refined: a distribution is known at " + OfferedLoad.GRID
                        + " steps of the largest server";
            case MOST_CLASSES, WITHIN_TOLERANCE -> "the " + classes + "are the maximum";
        };
        return Optional.of(String.format(
                Locale.ROOT,
                "tolerance not met: the bounds are %.3g %% apart, not %.3g %%; %s",
                100 * bound.gap(),
                100 * tolerance,
                why));
    }

    /** Rounded to twelve digits, so that loads that differ in size only have the same shares. */
    private static double share(double share) {
        return StrictMath.rint(share * 1e12) / 1e12;
    }

    private LoadBound solve(List<ServerClass> servers, List<LoadCell> shares) {
        boolean few =
                shares.size() <= FEW && shares.stream().allMatch(cell -> Arrays.equals(cell.least(), cell.most()));
        return LoadBound.of(servers, shares, few ? EXACT : tolerance, mostClasses);
    }

    private static String key(List<ServerClass> servers, List<LoadCell> shares) {
        StringBuilder key = new StringBuilder(servers.toString());
        for (LoadCell cell : shares) {
            key.append(Arrays.toString(cell.least())).append(Arrays.toString(cell.most()));
            key.append(Double.doubleToLongBits(cell.load())).append('k').append(cell.kind());
        }
        return key.toString();
    }

    private static List<String> notes(Experiment experiment) {
        List<String> notes = new ArrayList<>();
        if (!experiment.cluster().pooledResources().isEmpty()) {
            notes.add("pooled resources are left out: what is supportable may be less");
        }
        if (!experiment.changes().isEmpty()) {
            notes.add("the servers are those at the start: changes are left out");
        }
        notes.addAll(NotInBound.of(experiment));
        return notes;
    }

    private static List<PointBound.ResourceUse> resources(
            Experiment experiment, List<ServerClass> servers, OfferedLoad load) {
        List<PointBound.ResourceUse> uses = new ArrayList<>();
        for (int r = 0; r < experiment.cluster().resources().size(); r++) {
            int resource = r;
            double least = load.cells().stream()
                    .mapToDouble(cell -> cell.load() * cell.least()[resource])
                    .sum();
            double most = load.cells().stream()
                    .mapToDouble(cell -> cell.load() * cell.most()[resource])
                    .sum();
            double capacity = servers.stream()
                    .mapToDouble(each -> (double) each.servers() * each.capacity()[resource])
                    .sum();
            uses.add(new PointBound.ResourceUse(
                    experiment.cluster().resources().get(r).name(), (least + most) / 2 / capacity));
        }
        return uses;
    }

    /** What each class holds in the mix that proves the lower bound. */
    private static List<PointBound.ClassUse> classes(
            Experiment experiment, List<ServerClass> servers, LoadBound bound) {
        List<String> names =
                experiment.cluster().resources().stream().map(Resource::name).toList();
        List<PointBound.ClassUse> classes = new ArrayList<>();
        for (int l = 0; l < servers.size(); l++) {
            ServerClass each = servers.get(l);
            List<PointBound.MixPart> mixes = new ArrayList<>();
            double[] used = new double[each.capacity().length];
            for (SupportableLoad.Share share : bound.lowerProof().shares()) {
                if (share.serverClass() == l) {
                    Map<String, Integer> holds = new LinkedHashMap<>();
                    for (int j = 0; j < share.counts().length; j++) {
                        if (share.counts()[j] > 0) {
                            long[] demand = bound.demand().get(j);
                            holds.merge(ResourceWords.of(names, demand), share.counts()[j], Integer::sum);
                            for (int r = 0; r < used.length; r++) {
                                used[r] += share.servers() * share.counts()[j] * demand[r];
                            }
                        }
                    }
                    mixes.add(new PointBound.MixPart(share.servers() / each.servers(), holds));
                }
            }
            List<PointBound.ResourceUse> uses = new ArrayList<>();
            for (int r = 0; r < used.length; r++) {
                uses.add(new PointBound.ResourceUse(
                        experiment.cluster().resources().get(r).name(),
                        used[r] / ((double) each.servers() * each.capacity()[r])));
            }
            classes.add(new PointBound.ClassUse(each.servers(), each.capacity(), uses, mixes));
        }
        return classes;
    }
}
