package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.NumberSet;
import dev.stowage.policies.fit.Typed;
import dev.stowage.policies.learn.ServiceTimes;
import java.util.Arrays;

/**
 * A policy of two layers: a {@link Router} sends every request to a site (or a block of it) at once, and a
 * {@link SitePlacement} puts it on a server there. A request without room waits in the queue of its destination and
 * type, first in, first out; when room appears, the types are served in order of arrival of their first request, unless
 * the placement prefers some. While no server that is up could hold a type, its requests wait in queue 0 and are routed
 * when servers come (the same for constraints and their sites); when the last server of a destination goes, its waiting
 * requests are routed again.
 */
final class RoutedPolicy implements Policy {
    private static final int PARKED = 0;
    private static final String NO_TYPE = "has no type, or demands other than its type does";
    private static final String NO_DEMAND =
            "demands so little that no server bounds its number (or, where fits are strict, a whole server)";
    private static final String FULL = "no room where it was routed to";
    private static final String NOWHERE = "no server that is up, at a site it is allowed at, could hold it";

    private final int types;
    private final Blocks blocks;
    private final ServiceTimes times;
    private final Router router;
    private final SitePlacement placement;
    /** Destinations where room appeared in this step. */
    private final NumberSet touched = new NumberSet();

    private final boolean[] stuck;
    private int waiting;

    RoutedPolicy(View view, Blocks blocks, ServiceTimes times, Router router, SitePlacement placement) {
        this.types = view.types();
        this.blocks = blocks;
        this.times = times;
        this.router = router;
        this.placement = placement;
        stuck = new boolean[types];
        for (int queue = 0; queue < view.queues(); queue++) {
            waiting += view.queueLength(queue);
        }
    }

    /** Number of queues for so many destinations. */
    static int queueCount(View view, int destinations) {
        return 1 + destinations * view.types();
    }

    private int queue(int destination, int type) {
        return 1 + destination * types + type;
    }

    @Override
    public void started(View view, Actions actions) {
        placement.adopt(view, actions);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        if (!Typed.isOfItsType(view, job)) {
            actions.reject(job, NO_TYPE);
        } else if (blocks.isTooSmall(view, view.type(job))) {
            actions.reject(job, NO_DEMAND);
        } else {
            route(job, view, actions);
        }
    }

    /** Routes a request that is pending, or that waits and must be routed again. */
    private void route(int job, View view, Actions actions) {
        int type = view.type(job);
        int destination = router.route(type, view.constraint(job), view);
        if (destination == View.NONE) {
            enqueue(job, PARKED, NOWHERE, view, actions);
        } else if (view.queueLength(queue(destination, type)) > 0 || !place(job, destination, view, actions)) {
            enqueue(job, queue(destination, type), FULL, view, actions);
        }
    }

    private void enqueue(int job, int queue, String reason, View view, Actions actions) {
        waiting += view.queue(job) == View.NONE ? 1 : 0;
        actions.enqueue(job, queue, reason);
    }

    private boolean place(int job, int destination, View view, Actions actions) {
        boolean waited = view.queue(job) != View.NONE;
        if (!placement.place(job, destination, view, actions)) {
            return false;
        }
        waiting -= waited ? 1 : 0;
        times.started(view, job);
        return true;
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server == View.NONE) {
            waiting--;
            return;
        }
        if (view.type(job) != View.NONE) {
            times.ended(view, job);
        }
        placement.left(job, server, view, actions);
        roomAppeared(server, view);
    }

    private void roomAppeared(int server, View view) {
        if (waiting == 0) {
            return;
        }
        touched.add(router.destination(blocks.of(view, server)));
        for (int number = 0; number < blocks.size() && view.pooledResources() > 0; number++) {
            if (blocks.get(number).site == view.site(server)) {
                touched.add(router.destination(blocks.get(number)));
            }
        }
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        times.displaced(job);
        placement.displaced(job, server, view, actions);
        arrived(job, view, actions);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        blocks.grow(view);
        blocks.statusSeen(view, server);
        placement.serverChanged(server, view, actions);
        router.blocksChanged(view);
        roomAppeared(server, view);
        int destination = router.destination(blocks.of(view, server));
        if (isOpen(destination)) {
            routeAll(PARKED, view, actions);
        } else {
            for (int type = 0; type < types; type++) {
                routeAll(queue(destination, type), view, actions);
            }
        }
    }

    private boolean isOpen(int destination) {
        for (int number = 0; number < blocks.size(); number++) {
            if (blocks.get(number).up > 0 && router.destination(blocks.get(number)) == destination) {
                return true;
            }
        }
        return false;
    }

    private void routeAll(int queue, View view, Actions actions) {
        for (int left = view.queueLength(queue); left > 0; left--) {
            route(view.queueHead(queue), view, actions);
        }
    }

    @Override
    public void round(View view, Actions actions) {
        if (waiting > 0 && touched.size() > 0) {
            touched.sort();
            for (int k = 0; k < touched.size(); k++) {
                serve(touched.get(k), view, actions);
            }
        }
        touched.clear();
    }

    private void serve(int destination, View view, Actions actions) {
        Arrays.fill(stuck, false);
        for (int type = first(destination, view); type != View.NONE; type = first(destination, view)) {
            stuck[type] = !place(view.queueHead(queue(destination, type)), destination, view, actions);
        }
    }

    /**
     * The type that the placement prefers, of several the one whose first waiting request arrived first, among those
     * not stuck.
     */
    private int first(int destination, View view) {
        int first = View.NONE;
        for (int type = 0; type < types; type++) {
            int head = stuck[type] ? View.NONE : view.queueHead(queue(destination, type));
            if (head != View.NONE && (first == View.NONE || goesBefore(type, first, destination, view))) {
                first = type;
            }
        }
        return first;
    }

    private boolean goesBefore(int type, int other, int destination, View view) {
        int preferred = placement.compareWaiting(type, other, destination, view);
        return preferred < 0
                || (preferred == 0
                        && view.order(view.queueHead(queue(destination, type)))
                                < view.order(view.queueHead(queue(destination, other))));
    }

    @Override
    public void save(StateWriter out) {
        blocks.save(out);
        times.save(out);
        router.save(out);
        placement.save(out);
        touched.save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        blocks.restore(in);
        times.restore(in);
        router.restore(in, view);
        placement.restore(in, view);
        touched.restore(in);
    }
}
