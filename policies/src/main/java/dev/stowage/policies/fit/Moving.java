package dev.stowage.policies.fit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.View;

/** Moves a request off a draining server, to the server where it would be placed now. */
public final class Moving {
    private static final String REASON = "moved off a server that was drained";

    private Moving() {}

    /** The server that it was moved to, or {@link View#NONE} if none has room. */
    public static int off(View view, Actions actions, int job, ServerChoice servers) {
        actions.assumeLeft(job);
        int target = servers.choose(view, job);
        actions.assumeNothing(job);
        if (target != View.NONE) {
            actions.migrate(job, target, REASON);
        }
        return target;
    }
}
