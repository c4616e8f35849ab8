package dev.stowage.bench;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.policies.index.DominanceIndex;
import dev.stowage.policies.index.DominanceQuery;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Best fit in two resources without an engine: one operation is a departure of a request drawn at random, the choice of
 * a server for the next request, and its arrival there, at the bench's load.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class DominanceIndexBenchmark {
    private static final int RESOURCES = 2;
    private static final long[] CAPACITY = {BenchWorkload.SERVER_CPU_MILLI, BenchWorkload.SERVER_MEM_MIB};
    private static final int REQUESTS = 1 << 20;

    @Param({"1000", "10000", "100000"})
    int servers;

    /**
     * As in the benchmark's workload, or with each amount replaced by a random smaller whole number, so that hardly any
     * two servers are equal.
     */
    @Param({"shapes", "any"})
    String demands = "shapes";

    private final KeyedRandom random = new KeyedRandom();
    private final DominanceQuery query = new DominanceQuery(RESOURCES);
    private DominanceIndex index = new DominanceIndex(CAPACITY);
    private long[] occupied = {};
    private long[] demand = {};
    private int[] liveRequest = {};
    private int[] liveServer = {};
    private int next;

    /** Fills the servers to the mean number in service. */
    @Setup
    public void fill() {
        random.key(1, Streams.DEMANDS, 0);
        index = new DominanceIndex(CAPACITY);
        occupied = new long[RESOURCES * servers];
        demand = draw();
        for (int server = 0; server < servers; server++) {
            index.insert(server, server, occupied, RESOURCES * server);
        }
        int live = (int) BenchWorkload.meanLive(servers);
        liveRequest = new int[live];
        liveServer = new int[live];
        for (int i = 0; i < live; i++) {
            arrive(i);
        }
    }

    /** A departure and an arrival; returns the server chosen. */
    @Benchmark
    public int replace() {
        int i = random.nextInt(liveServer.length);
        if (liveServer[i] != DominanceQuery.NONE) {
            change(liveServer[i], liveRequest[i], -1);
        }
        arrive(i);
        return liveServer[i];
    }

    private long[] draw() {
        BenchWorkload workload = BenchWorkload.generate(servers, REQUESTS, 1);
        long[] drawn = new long[RESOURCES * REQUESTS];
        for (int i = 0; i < REQUESTS; i++) {
            drawn[RESOURCES * i] = size(workload.cpuMilli()[i]);
            drawn[RESOURCES * i + 1] = size(workload.memMib()[i]);
        }
        return drawn;
    }

    private long size(int amount) {
        return demands.equals("any") ? amount - random.nextInt(amount / 2) : amount;
    }

    private void arrive(int i) {
        int request = next++ & (REQUESTS - 1);
        query.forget();
        for (int r = 0; r < RESOURCES; r++) {
            long amount = demand[RESOURCES * request + r];
            query.weight(r, (double) amount / CAPACITY[r] / CAPACITY[r]);
            query.limit(r, CAPACITY[r] - amount);
        }
        index.search(query);
        liveRequest[i] = request;
        liveServer[i] = query.item();
        if (query.item() != DominanceQuery.NONE) {
            change(query.item(), request, 1);
        }
    }

    private void change(int server, int request, int sign) {
        index.remove(server);
        for (int r = 0; r < RESOURCES; r++) {
            occupied[RESOURCES * server + r] += sign * demand[RESOURCES * request + r];
        }
        index.insert(server, server, occupied, RESOURCES * server);
    }
}
