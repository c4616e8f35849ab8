package dev.stowage.study.size;

import dev.stowage.sim.workload.ForwardingWorkload;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * A workload for one run that has no more requests once somebody has seen enough, so that the run ends; and that says
 * of which type the request is that comes now.
 */
final class StoppableWorkload extends ForwardingWorkload {
    private final BooleanSupplier enough;
    private IntSupplier type = () -> 0;

    StoppableWorkload(Workload whole, BooleanSupplier enough) {
        super(whole);
        this.enough = enough;
    }

    /** Type of the request that comes now. */
    int type() {
        return type.getAsInt();
    }

    @Override
    public RequestStream open(long seed) {
        RequestStream requests = super.open(seed);
        type = requests::type;
        return new Stream(requests) {
            @Override
            public boolean next() {
                return !enough.getAsBoolean() && super.next();
            }
        };
    }
}
