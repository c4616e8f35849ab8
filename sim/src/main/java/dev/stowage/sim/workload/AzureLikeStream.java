package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;

/** Cursor of an {@link AzureLikeWorkload}: a loop over batches, and within a batch over its requests. */
final class AzureLikeStream implements RequestStream {
    private static final long BATCHES = Streams.of("azure_batches");
    private static final double DAY_NANOS = 24.0 * ArrivalClock.HOUR_NANOS;
    private static final double SECONDS_PER_HOUR = 3600;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int HOURS_PER_DAY = 24;
    private static final int MILLI = 1000;

    private final long seed;
    private final long endNanos;
    private final ArrivalClock clock;
    private final KeyedRandom random = new KeyedRandom();

    private long batches;
    private int leftInBatch;
    private int sizeClass;
    private boolean mixed;
    private double batchScore;

    private long requests;
    private int shape;
    private long arrivalNanos;
    private long workNanos;

    AzureLikeStream(AzureLikeWorkload workload, long seed) {
        this.seed = seed;
        endNanos = Math.round(workload.days() * DAY_NANOS);
        clock = new ArrivalClock(
                new long[] {-Math.round(workload.warmDays() * DAY_NANOS)},
                new double[] {workload.scale() / SECONDS_PER_HOUR},
                AzureLikeFigures.batchesPerHour());
    }

    @Override
    public boolean next() {
        do {
            if (leftInBatch == 0 && !nextBatch()) {
                return false;
            }
            drawRequest();
        } while (goneBeforeStart());
        return true;
    }

    /**
     * Whether the current request ends before time 0; otherwise it is moved to time 0 with its remaining service time.
     */
    private boolean goneBeforeStart() {
        if (arrivalNanos < 0) {
            workNanos += arrivalNanos;
            arrivalNanos = 0;
        }
        return workNanos <= 0;
    }

    private boolean nextBatch() {
        double gap = random.key(seed, Streams.ARRIVALS, batches).nextExponential();
        if (!clock.advance(gap) || clock.nanos() >= endNanos) {
            return false;
        }
        random.key(seed, BATCHES, batches++);
        leftInBatch = drawSize();
        sizeClass = AzureLikeFigures.sizeClass(leftInBatch);
        mixed = random.nextDouble() >= AzureLikeFigures.UNIFORM_SHARE[sizeClass];
        shape = drawShape();
        batchScore = Normal.quantile(random.nextDouble());
        return true;
    }

    private int drawSize() {
        long hour = Math.floorDiv(clock.nanos(), ArrivalClock.HOUR_NANOS);
        boolean large = random.nextDouble() < AzureLikeFigures.LARGE_SHARE[Math.floorMod(hour, HOURS_PER_DAY)];
        return large
                ? (int) Math.round(AzureLikeFigures.LARGE_SIZES.sample(random))
                : 1 + AzureLikeFigures.SMALL_SIZES.choose(random.nextDouble());
    }

    private int drawShape() {
        WeightedChoice[] mix = mixed ? AzureLikeFigures.MIXED_MIX : AzureLikeFigures.UNIFORM_MIX;
        int drawn = mix[sizeClass].choose(random.nextDouble());
        return drawn < AzureLikeFigures.RARE ? drawn : drawn + AzureLikeFigures.RARE_SHAPES.choose(random.nextDouble());
    }

    private void drawRequest() {
        random.key(seed, Streams.TYPES, requests);
        if (mixed && random.nextDouble() >= AzureLikeFigures.KEEP_SHAPE[sizeClass]) {
            shape = drawShape();
        }
        double common = AzureLikeFigures.SERVICE_CORRELATION[sizeClass];
        double own = Normal.quantile(random.key(seed, Streams.WORK, requests).nextDouble());
        double score = StrictMath.sqrt(common) * batchScore + StrictMath.sqrt(1 - common) * own;
        arrivalNanos = clock.nanos();
        workNanos = Math.round(AzureLikeDurations.seconds(shape, sizeClass, score) * NANOS_PER_SECOND);
        requests++;
        leftInBatch--;
    }

    @Override
    public long arrivalNanos() {
        return arrivalNanos;
    }

    @Override
    public int type() {
        return shape;
    }

    @Override
    public long demand(int resource) {
        return resource == 0 ? AzureLikeFigures.VCPUS[shape] * (long) MILLI : AzureLikeFigures.MEM_MIB[shape];
    }

    @Override
    public long workNanos() {
        return workNanos;
    }
}
