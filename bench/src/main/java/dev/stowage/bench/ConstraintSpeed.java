package dev.stowage.bench;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Requirement;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.model.Spread;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.policies.Policies;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The cost of constraints: the processor time of a request (arrival, placement, end) in a cluster that is nine tenths
 * full, under first fit, best fit and load balancing, in runs that take turns. Usage:
 * {@code ConstraintSpeed [servers [requests [rounds [policy]]]]}. Load balancing knows types only: there requests have
 * one of {@value #TYPES} types. Each kind of run has the same requests; only their constraints
 * on labels differ.
 */
public final class ConstraintSpeed {
    private static final int CLASSES = 50;
    private static final int TYPES = 16;
    private static final long CPU_MILLI = 64_000;
    private static final long MEM_MIB = 262_144;
    private static final double LOAD = 0.9;
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    private enum Kind {
        /** No labels, no constraints. */
        NONE,
        /** Servers have labels, and no request uses them. */
        LABELS_UNUSED,
        /** Every request asks for one of 50 label classes. */
        ONE_CLASS,
        /** One request in ten does; the others may go anywhere. */
        SOME,
        /** Requests are spread: at most one of a group of 20 per server. */
        SPREAD
    }

    private final Engine engine;
    private final ArrayDeque<Long> running = new ArrayDeque<>();
    private final KeyedRandom random = new KeyedRandom().key(1, Streams.of("constraint-speed"), 0);
    private final long[] demand = new long[2];
    private final boolean typed;
    private final Kind kind;
    private final List<Constraints> classes;
    private long ids;
    private long heldMilli;

    private ConstraintSpeed(Kind kind, String policy, int servers) {
        this.kind = kind;
        typed = policy.equals("load-balancing");
        classes = IntStream.range(0, CLASSES)
                .mapToObj(c -> Constraints.labels(Requirement.parse("class=c" + c)))
                .toList();
        List<ServerBlock> blocks = kind == Kind.NONE || kind == Kind.SPREAD
                ? List.of(new ServerBlock(servers, Amounts.of(CPU_MILLI, MEM_MIB)))
                : IntStream.range(0, servers)
                        .mapToObj(s -> new ServerBlock(
                                1,
                                Amounts.of(CPU_MILLI, MEM_MIB),
                                List.of("server-" + s),
                                Labels.of(Map.of("class", "c" + s % CLASSES, "hostname", "server-" + s))))
                        .toList();
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu_milli"), Resource.of("mem_mib")),
                List.of(),
                List.of(Site.of("site", blocks.toArray(ServerBlock[]::new))),
                typed ? types() : List.of());
        PolicySpec spec = typed ? PolicySpec.of(policy) : PolicySpec.of(policy, Map.of("when-full", "reject"));
        engine = Engine.start(cluster, spec, new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE);
        while (heldMilli < LOAD * CPU_MILLI * servers) {
            arrive();
        }
    }

    private static List<RequestType> types() {
        KeyedRandom random = new KeyedRandom().key(1, Streams.of("types-of-constraint-speed"), 0);
        return IntStream.range(0, TYPES)
                .mapToObj(t ->
                        RequestType.of("type-" + t, 500L * (1 + random.nextInt(16)), 1024L * (1 + random.nextInt(32))))
                .toList();
    }

    private void arrive() {
        long id = ids++;
        demand[0] = 500L * (1 + random.nextInt(16));
        demand[1] = 1024L * (1 + random.nextInt(32));
        int type = typed ? random.nextInt(TYPES) : -1;
        for (int r = 0; r < demand.length && typed; r++) {
            demand[r] = engine.view().typeDemand(type, r);
        }
        engine.arrive(id, id, type, demand, new long[0], 0, constraints(id));
        if (engine.find(id) >= 0) {
            running.add(id);
            heldMilli += demand[0];
        }
    }

    private Constraints constraints(long id) {
        int drawn = random.nextInt(10 * CLASSES);
        return switch (kind) {
            case NONE, LABELS_UNUSED -> Constraints.NONE;
            case ONE_CLASS -> classes.get(drawn % CLASSES);
            case SOME -> drawn < CLASSES ? classes.get(drawn) : Constraints.NONE;
            case SPREAD -> Constraints.spread(new Spread("group-" + id / 20 % 500, 1, ""));
        };
    }

    /** Processor time of a request, nanoseconds. */
    private double run(int requests) {
        long begin = CLOCK.getCurrentThreadCpuTime();
        for (int k = 0; k < requests; k++) {
            long oldest = running.remove();
            heldMilli -= engine.view().demand(engine.find(oldest), 0);
            engine.leave(ids, oldest);
            arrive();
        }
        return (CLOCK.getCurrentThreadCpuTime() - begin) / (double) requests;
    }

    /** Runs it. */
    public static void main(String[] arguments) {
        int servers = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        int requests = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200_000;
        int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 9;
        List<String> policies =
                arguments.length > 3 ? List.of(arguments[3]) : List.of("first-fit", "best-fit", "load-balancing");
        for (String policy : policies) {
            Kind[] kinds = Kind.values();
            ConstraintSpeed[] runs = Arrays.stream(kinds)
                    .map(kind -> new ConstraintSpeed(kind, policy, servers))
                    .toArray(ConstraintSpeed[]::new);
            double[][] nanos = new double[kinds.length][rounds];
            for (int round = -1; round < rounds; round++) {
                for (int k = 0; k < kinds.length; k++) {
                    double measured = runs[k].run(requests);
                    nanos[k][Math.max(0, round)] = measured;
                }
            }
            for (int k = 0; k < kinds.length; k++) {
                Arrays.sort(nanos[k]);
                double median = nanos[k][rounds / 2];
                System.out.printf(
                        Locale.ROOT,
                        "%-14s %,d servers %-13s median %,8.0f ns a request, least %,8.0f: %.2f times none%n",
                        policy,
                        servers,
                        kinds[k].name().toLowerCase(Locale.ROOT).replace('_', '-'),
                        median,
                        nanos[k][0],
                        median / nanos[0][rounds / 2]);
            }
        }
    }
}
