package dev.stowage.study.size;

import dev.stowage.sim.workload.ForwardingWorkload;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.function.BooleanSupplier;

/** A workload that has no more requests once somebody has seen enough, so that the run ends. */
final class StoppableWorkload extends ForwardingWorkload {
    private final BooleanSupplier enough;

    StoppableWorkload(Workload whole, BooleanSupplier enough) {
        super(whole);
        this.enough = enough;
    }

    @Override
    public RequestStream open(long seed) {
        return new Stream(super.open(seed)) {
            @Override
            public boolean next() {
                return !enough.getAsBoolean() && super.next();
            }
        };
    }
}
