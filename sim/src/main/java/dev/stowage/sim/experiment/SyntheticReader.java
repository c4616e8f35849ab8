package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.sim.workload.ArrivalProcess;
import dev.stowage.sim.workload.Demand;
import dev.stowage.sim.workload.Distribution;
import dev.stowage.sim.workload.MaxWait;
import dev.stowage.sim.workload.RequestTraits;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.Workload;
import dev.stowage.sim.workload.WorkloadPhase;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The parts {@code workload.types}, {@code workload.arrivals} and {@code workload.changes}: a synthetic workload. */
final class SyntheticReader {
    private static final String EXAMPLE =
            "{name: small, rate: 3 / min, demand: {cpu: 1, memory: 2 GiB}, service: {exponential: 20 min}}";
    private static final long SECOND_NANOS = 1_000_000_000L;
    /** Greatest rate: time is in whole nanoseconds, and more than one request in each would be an endless batch. */
    private static final double MOST_PER_SECOND = 1e9;

    private static final Distribution PLACEHOLDER = Distribution.deterministic(1);

    private final long slotNanos;
    private final @Nullable Cluster cluster;
    private final DistributionReader numbers = new DistributionReader(Units::number);
    /** Factor of all rates. */
    private double trafficScaling = 1;

    SyntheticReader(long slotNanos, @Nullable Cluster cluster) {
        this.slotNanos = slotNanos;
        this.cluster = cluster;
    }

