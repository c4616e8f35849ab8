package dev.stowage.sim.workload;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Efficiency;
import java.util.List;

/** A workload whose requests pay for what they demand: so much per unit of each resource and second of service. */
public final class PricedWorkload implements Workload {
    private final Workload workload;
    private final double[] microsPerUnit;

    /**
     * The same requests, with prices instead of the rewards they had.
     *
     * @param microsPerUnit per resource of the workload, micro-units of reward per unit and hour, at least 0
     */
    public PricedWorkload(Workload workload, double[] microsPerUnit) {
        this.workload = workload;
        this.microsPerUnit = microsPerUnit.clone();
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
        double micros = 0;
        for (int r = 0; r < microsPerUnit.length; r++) {
            micros += microsPerUnit[r] * workload.typeDemand(type, r);
        }
        return StrictMath.round(micros);
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
    public Efficiency efficiency() {
        return workload.efficiency();
    }

    @Override
    public long endNanos() {
        return workload.endNanos();
    }

    @Override
    public boolean isGiven() {
        return workload.isGiven();
    }

    @Override
    public RequestStream open(long seed) {
        return new Priced(workload.open(seed));
    }

    private final class Priced implements RequestStream {
        private final RequestStream stream;

        Priced(RequestStream stream) {
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
            double micros = 0;
            for (int r = 0; r < microsPerUnit.length; r++) {
                micros += microsPerUnit[r] * stream.demand(r);
            }
            return StrictMath.round(micros);
        }
    }
}
