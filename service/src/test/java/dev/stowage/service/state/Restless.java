package dev.stowage.service.state;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import java.util.Set;

/**
 * First fit; whenever a request leaves, the oldest one that runs is moved to the next server with room ("move",
 * "both"), or is given one more or one less of the divisible resource ("resize", "both").
 */
public final class Restless implements Policy {
    private final boolean moves;
    private final boolean resizes;

    private Restless(String what) {
        moves = !what.equals("resize");
        resizes = !what.equals("move");
    }

    /** All policies, and restless-move, restless-resize, restless-both. */
    public static PolicyFactory factory() {
        PolicyFactory others = new Policies();
        return spec ->
                spec.name().startsWith("restless-") ? new Restless(spec.name().substring(9)) : others.create(spec);
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.SITE_LIMITS);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        int server = next(job, view, -1);
        if (server < 0) {
            actions.reject(job, "no room");
        } else {
            actions.place(job, server, "first with room");
        }
    }

    @Override
    public void left(int job, int from, View view, Actions actions) {
        int oldest = oldest(view);
        if (oldest < 0) {
            return;
        }
        int target = moves ? next(oldest, view, view.server(oldest)) : -1;
        if (target >= 0) {
            actions.migrate(oldest, target, "restless");
        }
        if (resizes) {
            int resource = view.divisibleResource();
            long demand = view.demand(oldest, resource);
            boolean more = view.share(oldest) == demand && view.free(view.server(oldest), resource) > 0;
            actions.allocate(oldest, more ? demand + 1 : demand);
        }
    }

    private static int next(int job, View view, int after) {
        for (int i = 1; i <= view.servers(); i++) {
            int server = (after + i) % view.servers();
            if (server != after && view.status(server) == ServerStatus.UP && view.fits(job, server)) {
                return server;
            }
        }
        return -1;
    }

    private static int oldest(View view) {
        int oldest = -1;
        for (int server = 0; server < view.servers(); server++) {
            for (int job = view.firstOn(server); job >= 0; job = view.next(job)) {
                oldest = oldest < 0 || view.id(job) < view.id(oldest) ? job : oldest;
            }
        }
        return oldest;
    }
}
