package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.View;
import dev.stowage.policies.index.OrderedIndex;

/**
 * The rule for VQS and VQS-BF: a server is used inefficiently if its active configuration weighs less than a fraction
 * of the heaviest one. Equal servers with the same configuration are checked together: O(J) for each such group.
 */
final class StallsLightConfigurations extends Stalling {
    private static final long LIMIT = 1L << 32;

    private final double fraction;
    private final VirtualQueues queues;
    private final ServerContents contents;
    /** Open servers that are up and not empty, by their virtual queues and configuration. */
    private final OrderedIndex busy = new OrderedIndex(LIMIT);

    StallsLightConfigurations(double fraction, VirtualQueues queues, ServerContents contents) {
        this.fraction = fraction;
        this.queues = queues;
        this.contents = contents;
    }

    @Override
    void changed(View view, int server) {
        super.changed(view, server);
        if (busy.contains(server)) {
            busy.remove(server);
        }
        if (isOpen(server) && view.status(server) == ServerStatus.UP && view.firstOn(server) != View.NONE) {
            long group = queues.offset(view, server) * (long) (ReducedConfigurations.NUMBERS + 1);
            busy.insert(server, group + contents.active(server) + 1, server);
        }
    }

    /** Recomputes all servers, because J has grown or the servers have changed. */
    void rebuild(View view) {
        for (int server = 0; server < view.servers(); server++) {
            changed(view, server);
        }
    }

    @Override
    int inefficient(View view) {
        int server = busy.leastAtLeast(0);
        while (server != OrderedIndex.NONE) {
            if (isLight(view, server)) {
                busy.remove(server);
                return server;
            }
            server = busy.leastAtLeast(busy.value(server) + 1);
        }
        return View.NONE;
    }

    private boolean isLight(View view, int server) {
        int active = contents.active(server);
        long weight = active == ReducedConfigurations.NONE ? 0 : queues.weight(view, server, active);
        return weight < fraction * queues.weight(view, server, queues.heaviest(view, server));
    }

    @Override
    void restore(StateReader in, View view) {
        super.restore(in, view);
        rebuild(view);
    }
}
