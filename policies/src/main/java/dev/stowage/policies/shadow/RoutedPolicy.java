package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Typed;
import dev.stowage.policies.learn.ServiceTimes;
import dev.stowage.policies.shadow.WaitingClasses.WaitingClass;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A policy of two layers: a {@link Router} sends every request to a site (or a block of it) at once, and a
 * {@link SitePlacement} puts it on a server there. A request without room waits in the queue of its destination and
 * type, first in, first out; when room appears, the types are served in order of arrival of their first request, unless
 * the placement prefers some. While no server that is up could hold a type, its requests wait in queue 0 and are routed
 * when servers come (the same for constraints and their sites); when the last server of a destination goes, its waiting
 * requests are routed again.
 *
 * <p>Requests with constraints beyond sites wait in classes of their own ({@link WaitingClasses}): they hold up only
 * those with the same constraints. They are routed to destinations with a server that admits them now, and again as
 * soon as there is none any more; while none does anywhere they wait in queue 0, and are routed when servers change or
 * one of a spread group leaves.
 */
final class RoutedPolicy implements Policy {
    private static final int PARKED = WaitingClasses.PARKED;
    private static final String NO_TYPE = "has no type, or its demand is not that of its type";
    private static final String NO_DEMAND =
            "demands so little that a server could hold any number of it (or, with strict fits, demands a whole"
                    + " server)";
    private static final String FULL = "no room where it was routed to";
    private static final String NOWHERE = "no server that is up, at a site it is allowed at, could hold it";
    private static final String EXCLUDED = "no server that is up and that its constraints admit could hold it";

    private final int types;
    private final Blocks blocks;
    private final ServiceTimes times;
    private final Router router;
    private final SitePlacement placement;
    private final WaitingClasses waiting;
    /** Destinations where room appeared in this step, or some constraints admit less than before. */
    private final BitSet touched = new BitSet();

    /** Whether constraints may admit more than before, so that some in queue 0 can be routed. */
    private boolean admitsMore;

    RoutedPolicy(View view, Blocks blocks, ServiceTimes times, Router router, SitePlacement placement) {
        this.types = view.types();
        this.blocks = blocks;
        this.times = times;
        this.router = router;
        this.placement = placement;
        waiting = new WaitingClasses(types);
        for (int queue = 0; queue < view.queues(); queue++) {
            int place = queue == PARKED ? PARKED : WaitingClasses.place((queue - 1) / types);
            for (int job = view.queueHead(queue); job != View.NONE; job = view.next(job)) {
                waiting.add(view, job, place);
            }
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
        if (isBehind(job, view) || !routed(job, view, actions)) {
            actions.enqueue(job, PARKED, WaitingClasses.constraint(view, job) == 0 ? NOWHERE : EXCLUDED);
            waiting.add(view, job, PARKED);
        }
    }

    /** Whether those who wait for the same constraints to admit a server were there first. */
    private boolean isBehind(int job, View view) {
        int constraint = WaitingClasses.constraint(view, job);
        return constraint != 0 && !waiting.waitsAt(job, PARKED) && !waiting.isEmpty(PARKED, view.type(job), constraint);
    }

    /** Whether there is a destination for the request, which is then placed or waits there. */
    private boolean routed(int job, View view, Actions actions) {
        int type = view.type(job);
        int destination = router.route(type, view.constraint(job), view);
        if (destination == View.NONE) {
            return false;
        }
        int place = WaitingClasses.place(destination);
        if (!waiting.isEmpty(place, type, WaitingClasses.constraint(view, job))
                || !place(job, destination, view, actions)) {
            actions.enqueue(job, queue(destination, type), FULL);
            waiting.add(view, job, place);
        }
        return true;
    }

    private boolean place(int job, int destination, View view, Actions actions) {
        boolean waited = view.queue(job) != View.NONE;
        if (!placement.place(job, destination, view, actions)) {
            return false;
        }
        if (waited) {
            waiting.remove(job);
        }
        times.started(view, job);
        if (waiting.constrained() > 0 && isSpread(job, view)) {
            touchConstrained();
        }
        return true;
    }

    private static boolean isSpread(int job, View view) {
        int constraint = view.constraint(job);
        return constraint != 0 && !view.constraints(constraint).spread().isEmpty();
    }

    private void touchConstrained() {
        for (int place = WaitingClasses.place(0); place < waiting.places(); place++) {
            if (waiting.hasConstrained(place)) {
                touched.set(place - WaitingClasses.place(0));
            }
        }
    }

    /** Constraints may admit servers that they did not admit. */
    private void admitMore() {
        if (waiting.constrained() > 0) {
            admitsMore = true;
            touchConstrained();
        }
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server == View.NONE) {
            waiting.remove(job);
            return;
        }
        if (view.type(job) != View.NONE) {
            times.ended(view, job);
        }
        placement.left(job, server, view, actions);
        roomAppeared(server, view);
        if (isSpread(job, view)) {
            admitMore();
        }
    }

