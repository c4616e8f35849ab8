package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * Stalling (section VIII): a server that is used inefficiently while requests wait takes no more requests until it is
 * empty, so that it cannot stay in a bad configuration for ever, whatever the service times. Checked at the end of a
 * step, for servers that are not empty.
 */
abstract class Stalling {
    private boolean[] stalled = new boolean[16];

    /** Whether a server may take requests. */
    final boolean isOpen(int server) {
        return server >= stalled.length || !stalled[server];
    }

    /** Updates a server whose content or status changed: an empty one is open again. */
    void changed(View view, int server) {
        if (view.firstOn(server) == View.NONE) {
            reopen(server);
        }
    }

    /** Opens a server again, whether empty or not. */
    final void reopen(int server) {
        if (!isOpen(server)) {
            stalled[server] = false;
        }
    }

    /** Stalls one more server that is used inefficiently now; {@link View#NONE} if there is none. */
    final int stallNext(View view) {
        int server = inefficient(view);
        if (server != View.NONE) {
            if (server >= stalled.length) {
                stalled = Arrays.copyOf(stalled, Math.max(server + 1, 2 * stalled.length));
            }
            stalled[server] = true;
        }
        return server;
    }

    /** The next open server that is used inefficiently, which is stalled then; or {@link View#NONE}. */
    abstract int inefficient(View view);

    void save(StateWriter out) {
        int[] numbers = new int[stalled.length];
        int size = 0;
        for (int server = 0; server < stalled.length; server++) {
            if (stalled[server]) {
                numbers[size++] = server;
            }
        }
        out.putInts(numbers, size);
    }

    void restore(StateReader in, View view) {
        stalled = new boolean[Math.max(16, view.servers())];
        for (int server : in.getInts()) {
            stalled[server] = true;
        }
    }
}
