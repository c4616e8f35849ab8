package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * Stalling (section VIII): a server that is used inefficiently while requests wait takes none until it is empty, so
 * that no service times can keep it in a bad configuration for ever. Looked at when a step has ended, for servers that
 * are not empty.
 */
abstract class Stalling {
    private boolean[] stalled = new boolean[16];

    /** Whether a server may take requests. */
    final boolean isOpen(int server) {
        return server >= stalled.length || !stalled[server];
    }

    /** Takes in that what a server holds, or its status, has changed: an empty one is open again. */
    void changed(View view, int server) {
        if (view.firstOn(server) == View.NONE) {
            reopen(server);
        }
    }

    /** Opens a server again, whatever it holds. */
    final void reopen(int server) {
        if (!isOpen(server)) {
            stalled[server] = false;
        }
    }

    /** Stalls one more server that is used inefficiently now; {@link View#NONE} when all others are used well. */
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
