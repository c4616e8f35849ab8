package dev.stowage.study.size;

import dev.stowage.core.model.Efficiency;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A workload that has no more requests once somebody has seen enough, so that the run ends. */
record StoppableWorkload(Workload whole, BooleanSupplier enough) implements Workload {
    @Override
    public List<String> resources() {
        return whole.resources();
    }

    @Override
    public List<String> types() {
        return whole.types();
    }

    @Override
    public long typeDemand(int type, int resource) {
        return whole.typeDemand(type, resource);
    }

    @Override
    public long typeRewardMicros(int type) {
        return whole.typeRewardMicros(type);
    }

    @Override
    public long typeMeanServiceNanos(int type) {
        return whole.typeMeanServiceNanos(type);
    }

    @Override
    public Efficiency efficiency() {
        return whole.efficiency();
    }

    @Override
    public boolean isGiven() {
        return whole.isGiven();
    }

    @Override
    public long endNanos() {
        return whole.endNanos();
    }

    @Override
    public RequestStream open(long seed) {
        RequestStream stream = whole.open(seed);
        return new RequestStream() {
            @Override
            public boolean next() {
                return !enough.getAsBoolean() && stream.next();
            }

            @Override
            public long arrivalNanos() {
                return stream.arrivalNanos();
            }

            @Override
            public int type() {
                return stream.type();
            }

            @Override
            public long demand(int resource) {
                return stream.demand(resource);
            }

            @Override
            public long workNanos() {
                return stream.workNanos();
            }

            @Override
            public long rewardMicros() {
                return stream.rewardMicros();
            }
        };
    }
}
