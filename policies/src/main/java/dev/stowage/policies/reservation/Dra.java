package dev.stowage.policies.reservation;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Typed;
import dev.stowage.policies.fit.Undecided;
import java.util.List;
import java.util.function.Function;

/**
 * The Dynamic Reservation Algorithm DRA (Psychas and Ghaderi 2020, Algorithm 2): a request goes to an empty slot of its
 * type in the Accept Group, or is rejected; a departure from the Accept Group pulls one job of its type out of the
 * Reject Group; then GPA and CRA keep about g(L) slots of each type empty if that pays.
 *
 * <p>Servers of several classes: each class has configurations, ranks and groups of its own, and GPA serves the classes
 * in the order of their numbers, each with the workload that those before it had no room for. Accepting goes by rank,
 * then by class; a job moves only within its site.
 *
 * <p>An arrival or departure costs O(classes (J^2 + J log L)), see {@link Groups}; only the logarithm depends on the
 * number of servers. Memory O(J L).
 */
final class Dra implements Policy {
    private static final String EMPTYING = "empties a server of the reject group";
    private static final String NOT_OF_A_TYPE = "demand is not that of a known type";

    private final DraOptions options;
    private final Fleet fleet;
    private final PresentWorkload reference;
    private final SlotGauges gauges;
    private final Undecided undecided = new Undecided();
    /** Y: requests per type that run. */
    private final long[] present;

    private final long[] left;
    private long slack;
    /** Whether servers changed since the last update. */
    private boolean outdated;

    Dra(View view, DraOptions options) {
        this(
                view,
                options,
                present -> options.memory() > 0
                        ? new EstimatedWorkload(view, options.memory(), present)
                        : new PresentWorkload(present));
    }

    /**
     * With a reference of its own.
     *
     * @param reference made for the requests present per type, which this policy counts
     */
    Dra(View view, DraOptions options, Function<long[], PresentWorkload> reference) {
        this.options = options;
        fleet = new Fleet(view);
        present = new long[view.types()];
        left = new long[view.types()];
        this.reference = reference.apply(present);
        gauges = new SlotGauges(options.interpretation(), view);
    }

    @Override
    public void started(View view, Actions actions) {
        for (int server = 0; server < view.servers(); server++) {
            fleet.offer(view, server);
        }
        TypedJobs.countRunning(view, present);
        slack = options.slack().applyAsLong(fleet.size());
        update(view, actions);
        if (options.periodNanos() > 0) {
            actions.timer(view.now() + options.periodNanos(), 0);
        }
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        if (Typed.isOfItsType(view, job)) {
            reference.arrived(view.type(job), view);
        }
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        if (Typed.isOfItsType(view, job)) {
            present[view.type(job)]--;
            reference.displaced(job);
        }
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server == View.NONE) {
            return;
        }
        if (Typed.isOfItsType(view, job)) {
            present[view.type(job)]--;
            reference.ended(job, view);
        }
        if (fleet.takesPart(view, server)) {
            int type = view.type(job);
            groups(view, server).fill(fleet.within(server), type, -1);
            refill(server, type, view, actions);
        } else if (fleet.offer(view, server)) {
            outdated = true;
        }
        updateAtEvent(view, actions);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        fleet.growTo(view);
        fleet.withdraw(view, server);
        fleet.offer(view, server);
        outdated = true;
    }

    @Override
    public void timer(long tag, View view, Actions actions) {
        update(view, actions);
        actions.timer(view.now() + options.periodNanos(), 0);
    }

    @Override
    public void round(View view, Actions actions) {
        if (outdated) {
            update(view, actions);
        }
        undecided.collect(view);
        for (int k = 0; k < undecided.size(); k++) {
            decide(undecided.get(k), view, actions);
        }
    }

    private void decide(int job, View view, Actions actions) {
        if (!Typed.isOfItsType(view, job)) {
            actions.reject(job, NOT_OF_A_TYPE);
            return;
        }
        int type = view.type(job);
        int server = accept(type, view);
        if (server == View.NONE) {
            actions.reject(job, options.interpretation().rejected);
            return;
        }
        actions.place(job, server, options.interpretation().placed);
        groups(view, server).fill(fleet.within(server), type, 1);
        present[type]++;
        reference.started(job, view);
        updateAtEvent(view, actions);
    }

    /** AG_j: lowest rank, then lowest class, then largest index. */
    private int accept(int type, View view) {
        List<Groups> classes = fleet.classes();
        for (int iteration = 0; iteration < view.types(); iteration++) {
            for (int c = 0; c < classes.size(); c++) {
                int number = classes.get(c).accept(iteration, type);
                if (number != Groups.NONE && Typed.poolsHaveRoom(view, type, view.classSite(c))) {
                    return fleet.server(c, number);
                }
            }
        }
        for (int c = 0; c < classes.size(); c++) {
            int number = classes.get(c).acceptUnranked(type);
            if (number != Groups.NONE && Typed.poolsHaveRoom(view, type, view.classSite(c))) {
                return fleet.server(c, number);
            }
        }
        return View.NONE;
    }

    /** Moves a job of RG_j into the slot that emptied. */
    private void refill(int server, int type, View view, Actions actions) {
        if (groups(view, server).inRejectGroup(fleet.within(server))) {
            return;
        }
        int from = reject(type, view.site(server), view);
        if (from == View.NONE) {
            return;
        }
        int job = view.firstOn(from);
        while (view.type(job) != type) {
            job = view.next(job);
        }
        actions.migrate(job, server, EMPTYING);
        groups(view, from).fill(fleet.within(from), type, -1);
        groups(view, server).fill(fleet.within(server), type, 1);
    }

    /** RG_j in a site: highest rank, then lowest server. */
    private int reject(int type, int site, View view) {
        int best = View.NONE;
        int bestRank = 0;
        for (int c = 0; c < fleet.classes().size(); c++) {
            int number = view.classSite(c) == site ? fleet.classes().get(c).reject(type) : Groups.NONE;
            if (number == Groups.NONE) {
                continue;
            }
            int rank = fleet.classes().get(c).rank(number);
            int server = fleet.server(c, number);
            if (best == View.NONE || rank > bestRank || (rank == bestRank && server < best)) {
                best = server;
                bestRank = rank;
            }
        }
        return best;
    }

    private Groups groups(View view, int server) {
        return fleet.classes().get(view.capacityClass(server));
    }

    private void updateAtEvent(View view, Actions actions) {
        if (options.periodNanos() == 0 || outdated) {
            update(view, actions);
        } else {
            gauges.tell(fleet.classes(), actions);
        }
    }

    /** CRA with the workload reference and g(L). */
    private void update(View view, Actions actions) {
        if (outdated) {
            slack = options.slack().applyAsLong(fleet.size());
            outdated = false;
        }
        for (int type = 0; type < left.length; type++) {
            left[type] = reference.of(type, view) + slack;
        }
        for (int c = 0; c < fleet.classes().size(); c++) {
            fleet.classes().get(c).update(left);
        }
        gauges.tell(fleet.classes(), actions);
    }

    /** It decides nothing from now on. */
    void end(Actions actions) {
        gauges.end(actions);
    }

    @Override
    public void save(StateWriter out) {
        fleet.save(out);
        reference.save(out);
        out.putBoolean(outdated);
        out.putLong(slack);
    }

    @Override
    public void restore(StateReader in, View view) {
        fleet.restore(in, view);
        TypedJobs.countRunning(view, present);
        reference.restore(in);
        outdated = in.getBoolean();
        slack = in.getLong();
    }
}
