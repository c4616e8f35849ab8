package dev.stowage.bench;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import dev.stowage.sim.trace.ReadOptions;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceReader;
import dev.stowage.sim.trace.TraceTransforms;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/**
 * Processor time of a request under policies that look at lifetimes, beside best fit, as a Markdown table: all in
 * turns, so many rounds after one for the compiler; the ratio is that of the same round, in the median and the range.
 * It is the time of the one thread that sends the commands, which the engine carries out; departures to come are in a
 * heap.
 *
 * <p>Arguments: rounds, servers and, for a recorded load instead of {@link BenchWorkload}, a trace in cores and memory
 * and how many times as many requests at once there are to be ({@code traffic-scaling} of an experiment).
 */
public final class LifetimeSpeed {
    private static final int REQUESTS = 1_000_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final PolicySpec[] POLICIES = {
        PolicySpec.of("best-fit"),
        PolicySpec.of("best-fit", Map.of("score", "even")),
        PolicySpec.of("lifetime-classes"),
        PolicySpec.of("lifetime-classes", Map.of("score", "occupied")),
        PolicySpec.of("lifetime-classes", Map.of("rule", "nilas")),
        PolicySpec.of("lifetime-classes", Map.of("rule", "lava")),
    };

    private final int servers;
    private final NewRequest[] requests;
    private final long[] arrivals;
    /** Run times, or {@link Trace#UNKNOWN}. */
    private final long[] durations;

    private LifetimeSpeed(int servers, int size) {
        this.servers = servers;
        requests = new NewRequest[size];
        arrivals = new long[size];
        durations = new long[size];
    }

    /** Prints the table. */
    public static void main(String[] arguments) {
        int rounds = Integer.parseInt(arguments[0]);
        int servers = Integer.parseInt(arguments[1]);
        LifetimeSpeed speed = arguments.length == 2
                ? generated(servers)
                : recorded(servers, Path.of(arguments[2]), Double.parseDouble(arguments[3]));
        speed.print(rounds);
    }

    private static LifetimeSpeed generated(int servers) {
        BenchWorkload load = BenchWorkload.generate(servers, REQUESTS, 1);
        LifetimeSpeed speed = new LifetimeSpeed(servers, REQUESTS);
        for (int i = 0; i < REQUESTS; i++) {
            speed.set(i, load.arrivalNanos()[i], load.workNanos()[i], load.cpuMilli()[i], load.memMib()[i]);
        }
        return speed;
    }

    private static LifetimeSpeed recorded(int servers, Path file, double scaling) {
        Trace trace = TraceTransforms.scaleTraffic(
                TraceReader.read(file, ReadOptions.defaults()).trace(), scaling);
        int cpu = trace.resources().indexOf("cpu_milli");
        int memory = trace.resources().indexOf("mem_mib");
        LifetimeSpeed speed = new LifetimeSpeed(servers, trace.size());
        for (int i = 0; i < trace.size(); i++) {
            speed.set(i, trace.arrivalNanos(i), trace.durationNanos(i), trace.demand(i, cpu), trace.demand(i, memory));
        }
        return speed;
    }

    /** A request expects to run as long as it does; what runs for ever says nothing. */
    private void set(int i, long arrival, long duration, long cpuMilli, long memMib) {
        arrivals[i] = arrival;
        durations[i] = duration;
        requests[i] = new NewRequest(
                i,
                -1,
                new long[] {cpuMilli, memMib},
                new long[0],
                0,
                Constraints.NONE,
                0,
                false,
                duration == Trace.UNKNOWN ? 0 : duration);
    }

    private void print(int rounds) {
        long[][] nanos = new long[POLICIES.length][rounds];
        int[] used = new int[POLICIES.length];
        for (int round = -1; round < rounds; round++) {
            for (int p = 0; p < POLICIES.length; p++) {
                Engine engine = Engine.start(
                        Cluster.single(servers, BenchWorkload.SERVER_CPU_MILLI, BenchWorkload.SERVER_MEM_MIB),
                        POLICIES[p],
                        new Policies(),
                        Steps.COMMANDS,
                        1,
                        0,
                        Effects.NONE);
                long start = THREADS.getCurrentThreadCpuTime();
                run(engine);
                nanos[p][Math.max(round, 0)] = THREADS.getCurrentThreadCpuTime() - start;
                used[p] = used(engine.view());
            }
        }
        System.out.printf(Locale.ROOT, "%,d requests, %,d servers%n%n", requests.length, servers);
        System.out.println("| policy | servers in use at the end | us of a request | times `best-fit` | range |");
        System.out.println("|---|---|---|---|---|");
        for (int p = 0; p < POLICIES.length; p++) {
            double[] ratios = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                ratios[round] = (double) nanos[p][round] / nanos[0][round];
            }
            Arrays.sort(ratios);
            Arrays.sort(nanos[p], 0, rounds);
            System.out.printf(
                    Locale.ROOT,
                    "| `%s` | %,d | %.2f | %.2f | %.2f to %.2f |%n",
                    POLICIES[p],
                    used[p],
                    nanos[p][rounds / 2] / 1e3 / requests.length,
                    ratios[rounds / 2],
                    ratios[0],
                    ratios[rounds - 1]);
        }
    }

    private void run(Engine engine) {
        DepartureHeap departures = new DepartureHeap();
        for (int i = 0; i < requests.length; i++) {
            long now = arrivals[i];
            while (departures.due(now)) {
                long then = departures.firstNanos();
                engine.leave(then, departures.poll());
            }
            engine.arrive(now, requests[i]);
            if (durations[i] != Trace.UNKNOWN && engine.find(i) != View.NONE) {
                departures.add(now + durations[i], i);
            }
        }
    }

    private static int used(View view) {
        int used = 0;
        for (int server = 0; server < view.servers(); server++) {
            used += view.running(server) > 0 ? 1 : 0;
        }
        return used;
    }
}
