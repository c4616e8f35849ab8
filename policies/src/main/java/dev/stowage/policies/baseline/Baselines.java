package dev.stowage.policies.baseline;

import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.AtStart;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.FirstFit;
import dev.stowage.policies.fit.JobByJob;
import dev.stowage.policies.fit.Score;
import dev.stowage.policies.fit.ServerChoice;
import java.util.function.Function;

/** Makes the policies of this package. */
public final class Baselines {
    private Baselines() {}

    /** First fit. */
    public static Policy firstFit(WhenFull whenFull) {
        return of(whenFull, FirstFit::new);
    }

    /** Best fit. */
    public static Policy bestFit(WhenFull whenFull, Score score) {
        return of(whenFull, view -> BestFit.servers(view, score));
    }

    /** FIFO-FF. */
    public static Policy fifoFirstFit() {
        return new AtStart(1, FifoFirstFit::new);
    }

    private static Policy of(WhenFull whenFull, Function<View, ServerChoice> choice) {
        return switch (whenFull) {
            case REJECT -> new AtStart(0, view -> new LossPolicy(choice.apply(view)));
            case QUEUE -> new AtStart(1, view -> new JobByJob(view, choice.apply(view)));
        };
    }
}
