package dev.stowage.study.load;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.PolicyInfo;
import dev.stowage.policies.reservation.ReservationPolicies;
import dev.stowage.sim.driver.RequestConstraints;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Warnings where a policy is used far outside the assumptions of its theorem: empty slots that take much of a small
 * cluster, a gamma that is small compared with a step of service, several resources where the theorem is about one,
 * means that are learned from heavy-tailed lifetimes, configurations that are kept until a server is empty; also where
 * a policy that decides by expected lifetimes gets none.
 * These are cautions only: the policy runs as asked.
 */
public final class PolicyCautions {
    /** Requests that are looked at of a workload that is drawn; of given requests all of the first so many. */
    private static final int SAMPLE = 5_000;

    private static final int GIVEN = 1_000_000;
    /** With fewer requests of a type nothing is concluded about its lifetimes. */
    private static final int FEWEST = 50;

    private static final double MUCH_OF_A_CLUSTER = 0.2;
    /** The paper's model has room for 10 of its smallest requests, and gamma 5. */
    private static final double SLOTS_PER_GAMMA = 2;
    /** The policy whose queues are not emptied by a step. */
    private static final String QUEUES_OF_RESOURCES = "shadow-simplified";
    /** The policy whose virtual queues are of sizes in one resource. */
    private static final String QUEUES_OF_SIZES = "vqs";
    /** The policy that decides by how long requests expect to run. */
    private static final String BY_EXPECTED_LIFETIMES = "lifetime-classes";

    /** Fraction of all service time in the longest hundredth of requests; for exponential lifetimes it is .056. */
    private static final double HEAVY = 0.25;

    private static final int HUNDREDTH = 100;

    private final Experiment experiment;
    private final List<PolicyInfo> known = Policies.all();
    private final List<String> resources;
    private long[][] demands = {};
    /** By type, the service times seen. */
    private long[][] works = {};

    private PolicyCautions(Experiment experiment) {
        this.experiment = experiment;
        resources =
                experiment.cluster().resources().stream().map(Resource::name).toList();
    }

    /** The cautions for an experiment, a sentence each; other policies cost nothing. */
    public static List<String> of(Experiment experiment) {
        PolicyCautions cautions = new PolicyCautions(experiment);
        List<String> all = new ArrayList<>();
        for (LabelledPolicy policy : experiment.policies()) {
            cautions.slots(policy).ifPresent(all::add);
            cautions.gamma(policy).ifPresent(all::add);
            cautions.resources(policy).ifPresent(all::add);
            cautions.refresh(policy).ifPresent(all::add);
            cautions.means(policy).or(() -> cautions.tails(policy)).ifPresent(all::add);
        }
        return all;
    }

    /** The cautions for the first and the last point of a sweep. */
    public static Set<String> of(List<Experiment> points) {
        Set<String> all = new LinkedHashSet<>(of(points.get(0)));
        all.addAll(of(points.get(points.size() - 1)));
        all.addAll(withoutExpectations(points.get(0)));
        manyConstraints(points.get(0)).ifPresent(all::add);
        return all;
    }

