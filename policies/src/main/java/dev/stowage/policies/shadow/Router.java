package dev.stowage.policies.shadow;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;

/** The routing layer: where a request goes. */
interface Router {
    /**
     * The destination of a request of a type that has just arrived, at a site that its limit allows and, if its
     * constraints say more than sites, with a server that they admit now; or {@link View#NONE} while no server that is
     * up there could hold it.
     */
    int route(int type, int constraint, View view);

    /** Whether a request with constraints beyond sites could be routed to a destination now. */
    default boolean isOpen(int destination, int type, int constraint, View view) {
        throw new IllegalStateException(
                "asked about constraints " + constraint + "; this router knows only their sites");
    }

    /** The destination that a block belongs to: itself, or its site. */
    int destination(Block block);

    /** Updates blocks, sites and numbers of servers that have changed. */
    void blocksChanged(View view);

    void save(StateWriter out);

    void restore(StateReader in, View view);
}
