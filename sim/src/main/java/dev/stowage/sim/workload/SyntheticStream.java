package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import org.jspecify.annotations.Nullable;

/** Cursor of a {@link SyntheticWorkload}. */
final class SyntheticStream implements RequestStream {
    private static final long BATCH_SIZES = Streams.of("batch_sizes");

    private final SyntheticWorkload workload;
    private final ArrivalProcess arrivals;
    private final long seed;
    private final KeyedRandom random = new KeyedRandom();
    private final ArrivalClock clock;
    private final @Nullable WeightedChoice[] mixes;
    private final SyntheticType[][] types;
    private final long[] demand;

    private long events;
    private long requests;
    private long leftInBatch;
    private long arrivalNanos;
    private int type;
    private long workNanos;
    private long rewardMicros;

    SyntheticStream(SyntheticWorkload workload, long seed) {
        this.workload = workload;
        this.arrivals = workload.arrivals();
        this.seed = seed;
        int phases = workload.phases().size();
        long[] starts = new long[phases];
        double[] rates = new double[phases];
        mixes = new WeightedChoice[phases];
        types = new SyntheticType[phases][];
        for (int i = 0; i < phases; i++) {
            WorkloadPhase phase = workload.phases().get(i);
            starts[i] = phase.fromNanos();
            rates[i] = phase.ratePerSecond() / arrivals.batchSize().mean();
            types[i] = phase.types().toArray(new SyntheticType[0]);
            mixes[i] = rates[i] > 0 ? mix(phase) : null;
        }
        double[] hourFactors =
                arrivals.hourFactors().stream().mapToDouble(Double::doubleValue).toArray();
        clock = new ArrivalClock(starts, rates, hourFactors);
        demand = new long[workload.resources().size()];
    }

    private static WeightedChoice mix(WorkloadPhase phase) {
        return new WeightedChoice(
                phase.types().stream().mapToDouble(SyntheticType::ratePerSecond).toArray());
    }

    @Override
    public boolean next() {
        if (requests >= workload.maxRequests() || (leftInBatch == 0 && !nextEvent())) {
            return false;
        }
        leftInBatch--;
        drawRequest();
        requests++;
        return true;
    }

    private boolean nextEvent() {
        double gap =
                arrivals.random() ? random.key(seed, Streams.ARRIVALS, events).nextExponential() : 1;
        if (!clock.advance(gap)) {
            return false;
        }
        long at = clock.nanos();
        arrivalNanos = arrivals.slotNanos() == 0 ? at : at - at % arrivals.slotNanos();
        if (arrivalNanos >= workload.untilNanos()) {
            return false;
        }
        leftInBatch = (long) arrivals.batchSize().sample(random.key(seed, BATCH_SIZES, events));
        Parameters.check(leftInBatch >= 1, "size of batch " + events, leftInBatch, "at least 1");
        events++;
        return true;
    }

    private void drawRequest() {
        int phase = clock.phase();
        WeightedChoice mix = mixes[phase];
        if (mix == null) {
            throw new IllegalStateException("an arrival in phase " + phase + ", whose rate is 0");
        }
        type = mix.choose(random.key(seed, Streams.TYPES, requests).nextDouble());
        SyntheticType drawn = types[phase][type];
        drawn.demand().draw(random.key(seed, Streams.DEMANDS, requests), demand);
        double work = drawn.service().sample(random.key(seed, Streams.WORK, requests)) * drawn.serviceUnitNanos();
        workNanos = Math.max(1, Math.round(work));
        rewardMicros = drawn.rewardMicros();
    }

    @Override
    public long arrivalNanos() {
        return arrivalNanos;
    }

    @Override
    public int type() {
        return type;
    }

    @Override
    public long demand(int resource) {
        return demand[resource];
    }

    @Override
    public long workNanos() {
        return workNanos;
    }

    @Override
    public long rewardMicros() {
        return rewardMicros;
    }
}
