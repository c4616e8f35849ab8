package dev.stowage.study.fgd;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;

/**
 * One run: the engine places each arrival under a policy, or rejects it.
 *
 * @param points {@link AllocationCurve#points()}
 * @param lost how many requests found no room: by number of whole GPUs, at 0 those without GPUs, at 9 parts
 * @param servers where each arrival went, -1 for the lost
 */
record GpuRun(double[] points, int[] lost, int[] servers) {
    /** Where {@link #lost} counts parts. */
    static final int PARTS = GpuLists.MOST_GPUS + 1;

    /** The per cent of GPUs allocated in the end. */
    double allocated() {
        return points[points.length - 1];
    }

    /** Runs a policy, which was not used before. */
    static GpuRun of(GpuSequence sequence, Policy policy) {
        Engine engine = Engine.start(
                sequence.cluster(), PolicySpec.of("run"), spec -> policy, Steps.COMMANDS, 1, 0, Effects.NONE);
        AllocationCurve curve = new AllocationCurve((double) sequence.capacityMilli() / GpuLists.WHOLE);
        int[] lost = new int[PARTS + 1];
        int[] placed = new int[sequence.arrivals().size()];
        long asked = 0;
        long allocated = 0;
        for (int i = 0; i < placed.length; i++) {
            NewRequest request = sequence.arrivals().get(i);
            long milli = GpuLists.milli(request);
            engine.arrive(i, request);
            int job = engine.find(request.id());
            placed[i] = job < 0 ? -1 : engine.view().server(job);
            if (job < 0) {
                boolean part = milli > 0 && milli < GpuLists.WHOLE;
                lost[part ? PARTS : (int) (milli / GpuLists.WHOLE)]++;
            }
            asked += milli;
            allocated += job < 0 ? 0 : milli;
            curve.add(asked, allocated);
        }
        return new GpuRun(curve.points(), lost, placed);
    }
}
