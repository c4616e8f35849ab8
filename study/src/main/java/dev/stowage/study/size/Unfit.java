package dev.stowage.study.size;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.sim.experiment.TypeChoice;
import dev.stowage.sim.workload.ForwardingWorkload;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import dev.stowage.study.load.RequestPass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Requests of an experiment that fit no server of some kinds, even an empty one. */
public final class Unfit {
    /** How many are named. */
    private static final int NAMED = 3;

    private final Experiment point;
    private final List<Amounts> kinds;
    /** By type: all requests, and those that fit no server. */
    private final long[] all;

    private final long[] none;
    private final Map<String, Long> which = new LinkedHashMap<>();
    /** Of which no server has as much as one of them needs. */
    private final Set<String> lacking = new LinkedHashSet<>();

    private Unfit(Experiment point, List<Amounts> kinds) {
        this.point = point;
        this.kinds = kinds;
        int types = point.workload().types().size();
        all = new long[types];
        none = new long[types];
        List<String> resources =
                point.cluster().resources().stream().map(Resource::name).toList();
        RequestPass pass = new RequestPass(point, point.seed(), point.end().atNanos());
        while (pass.next()) {
            all[pass.type()]++;
            long[] demand = pass.demand();
            if (!fits(demand)) {
                none[pass.type()]++;
                String words = ResourceWords.of(resources, demand);
                which.merge(pass.id().isEmpty() ? words : pass.id() + " (" + words + ")", 1L, Long::sum);
                for (int r = 0; r < demand.length; r++) {
                    int resource = r;
                    if (kinds.stream().allMatch(kind -> kind.get(resource) < demand[resource])) {
                        lacking.add(ResourceWords.tooLittle(resources.get(r)));
                    }
                }
            }
        }
    }

    /** Of an experiment, of its first replication, on its servers. O(requests x kinds). */
    public static Unfit of(Experiment point) {
        return of(
                point,
                point.cluster().sites().stream()
                        .flatMap(site -> site.servers().stream())
                        .filter(block -> block.count() > 0)
                        .map(ServerBlock::capacity)
                        .distinct()
                        .toList());
    }

    /** The same on servers of other kinds. */
    public static Unfit of(Experiment point, List<Amounts> kinds) {
        return new Unfit(point, kinds);
    }

    private boolean fits(long[] demand) {
        return kinds.stream().anyMatch(kind -> {
            for (int r = 0; r < demand.length; r++) {
                if (demand[r] > kind.get(r)) {
                    return false;
                }
            }
            return true;
        });
    }

    /** How many. */
    public long count() {
        return sum(none);
    }

    /** The same by name of the type. */
    public Map<String, Integer> byType() {
        Map<String, Integer> named = new LinkedHashMap<>();
        for (int type = 0; type < none.length; type++) {
            if (none[type] > 0) {
                named.merge(point.workload().types().get(type), (int) none[type], Integer::sum);
            }
        }
        return named;
    }

    /** Of how many. */
    public long requests() {
        return sum(all);
    }

    private static long sum(long[] byType) {
        return RequestList.count(byType, TypeChoice.ALL);
    }

    /** Whether something else is left. */
    public boolean leavesSome() {
        return count() < requests();
    }

    /** Whether a target allows fewer of its requests to miss it than fit no server. */
    public boolean missesTarget(SizeQuestion question) {
        return question.target().requirements().stream()
                .filter(each -> each.kind() == SizeRequirement.Kind.MISSED)
                .anyMatch(each -> {
                    TypeChoice types = PeakBound.types(point, each);
                    return RequestList.count(none, types) > each.allowed(RequestList.count(all, types));
                });
    }

    /** The experiment without them. */
    public Experiment without() {
        return point.with(new Rest(point.workload()), point.replications());
    }

    private final class Rest extends ForwardingWorkload {
        /** Index of the cluster's resources among those of the workload, -1 for one that no request demands. */
        private final int[] source;

        Rest(Workload all) {
            super(all);
            source = point.cluster().resources().stream()
                    .mapToInt(resource -> all.resources().indexOf(resource.name()))
                    .toArray();
        }

        @Override
        public RequestStream open(long seed) {
            RequestStream given = super.open(seed);
            return new Stream(given) {
                @Override
                public boolean next() {
                    while (super.next()) {
                        if (fits(IntStream.of(source)
                                .mapToLong(r -> r < 0 ? 0 : demand(r))
                                .toArray())) {
                            return true;
                        }
                    }
                    return false;
                }

                @Override
                public String id() {
                    return given.id();
                }
            };
        }
    }

    /** The first of them, each with its demand: {@code sap-1 (96 vCPU / 2 TiB), and 3 more}. */
    public String names() {
        long others =
                which.values().stream().skip(NAMED).mapToLong(Long::longValue).sum();
        return which.entrySet().stream()
                        .limit(NAMED)
                        .map(each -> (each.getValue() == 1 ? "" : String.format(Locale.ROOT, "%,d x ", each.getValue()))
                                + each.getKey())
                        .collect(Collectors.joining(", "))
                + (others == 0 ? "" : String.format(Locale.ROOT, ", and %,d more", others));
    }

    /** The resources of which one of them needs more than every server has: {@code CPU and memory}. */
    public String lacking() {
        List<String> names = new ArrayList<>();
        // Too little CPU and memory, and too few GPUs.
        lacking.forEach(each -> names.add(names.isEmpty() ? each : each.replaceFirst("^too little ", "")));
        return names.size() < 2
                ? String.join("", names)
                : String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.get(names.size() - 1);
    }

    /** {@code 1 of 27 requests fits no server, even an empty one: sap-1 (96 vCPU / 2 TiB). } */
    public String sentence() {
        return String.format(
                Locale.ROOT,
                "%,d of %,d requests fit%s no server, even an empty one: %s.",
                count(),
                requests(),
                count() == 1 ? "s" : "",
                names());
    }
}
