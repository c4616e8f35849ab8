package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.NumberSet;

/**
 * The rule for BF-J/S: a server is used inefficiently if less than a fraction of it, one half in the paper, is
 * occupied; with several resources, if this holds for each of them. A server is checked once per change.
 */
final class StallsLooselyFilled extends Stalling {
    private final double fraction;
    private final NumberSet changed = new NumberSet();

    StallsLooselyFilled(double fraction) {
        this.fraction = fraction;
    }

    @Override
    void changed(View view, int server) {
        super.changed(view, server);
        changed.add(server);
    }

    @Override
    int inefficient(View view) {
        while (changed.size() > 0) {
            int server = changed.removeLast();
            if (isOpen(server)
                    && view.status(server) == ServerStatus.UP
                    && view.firstOn(server) != View.NONE
                    && isLoose(view, server)) {
                return server;
            }
        }
        return View.NONE;
    }

    private boolean isLoose(View view, int server) {
        for (int r = 0; r < view.resources(); r++) {
            long capacity = view.capacity(server, r);
            if (capacity > 0 && capacity - view.free(server, r) >= fraction * capacity) {
                return false;
            }
        }
        return true;
    }

    @Override
    void save(StateWriter out) {
        super.save(out);
        changed.save(out);
    }

    @Override
    void restore(StateReader in, View view) {
        super.restore(in, view);
        changed.restore(in);
    }
}
