package dev.stowage.sim.workload;

import java.util.function.IntToLongFunction;

/** A workload whose requests pay a price per unit of each demanded resource and time of service. */
public final class PricedWorkload extends ForwardingWorkload {
    private final double[] microsPerUnit;

    /**
     * The same requests, with prices instead of the rewards they had.
     *
     * @param microsPerUnit per resource of the workload, micro-units of reward per unit and hour, at least 0
     */
    public PricedWorkload(Workload workload, double[] microsPerUnit) {
        super(workload);
        this.microsPerUnit = microsPerUnit.clone();
    }

    @Override
    public long typeRewardMicros(int type) {
        return price(resource -> typeDemand(type, resource));
    }

    @Override
    public RequestStream open(long seed) {
        return new Stream(super.open(seed)) {
            @Override
            public long rewardMicros() {
                return price(this::demand);
            }
        };
    }

    private long price(IntToLongFunction demand) {
        double micros = 0;
        for (int r = 0; r < microsPerUnit.length; r++) {
            micros += microsPerUnit[r] * demand.applyAsLong(r);
        }
        return StrictMath.round(micros);
    }
}
