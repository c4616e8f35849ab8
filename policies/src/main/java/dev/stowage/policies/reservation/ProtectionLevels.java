package dev.stowage.policies.reservation;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.Score;
import dev.stowage.policies.fit.ServerChoice;
import dev.stowage.policies.fit.Typed;
import dev.stowage.policies.fit.Undecided;

/**
 * Best fit that keeps room for types that pay more only as far as they are likely to need it (a heuristic).
 *
 * <p><em>Admission.</em> The rule of K. Littlewood (1972) for two fares and one flight, applied to each pair of types:
 * best fit by {@link Score#LEFTOVER} names a server. If a request there takes a part x of the room for types j that pay
 * u_j, these lose at most u_j x P_j, where P_j = P(N_j >= Y_j + s_j) is the probability that the last free slot is
 * needed: N_j is Poisson with the offered load of the type ({@link EstimatedWorkload}, never less than the requests
 * present, Y_j), and s_j is how many more the servers have room for ({@link ReadySlots}). It is rejected if some type
 * would lose more than it pays. So with much room free everything is accepted, whatever it pays, and where a type's
 * load is not yet known nothing is kept for it beyond chance. Types of the same reward per demand never exclude each
 * other; what is kept for one falls relative to its load as the cluster grows, as its standard deviation does.
 *
 * <p><em>Room for large types.</em> Small requests do not leave together. When a request of a type finds no room, or
 * was placed, and P_j with the servers that are being cleared counted as slots is still at least {@link #CLEAR}, a
 * server is cleared ({@link Clearing}). At most one request moves for each departure, as under {@link Dra}.
 *
 * <p>No bound is known. Of two types that are both worth more than a third, both are protected in full from it but
 * neither against the other, and a type that the best plan would serve only in part is protected as if it were to be
 * served whole: in overload it earns a point of the greatest reward less than {@link Dra} on 1,000 servers and four
 * points less on 10,000, where that one's theorem holds (docs/reservation.md). Requests that are not of a known type
 * are placed and measured in the same way; nothing is kept for them.
 *
 * <p>One search, O(types x resources) per event, with O(servers x resources) whenever a server begins to be cleared.
 */
final class ProtectionLevels implements Policy {
    /** P_j from which a server is cleared. */
    static final double CLEAR = 0.2;

    private static final String KEPT = "room is kept for types that pay more";

    private final ServerChoice servers;
    private final EstimatedWorkload load;
    private final Clearing clearing;
    private final ReadySlots ready;
    private final Undecided undecided = new Undecided();
    /** Requests per type that run. */
    private final long[] present;

    ProtectionLevels(View view, double memory) {
        present = new long[view.types()];
        load = new EstimatedWorkload(view, memory, present);
        clearing = new Clearing(present.length);
        ready = new ReadySlots(present.length);
        servers = BestFit.servers(view, Score.LEFTOVER, server -> !clearing.contains(server));
    }

    @Override
    public void started(View view, Actions actions) {
        learn(view);
    }

    /** What the view says by itself. */
    private void learn(View view) {
        TypedJobs.countRunning(view, present);
        for (int server = 0; server < view.servers(); server++) {
            ready.update(view, server, !clearing.contains(server));
        }
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        if (Typed.isOfItsType(view, job)) {
            load.arrived(view.type(job), view);
        }
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        if (Typed.isOfItsType(view, job)) {
            present[view.type(job)]--;
            load.displaced(job);
        }
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server == View.NONE) {
            return;
        }
        if (Typed.isOfItsType(view, job)) {
            present[view.type(job)]--;
            load.ended(job, view);
        }
        update(view, server);
        if (clearing.pull(view, servers, actions)) {
            update(view, clearing.from());
            update(view, clearing.to());
        }
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        update(view, server);
    }

    private void update(View view, int server) {
        clearing.ends(view, server);
        ready.update(view, server, !clearing.contains(server));
        servers.update(view, server);
    }

    @Override
    public void round(View view, Actions actions) {
        undecided.collect(view);
        for (int k = 0; k < undecided.size(); k++) {
            decide(undecided.get(k), view, actions);
        }
    }

    private void decide(int job, View view, Actions actions) {
        boolean typed = Typed.isOfItsType(view, job);
        int type = view.type(job);
        int server = servers.choose(view, job);
        if (server != View.NONE && costsMore(job, server, view)) {
            actions.reject(job, KEPT);
            return;
        }
        if (server == View.NONE) {
            actions.reject(job, "fits no server now");
        } else {
            actions.place(job, server, servers.reason());
            if (typed) {
                present[type]++;
                load.started(job, view);
            }
            update(view, server);
        }
        if (typed) {
            clear(type, view);
        }
    }

    /** Whether some type would lose more by a request on a server than that pays. */
    private boolean costsMore(int job, int server, View view) {
        double pays = view.reward(job);
        for (int type = 0; type < present.length; type++) {
            int before = ready.on(server, type);
            if (before == 0 || type == view.type(job)) {
                continue;
            }
            double loses = view.typeReward(type) * (before - ReadySlots.slots(view, server, type, job));
            if (loses > pays && loses * needed(type, 0, view) > pays) {
                return true;
            }
        }
        return false;
    }

    /** Probability that the last free slot of a type is needed, with so many slots more. */
    private double needed(int type, int more, View view) {
        return PoissonTail.atLeast(present[type] + ready.total(type) + more, (double) load.of(type, view));
    }

    private void clear(int type, View view) {
        if (clearing.mayBegin(view) && needed(type, clearing.count(type), view) >= CLEAR) {
            int server = clearing.begin(view, type);
            if (server != View.NONE) {
                update(view, server);
            }
        }
    }

    @Override
    public void save(StateWriter out) {
        clearing.save(out);
        load.save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        clearing.restore(in);
        load.restore(in);
        learn(view);
        servers.rebuild(view);
    }
}