    @Nullable
    Workload read(YamlFields workload) {
        int before = workload.problems();
        List<YamlFields> typeFields = workload.at("types").elements();
        List<String> resources = resources(typeFields);
        trafficScaling = workload.at("arrivals").at("traffic-scaling").number(1, 0, 1e6);
        List<SyntheticType> types = new ArrayList<>();
        for (YamlFields type : typeFields) {
            if (type.isObject(EXAMPLE)) {
                types.add(type(type, resources, null));
            }
        }
        ArrivalProcess arrivals = arrivals(workload.at("arrivals"));
        List<WorkloadPhase> phases = new ArrayList<>();
        if (!types.isEmpty()) {
            phases.add(new WorkloadPhase(0, types));
        }
        for (YamlFields change : workload.at("changes").elements()) {
            phase(change, phases, resources);
        }
        if (workload.problems() > before) {
            return null;
        }
        try {
            return new SyntheticWorkload(resources, arrivals, phases, Long.MAX_VALUE, Long.MAX_VALUE);
        } catch (IllegalArgumentException e) {
            workload.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private void phase(YamlFields change, List<WorkloadPhase> phases, List<String> resources) {
        if (!change.isObject("{at: 8 h, types: [{name: small, rate: 5 / min}]}") || phases.isEmpty()) {
            return;
        }
        long at = change.at("at").parsed(0L, text -> Units.durationNanos(text, slotNanos));
        List<SyntheticType> types =
                new ArrayList<>(phases.get(phases.size() - 1).types());
        for (YamlFields type : change.at("types").elements()) {
            if (!type.isObject("{name: small, rate: 5 / min}")) {
                continue;
            }
            String name = type.at("name").requiredText("which type changes");
            int index = types.stream().map(SyntheticType::name).toList().indexOf(name);
            if (index < 0) {
                type.at("name")
                        .problem("'" + name + "' is not a type; "
                                + NearestName.among(
                                        name,
                                        types.stream().map(SyntheticType::name).toList()));
            } else {
                types.set(index, type(type, resources, types.get(index)));
            }
        }
        change.rejectUnknown();
        try {
            phases.add(new WorkloadPhase(at, types));
        } catch (IllegalArgumentException e) {
            change.problem(String.valueOf(e.getMessage()));
        }
    }

    /** A type; in a change, keys that are not given stay as in {@code before}. */
    private SyntheticType type(YamlFields type, List<String> resources, @Nullable SyntheticType before) {
        String name = type.at("name").requiredText("every type needs a name");
        double rate = before != null && !type.has("rate")
                ? before.ratePerSecond()
                : trafficScaling * type.at("rate").parsed(0.0, text -> Units.perSecond(text, slotNanos));
        if (rate > MOST_PER_SECOND) {
            type.at("rate")
                    .problem("with traffic-scaling " + trafficScaling + " is " + rate + " / s; it must be at most "
                            + MOST_PER_SECOND + " / s");
        }
        Demand demand = before != null && !type.has("demand") ? before.demand() : demand(type.at("demand"), resources);
        Distribution service = before != null && !type.has("service") ? before.service() : service(type.at("service"));
        long reward = before != null && !type.has("reward")
                ? before.rewardMicros()
                : type.has("reward") ? type.at("reward").parsed(0L, text -> Units.microsPerHour(text, slotNanos)) : 0;
        ConstraintWords constraints = ConstraintReader.words(type);
        if (before != null && !constraints.isNone()) {
            type.problem("where, avoid and spread of a type stay as they are at the start");
        }
        RequestTraits traits = TraitReader.read(type, at -> new MaxWait(time(at), unitNanos()));
        if (before != null && !traits.isNone()) {
            type.problem("gang, priority and max-wait of a type stay as they are at the start");
        }
        type.rejectUnknown();
        try {
            return new SyntheticType(
                    name.isBlank() ? "?" : name,
                    rate,
                    demand,
                    service,
                    unitNanos(),
                    reward,
                    before == null ? constraints : before.constraints(),
                    before == null ? traits : before.traits());
        } catch (IllegalArgumentException e) {
            type.problem(String.valueOf(e.getMessage()));
            return SyntheticType.inSeconds("?", 0, demand, PLACEHOLDER);
        }
    }

    private Distribution service(YamlFields at) {
        if (!at.present()) {
            at.problem("is missing: how long requests run; e.g. {exponential: 20 min}");
            return PLACEHOLDER;
        }
        return time(at);
    }

    private long unitNanos() {
        return slotNanos > 0 ? slotNanos : SECOND_NANOS;
    }

    /** In seconds, or in slots where there are slots. */
    private Distribution time(YamlFields at) {
        BigDecimal unit = BigDecimal.valueOf(unitNanos());
        return new DistributionReader(text -> Units.exactDuration(text, slotNanos)
                        .divide(unit, MathContext.DECIMAL64)
                        .doubleValue())
                .read(at);
    }

    private Demand demand(YamlFields at, List<String> resources) {
        long[] fixed = new long[Math.max(1, resources.size())];
        if (!at.isObject("{cpu: 1, memory: 2 GiB}")) {
            return Demand.fixed(fixed);
        }
        boolean drawn = at.keys().stream().anyMatch(key -> at.at(key).node().isObject());
        if (!drawn) {
            long[] amounts = ResourceKeys.amounts(at, resources, List.of());
            checkFits(at, amounts, resources);
            return Demand.fixed(amounts.length == 0 ? fixed : amounts);
        }
        Demand.Size[] sizes = new Demand.Size[resources.size()];
        Arrays.fill(sizes, new Demand.Size(Distribution.deterministic(0), 1));
        for (String key : at.keys()) {
            int index = resources.indexOf(ResourceKeys.resource(key));
            if (index >= 0) {
                sizes[index] = size(key, at.at(key));
            }
        }
        return Demand.drawn(sizes);
    }

    private Demand.Size size(String key, YamlFields at) {
        if (!at.node().isObject()) {
            long amount = ResourceKeys.amount(key, at);
            return new Demand.Size(Distribution.deterministic((double) amount), 1);
        }
        long scale = at.at("scale").whole(ResourceKeys.scale(key), 1, Long.MAX_VALUE);
        return new Demand.Size(numbers.read(at.without("scale")), scale);
    }

    private void checkFits(YamlFields at, long[] amounts, List<String> resources) {
        if (cluster == null || at.problems() > 0) {
            return;
        }
        boolean fits = cluster.sites().stream()
                .flatMap(site -> site.servers().stream())
                .anyMatch(block -> {
                    for (int r = 0; r < amounts.length; r++) {
                        int index = cluster.resources().stream()
                                .map(Resource::name)
                                .toList()
                                .indexOf(resources.get(r));
                        if (index >= 0 && amounts[r] > block.capacity().get(index)) {
                            return false;
                        }
                    }
                    return true;
                });
        if (!fits) {
            at.problem("fits no server, even an empty one; the servers have "
                    + cluster.sites().stream()
                            .flatMap(site -> site.servers().stream())
                            .map(block -> capacity(block.capacity().toArray()))
                            .distinct()
                            .limit(5)
                            .collect(Collectors.joining("; ")));
        }
    }

    /** {@code 16 vCPU, 64 GiB}. */
    private String capacity(long[] amounts) {
        List<Resource> resources = Objects.requireNonNull(cluster).resources();
        return IntStream.range(0, amounts.length)
                .filter(r -> amounts[r] > 0)
                .mapToObj(r -> ResourceWords.amount(resources.get(r).name(), amounts[r]))
                .collect(Collectors.joining(", "));
    }

    private ArrivalProcess arrivals(YamlFields at) {
        boolean slotted = slotNanos > 0;
        if (!at.present()) {
            return slotted ? ArrivalProcess.poissonPerSlot(slotNanos) : ArrivalProcess.poisson();
        }
        if (!at.isObject("{process: poisson}")) {
            return ArrivalProcess.poisson();
        }
        at.at("traffic-scaling");
        String process = at.at("process").text("poisson");
        if (!List.of("poisson", "deterministic").contains(process)) {
            at.at("process").problem("'" + process + "' is unknown; allowed: poisson, deterministic");
        }
        Distribution batch = at.has("batch-size") ? numbers.read(at.at("batch-size")) : Distribution.deterministic(1);
        List<Double> profile = at.at("profile").elements().stream()
                .map(factor -> factor.number(1, 0, 1e9))
                .toList();
        at.rejectUnknown();
        try {
            return new ArrivalProcess("poisson".equals(process), slotted ? slotNanos : 0, batch, profile);
        } catch (IllegalArgumentException e) {
            at.problem(String.valueOf(e.getMessage()));
            return ArrivalProcess.poisson();
        }
    }

    private List<String> resources(List<YamlFields> types) {
        Set<String> names = new LinkedHashSet<>();
        for (YamlFields type : types) {
            for (String key : type.at("demand").keys()) {
                if (!ResourceKeys.isResource(key)) {
                    type.at("demand").at(key).problem("is not the name of a resource, e.g. cpu, memory, slots");
                } else if (names.add(ResourceKeys.resource(key))) {
                    checkThere(type.at("demand").at(key), key);
                }
            }
        }
        return List.copyOf(names);
    }

    /** Whether a key, or what was probably meant by it, is the name of a resource and not one of these. */
    private static boolean isKnown(String key, Set<String> names) {
        Set<String> known = ResourceKeys.known();
        return known.contains(key) || (NearestName.isMisspelling(key, known) && !NearestName.isMisspelling(key, names));
    }

    /** A resource that neither a server nor a site has is a mistake, most likely of spelling. */
    private void checkThere(YamlFields demand, String key) {
        if (cluster == null) {
            return;
        }
        Set<String> there = new TreeSet<>(cluster.pooledResources());
        cluster.resources().forEach(resource -> there.add(resource.name()));
        if (!there.contains(ResourceKeys.resource(key))) {
            Set<String> names = ResourceKeys.withPlainNames(there);
            demand.problem("is a resource that no server has; "
                    + (isKnown(key, names)
                            ? "the servers have " + String.join(", ", names)
                            : NearestName.among(key, names)));
        }
    }
}
