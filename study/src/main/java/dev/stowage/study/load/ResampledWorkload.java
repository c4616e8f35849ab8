package dev.stowage.study.load;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.workload.ForwardingWorkload;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.Arrays;

/**
 * Given requests as one sample of many that could have come: the same number of blocks of equal length, each drawn at
 * random from all of them, with its requests moved to the new time. H. R. Künsch, The jackknife and the bootstrap for
 * general stationary observations, Annals of Statistics 17, 1989, with blocks that do not overlap. It assumes that
 * blocks are alike and independent of one another; within a block nothing changes.
 */
public final class ResampledWorkload extends ForwardingWorkload {
    private static final long DRAWS = Streams.of("resampled-blocks");

    /** A week ends with its last request, a little before its seventh day: a twentieth of a block may be missing. */
    private static final int NEARLY = 20;

    private final GivenRequests columns;
    private final long block;
    private final int blocks;
    /** Index of the first request of each block; the last element is the number of requests. */
    private final int[] first;

    /**
     * Resamples given requests; those after the last block that is whole, or nearly so, are left out.
     *
     * @param block length of a block, nanoseconds
     * @throws IllegalArgumentException if the requests span less than two whole blocks
     */
    public ResampledWorkload(Workload whole, long block) {
        super(whole);
        this.block = block;
        columns = GivenRequests.of(whole);
        long last = columns.size == 0 ? 0 : columns.arrival[columns.size - 1];
        blocks = Math.toIntExact(Math.min(1_000_000, (last + block / NEARLY) / block));
        if (blocks < 2) {
            throw new IllegalArgumentException(
                    "the requests span " + hours(last) + ", less than two blocks of " + hours(block) + " to draw from");
        }
        first = new int[blocks + 1];
        int next = 0;
        for (int b = 0; b <= blocks; b++) {
            while (next < columns.size && columns.arrival[next] < b * block) {
                next++;
            }
            first[b] = next;
        }
    }

    /**
     * An experiment with its given requests as one sample of many: replications draw blocks of them at random.
     *
     * @param blockNanos length of a block; 0 for a day if the requests span four days or more, else an eighth of their
     *     time span
     * @throws IllegalArgumentException if requests are not given, or span less than two blocks
     */
    public static Experiment of(Experiment point, int replications, long blockNanos) {
        if (!point.workload().isGiven()) {
            throw new IllegalArgumentException("requests are drawn already: replications do what resampling does");
        }
        long last = Math.min(point.workload().endNanos(), point.end().atNanos());
        long day = 86_400_000_000_000L;
        long block = blockNanos > 0 ? blockNanos : last >= 4 * day ? day : Math.max(1, last / 8);
        return point.with(new ResampledWorkload(point.workload(), block), replications);
    }

    private static String hours(long nanos) {
        return Math.round(nanos / 36e9) / 100.0 + " h";
    }

    @Override
    public boolean isGiven() {
        return false;
    }

    @Override
    public long startNanos() {
        return NO_DATE;
    }

    @Override
    public long endNanos() {
        return blocks * block;
    }

    @Override
    public RequestStream open(long seed) {
        return new Drawn(seed);
    }

    /** The requests of a stream, copied. */
    private static final class GivenRequests {
        private final int resources;
        private int size;
        private long[] arrival = new long[1024];
        private int[] type = new int[1024];
        private long[] work = new long[1024];
        private long[] reward = new long[1024];
        private long[] expected = new long[1024];
        private long[] demand;

        private GivenRequests(int resources) {
            this.resources = resources;
            demand = new long[1024 * resources];
        }

        static GivenRequests of(Workload whole) {
            GivenRequests columns = new GivenRequests(whole.resources().size());
            RequestStream stream = whole.open(0);
            while (stream.next()) {
                columns.add(stream);
            }
            return columns;
        }

        private void add(RequestStream request) {
            if (size == arrival.length) {
                arrival = Arrays.copyOf(arrival, 2 * size);
                type = Arrays.copyOf(type, 2 * size);
                work = Arrays.copyOf(work, 2 * size);
                reward = Arrays.copyOf(reward, 2 * size);
                expected = Arrays.copyOf(expected, 2 * size);
                demand = Arrays.copyOf(demand, 2 * size * resources);
            }
            arrival[size] = request.arrivalNanos();
            type[size] = request.type();
            work[size] = request.workNanos();
            reward[size] = request.rewardMicros();
            expected[size] = request.expectedNanos();
            for (int r = 0; r < resources; r++) {
                demand[size * resources + r] = request.demand(r);
            }
            size++;
        }
    }

    private final class Drawn implements RequestStream {
        private final KeyedRandom random = new KeyedRandom();
        private final long seed;
        private int place = -1;
        private int request;
        private int behind;
        private long moved;

        Drawn(long seed) {
            this.seed = seed;
        }

        @Override
        public boolean next() {
            request++;
            while (place < 0 || request >= behind) {
                place++;
                if (place >= blocks) {
                    return false;
                }
                int from = random.key(seed, DRAWS, place).nextInt(blocks);
                request = first[from];
                behind = first[from + 1];
                moved = (place - from) * block;
            }
            return true;
        }

        @Override
        public long arrivalNanos() {
            return columns.arrival[request] + moved;
        }

        @Override
        public int type() {
            return columns.type[request];
        }

        @Override
        public long demand(int resource) {
            return columns.demand[request * columns.resources + resource];
        }

        @Override
        public long workNanos() {
            return columns.work[request];
        }

        @Override
        public long rewardMicros() {
            return columns.reward[request];
        }

        @Override
        public long expectedNanos() {
            return columns.expected[request];
        }
    }
}