    /** A sentence where the types of requests have more different constraints than can be in use at once. */
    public static Optional<String> manyConstraints(Experiment experiment) {
        Workload workload = experiment.workload();
        if (!workload.isConstrained()) {
            return Optional.empty();
        }
        List<String> servers = RequestConstraints.names(experiment.cluster());
        long different = IntStream.range(0, workload.types().size())
                .mapToObj(workload::typeConstraints)
                .distinct()
                .map(words -> words.meaning(
                        List.of(), words.avoid().stream().map(servers::indexOf).toList()))
                .filter(constraints -> !constraints.isNone())
                .distinct()
                .count();
        return different <= Constraints.MOST_AT_ONCE
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "the requests have %,d different constraints (where, avoid, spread), and a policy keeps %,d at"
                                + " once: it rejects requests with others",
                        different,
                        Constraints.MOST_AT_ONCE));
    }

    /** A sentence for each policy that decides by expected lifetimes, where no request has one. */
    public static List<String> withoutExpectations(Experiment experiment) {
        List<String> policies = experiment.policies().stream()
                .filter(policy -> policy.spec().name().equals(BY_EXPECTED_LIFETIMES))
                .map(LabelledPolicy::label)
                .toList();
        return policies.isEmpty() || hasExpectation(experiment)
                ? List.of()
                : policies.stream()
                        .map(policy -> policy + " decides by how long each request expects to run, and no request says"
                                + " that: to it, all run for ever. "
                                + (experiment.workload().isInventory()
                                        ? "An inventory does not end anyway"
                                        : experiment.workload().isGiven()
                                                ? "--predict makes expectations, --columns expected=NAME reads them"
                                                : "Generated requests have no expectations, those of a trace may"))
                        .toList();
    }

    private static boolean hasExpectation(Experiment experiment) {
        RequestStream stream = experiment.workload().open(experiment.seed());
        int most = experiment.workload().isGiven() ? GIVEN : SAMPLE;
        for (int i = 0; i < most && stream.next(); i++) {
            if (stream.expectedNanos() > 0) {
                return true;
            }
        }
        return false;
    }

    /** The value of a policy's parameter; empty if it has none of that name. */
    private Optional<String> value(PolicySpec policy, String name) {
        return known.stream()
                .filter(info -> info.key().equals(policy.name()))
                .flatMap(info -> info.parameters().stream())
                .filter(parameter -> parameter.name().equals(name))
                .map(Parameter::defaultValue)
                .findFirst()
                .map(value -> policy.parameters().getOrDefault(name, value));
    }

    private List<ServerBlock> blocks() {
        return experiment.cluster().sites().stream()
                .flatMap(site -> site.servers().stream())
                .toList();
    }

    private Optional<String> slots(LabelledPolicy policy) {
        Optional<String> slack = value(policy.spec(), "slack");
        if (slack.isEmpty()) {
            return Optional.empty();
        }
        look();
        int servers = blocks().stream().mapToInt(ServerBlock::count).sum();
        long slots = ReservationPolicies.slackSlots(slack.get(), servers);
        double most = 0;
        String scarce = "";
        for (int r = 0; r < resources.size(); r++) {
            double capacity = 0;
            for (ServerBlock block : blocks()) {
                capacity += (double) block.count() * block.capacity().get(r);
            }
            double held = 0;
            for (long[] demand : demands) {
                held += (double) slots * demand[r];
            }
            if (capacity > 0 && held / capacity > most) {
                most = held / capacity;
                scarce = resources.get(r);
            }
        }
        return most <= MUCH_OF_A_CLUSTER
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s holds %d empty slots of each of %d types ready, %.0f %% of all %s: its theorem is about many"
                                + " servers, and on so few best-fit or first-fit usually earns more",
                        policy.label(),
                        slots,
                        demands.length,
                        100 * most,
                        scarce));
    }

    private Optional<String> gamma(LabelledPolicy policy) {
        Optional<String> gamma = value(policy.spec(), "gamma");
        if (gamma.isEmpty() || policy.spec().name().equals(QUEUES_OF_RESOURCES)) {
            return Optional.empty();
        }
        look();
        long room = 0;
        for (long[] demand : demands) {
            for (ServerBlock block : blocks()) {
                room = Math.max(room, room(block, demand));
            }
        }
        return room <= SLOTS_PER_GAMMA * Double.parseDouble(gamma.get())
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s has gamma %s, and a server has room for %,d of the smallest requests: a step of service"
                                + " empties its virtual queues, which then say little; try gamma %,d",
                        policy.label(),
                        gamma.get(),
                        room,
                        Math.min(1000, 2 * room)));
    }

    private static long room(ServerBlock block, long[] demand) {
        long room = Long.MAX_VALUE;
        for (int r = 0; r < demand.length; r++) {
            room = demand[r] == 0 ? room : Math.min(room, block.capacity().get(r) / demand[r]);
        }
        return room == Long.MAX_VALUE ? 0 : room;
    }

    private Optional<String> resources(LabelledPolicy policy) {
        if (!policy.spec().name().equals(QUEUES_OF_SIZES)) {
            return Optional.empty();
        }
        look();
        long asked = IntStream.range(0, resources.size())
                .filter(r -> Arrays.stream(demands).anyMatch(demand -> demand[r] > 0))
                .count();
        return asked <= 1
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s sorts requests by their largest part of a server, and its theorem is about one resource:"
                                + " with %d it leaves much unused; requests usually wait less under best-fit and"
                                + " vqs-bf",
                        policy.label(),
                        asked));
    }

    /** Max-weight renews configurations where servers are empty: its theorem needs that to happen again and again. */
    private Optional<String> refresh(LabelledPolicy policy) {
        Optional<String> refresh = value(policy.spec(), "refresh");
        if (refresh.isEmpty()) {
            return Optional.empty();
        }
        boolean global = refresh.get().equals("global");
        if (global && experiment.slotNanos() == 0) {
            return Optional.of(
                    policy.label() + " renews configurations only while all servers are empty: its theorem is"
                            + " about slotted time, and in continuous time it is unstable at high load");
        }
        if (!global && blocks().stream().map(ServerBlock::capacity).distinct().count() > 1) {
            return Optional.of(
                    policy.label() + " renews a server's configuration when it is empty: its theorem is about"
                            + " equal servers, and these differ");
        }
        return ofTails(
                policy,
                "%s keeps a server's configuration until it is empty, and the longest 1 %% of the requests make"
                        + " %.0f %% of their types' service time: servers are seldom empty, and waiting requests"
                        + " do not fit their configurations");
    }

    private Optional<String> means(LabelledPolicy policy) {
        boolean undeclared = experiment.cluster().types().stream().anyMatch(type -> type.meanServiceNanos() == 0);
        boolean learns = value(policy.spec(), "theta1")
                        .filter(theta -> undeclared || !theta.equals("declared"))
                        .isPresent()
                || (value(policy.spec(), "memory").isPresent()
                        && value(policy.spec(), "workload").orElse("estimate").equals("estimate"));
        if (!learns) {
            return Optional.empty();
        }
        return ofTails(
                policy,
                "%s learns mean service times. The longest 1 %% of the requests take %.0f %% of their types'"
                        + " service time, so the means stay uncertain for a long time");
    }

    /** Virtual queues follow a mix that changes about as slowly as the longest requests leave. */
    private Optional<String> tails(LabelledPolicy policy) {
        if (value(policy.spec(), "gamma").isEmpty()) {
            return Optional.empty();
        }
        return ofTails(
                policy,
                "%s decides by virtual queues, and the longest 1 %% of the requests make %.0f %% of their types'"
                        + " service time: its theorem is about times far longer than these requests take"
                        + " to leave, and until then others may wait long");
    }

    /** A sentence, of the policy's label and the percentage, if the longest requests make much of all service time. */
    private Optional<String> ofTails(LabelledPolicy policy, String sentence) {
        look();
        double tail = tail();
        return tail <= HEAVY
                ? Optional.empty()
                : Optional.of(String.format(Locale.ROOT, sentence, policy.label(), 100 * tail));
    }

    /** Fraction of all service time, measured in means of its type, in the longest hundredth of the requests. */
    private double tail() {
        double[] parts = Arrays.stream(works)
                .filter(times -> times.length >= FEWEST)
                .flatMapToDouble(times -> {
                    double mean = Arrays.stream(times).average().orElse(1);
                    return Arrays.stream(times).mapToDouble(time -> time / mean);
                })
                .sorted()
                .toArray();
        double all = Arrays.stream(parts).sum();
        return all == 0
                ? 0
                : Arrays.stream(parts)
                                .skip(parts.length - parts.length / HUNDREDTH)
                                .sum()
                        / all;
    }

    /** Looks at requests, once. */
    private void look() {
        if (demands.length > 0) {
            return;
        }
        Workload workload = experiment.workload();
        int[] source = RequestPass.sources(resources.stream(), workload);
        long[][] demandOf = new long[workload.types().size()][];
        long[][] workOf = new long[demandOf.length][0];
        int[] seen = new int[demandOf.length];
        int most = workload.isGiven() ? GIVEN : SAMPLE;
        RequestStream stream = workload.open(experiment.seed());
        for (int i = 0; i < most && stream.next(); i++) {
            int type = stream.type();
            if (type >= 0) {
                if (demandOf[type] == null) {
                    demandOf[type] = RequestPass.inOrder(source, stream::demand);
                }
                if (stream.workNanos() != RequestStream.ENDLESS) {
                    if (seen[type] == workOf[type].length) {
                        workOf[type] = Arrays.copyOf(workOf[type], Math.max(FEWEST, 2 * seen[type]));
                    }
                    workOf[type][seen[type]++] = stream.workNanos();
                }
            }
        }
        demands = Arrays.stream(demandOf).filter(demand -> demand != null).toArray(long[][]::new);
        works = new long[demandOf.length][];
        Arrays.setAll(works, type -> Arrays.copyOf(workOf[type], seen[type]));
    }
}
