package dev.stowage.sim.workload;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Efficiency;
import java.util.List;

/** A workload on top of another one, to which it forwards everything that a subclass does not override. */
public abstract class ForwardingWorkload implements Workload {
    private final Workload workload;

    protected ForwardingWorkload(Workload workload) {
        this.workload = workload;
    }

    @Override
    public List<String> resources() {
        return workload.resources();
    }

    @Override
    public List<String> types() {
        return workload.types();
    }

    @Override
    public long typeDemand(int type, int resource) {
        return workload.typeDemand(type, resource);
    }

    @Override
    public long typeRewardMicros(int type) {
        return workload.typeRewardMicros(type);
    }

    @Override
    public long typeMeanServiceNanos(int type) {
        return workload.typeMeanServiceNanos(type);
    }

    @Override
    public ConstraintWords typeConstraints(int type) {
        return workload.typeConstraints(type);
    }

    @Override
    public RequestTraits typeTraits(int type) {
        return workload.typeTraits(type);
    }

    @Override
    public boolean isConstrained() {
        return workload.isConstrained();
    }

    @Override
    public Efficiency efficiency() {
        return workload.efficiency();
    }

    @Override
    public boolean isGiven() {
        return workload.isGiven();
    }

    @Override
    public String contents() {
        return workload.contents();
    }

    @Override
    public boolean isInventory() {
        return workload.isInventory();
    }

    @Override
    public long startNanos() {
        return workload.startNanos();
    }

    @Override
    public long endNanos() {
        return workload.endNanos();
    }

    @Override
    public RequestStream open(long seed) {
        return workload.open(seed);
    }

    /** Its requests on top of those of the other one. */
    protected abstract static class Stream implements RequestStream {
        private final RequestStream stream;

        protected Stream(RequestStream stream) {
            this.stream = stream;
        }

        @Override
        public boolean next() {
            return stream.next();
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

        @Override
        public long expectedNanos() {
            return stream.expectedNanos();
        }
    }
}