    private void roomAppeared(int server, View view) {
        if (waiting.size() == 0) {
            return;
        }
        touched.set(router.destination(blocks.of(view, server)));
        for (int number = 0; number < blocks.size() && view.pooledResources() > 0; number++) {
            if (blocks.get(number).site == view.site(server)) {
                touched.set(router.destination(blocks.get(number)));
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
        admitMore();
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
        if (admitsMore) {
            admitsMore = false;
            serve(PARKED, view, actions);
        }
        while (waiting.size() > 0 && !touched.isEmpty()) {
            for (int next = touched.nextSetBit(0); next >= 0; next = touched.nextSetBit(next + 1)) {
                touched.clear(next);
                serve(WaitingClasses.place(next), view, actions);
            }
        }
        touched.clear();
    }

    private void serve(int place, View view, Actions actions) {
        for (WaitingClass one : waiting.at(place)) {
            one.stuck = place == PARKED && one.constraint == 0;
        }
        for (WaitingClass next = first(place, view); next != null; next = first(place, view)) {
            next.stuck = !served(next, place, view, actions);
        }
    }

    /** Whether the first request of a class is placed, or all of them are routed elsewhere. */
    private boolean served(WaitingClass its, int place, View view, Actions actions) {
        if (place == PARKED) {
            return routed(its.head(), view, actions);
        }
        int destination = place - WaitingClasses.place(0);
        if (place(its.head(), destination, view, actions)) {
            return true;
        }
        if (its.constraint == 0 || router.isOpen(destination, its.type, its.constraint, view)) {
            return false;
        }
        while (its.head() != View.NONE) {
            route(its.head(), view, actions);
        }
        return true;
    }

    /**
     * The class that the placement prefers, of several the one whose first request arrived first, among those not
     * stuck.
     */
    private @Nullable WaitingClass first(int place, View view) {
        WaitingClass first = null;
        for (WaitingClass one : waiting.at(place)) {
            if (!one.stuck && (first == null || goesBefore(one, first, place, view))) {
                first = one;
            }
        }
        return first;
    }

    private boolean goesBefore(WaitingClass one, WaitingClass other, int place, View view) {
        int preferred = place == PARKED
                ? 0
                : placement.compareWaiting(one.type, other.type, place - WaitingClasses.place(0), view);
        return preferred < 0 || (preferred == 0 && view.order(one.head()) < view.order(other.head()));
    }

    @Override
    public void save(StateWriter out) {
        blocks.save(out);
        times.save(out);
        router.save(out);
        placement.save(out);
        int[] destinations = touched.stream().toArray();
        out.putInts(destinations, destinations.length);
        if (admitsMore) {
            out.putBoolean(true);
        }
    }

    @Override
    public void restore(StateReader in, View view) {
        blocks.restore(in);
        times.restore(in);
        router.restore(in, view);
        placement.restore(in, view);
        for (int destination : in.getInts()) {
            touched.set(destination);
        }
        admitsMore = !in.atEnd() && in.getBoolean();
    }
}
