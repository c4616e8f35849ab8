package dev.stowage.study.size;

import dev.stowage.sim.workload.ForwardingWorkload;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * A workload for one run that can be told to have no more requests, so that the run ends, and that tells the type of
 * the present request.
 */
final class StoppableWorkload extends ForwardingWorkload {
    private final BooleanSupplier enough;
    private IntSupplier type = () -> 0;

    StoppableWorkload(Workload whole, BooleanSupplier enough) {
        super(whole);
        this.enough = enough;
    }

    /** Type of the present request. */
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
