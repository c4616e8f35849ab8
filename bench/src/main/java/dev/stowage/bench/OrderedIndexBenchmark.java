package dev.stowage.bench;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.policies.index.OrderedIndex;
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
 * Best fit in one resource without an engine: one operation is a departure of a request drawn at random, the choice of
 * a server for the next request by its memory, and its arrival there, at the bench's load.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class OrderedIndexBenchmark {
    private static final int REQUESTS = 1 << 20;

    @Param({"1000", "10000", "100000"})
    int servers;

    private final KeyedRandom random = new KeyedRandom();
    private OrderedIndex index = new OrderedIndex(BenchWorkload.SERVER_MEM_MIB);
    private int[] memMib = {};
    private int[] free = {};
    private int[] liveRequest = {};
    private int[] liveServer = {};
    private int next;

    /** Fills the servers to the mean number in service. */
    @Setup
    public void fill() {
        random.key(1, Streams.DEMANDS, 0);
        index = new OrderedIndex(BenchWorkload.SERVER_MEM_MIB);
        memMib = BenchWorkload.generate(servers, REQUESTS, 1).memMib();
        free = new int[servers];
        for (int server = 0; server < servers; server++) {
            free[server] = BenchWorkload.SERVER_MEM_MIB;
            index.insert(server, free[server], server);
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
        if (liveServer[i] != OrderedIndex.NONE) {
            change(liveServer[i], memMib[liveRequest[i]]);
        }
        arrive(i);
        return liveServer[i];
    }

    private void arrive(int i) {
        int request = next++ & (REQUESTS - 1);
        liveRequest[i] = request;
        liveServer[i] = index.leastAtLeast(memMib[request]);
        if (liveServer[i] != OrderedIndex.NONE) {
            change(liveServer[i], -memMib[request]);
        }
    }

    private void change(int server, int more) {
        index.remove(server);
        free[server] += more;
        index.insert(server, free[server], server);
    }
}
