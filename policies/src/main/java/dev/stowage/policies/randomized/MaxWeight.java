package dev.stowage.policies.randomized;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.FreedRoom;
import dev.stowage.policies.fit.Typed;
import dev.stowage.policies.fit.Undecided;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Max-weight with refresh times: when a server is empty (local) or all servers are (global) and requests wait, it takes
 * the configuration k that maximises the sum of Q_j k_j, and fills the slots of that configuration until the next
 * refresh, or until the server is drained or lost.
 *
 * <p>In continuous time every event is a step; in slotted time the refresh condition is checked once per slot, after
 * its departures and arrivals. A step costs O(types log servers) per server touched, and a refresh one pass over the
 * maximal configurations.
 */
final class MaxWeight implements Policy {
    private static final String WAITS = "waits for a slot of its type";
    private static final String SLOT = "a slot of its type in the server's max-weight configuration";
    private static final String NO_TYPE = "has no type, or its demand is not that of its type";
    private static final String NO_DEMAND = "demands nothing of a server, so no configuration bounds it";

    private final MaxWeightOptions options;
    private final int types;
    private final OpenSlots slots;
    /** Servers that are up and empty. */
    private final FittingServers idle = new FittingServers();

    private final FreedRoom touched = new FreedRoom();
    private final Undecided undecided = new Undecided();
    /** Queues per server, or none: one queue per type. */
    private final @Nullable LocalQueues local;

    private HeaviestConfigurations[] configurations = {};
    /** Whether the request on its server fills a slot, by handle. */
    private boolean[] inSlot = new boolean[64];

    private final int[] weights;
    private final int[] chosen;

    MaxWeight(View view, MaxWeightOptions options) {
        this.options = options;
        types = view.types();
        slots = new OpenSlots(types, view.servers());
        weights = new int[types];
        chosen = new int[types];
        local = options.distributed() ? new LocalQueues(view, new Routing(view, 0, false), (server, type) -> {}) : null;
        for (int server = 0; server < view.servers(); server++) {
            updateIdle(server, view);
        }
    }

    /** Number of queues for the servers of a view. */
    static int queues(View view, MaxWeightOptions options) {
        return options.distributed() ? LocalQueues.number(view) : Math.max(1, view.types());
    }

    private void updateIdle(int server, View view) {
        idle.growTo(view.servers());
        boolean empty = view.firstOn(server) == View.NONE;
        idle.set(server, empty && view.status(server) == ServerStatus.UP);
        if (empty && !options.global()) {
            slots.clear(server);
        }
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        if (!Typed.isOfItsType(view, job)) {
            actions.reject(job, NO_TYPE);
        } else if (!HeaviestConfigurations.demandsSomething(view, view.type(job))) {
            actions.reject(job, NO_DEMAND);
        }
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server == View.NONE) {
            if (local != null) {
                local.gaveUp(job, view.type(job), view);
            }
            return;
        }
        vacate(job, server, view);
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        vacate(job, server, view);
        arrived(job, view, actions);
    }

    @Override
    public void dummyEnded(int dummy, int server, View view, Actions actions) {
        vacate(dummy, server, view);
    }

    private void vacate(int job, int server, View view) {
        if (job < inSlot.length && inSlot[job]) {
            inSlot[job] = false;
            if (options.refill() && view.status(server) == ServerStatus.UP) {
                slots.add(server, view.type(job), 1);
            }
        }
        updateIdle(server, view);
        touched.left(view, job, server);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        slots.growTo(view.servers());
        if (view.status(server) != ServerStatus.UP) {
            endConfiguration(server, view);
        }
        updateIdle(server, view);
        if (local != null) {
            local.serverChanged(server, view, actions);
            // The requests that waited there now wait at other servers.
            for (int other = 0; other < view.servers(); other++) {
                touched.changed(view, other);
            }
        } else {
            touched.changed(view, server);
        }
    }

    /** When the server comes back, it waits for its next refresh: requests that still run open no slots. */
    private void endConfiguration(int server, View view) {
        slots.clear(server);
        for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
            if (job < inSlot.length) {
                inSlot[job] = false;
            }
        }
    }

    @Override
    public void round(View view, Actions actions) {
        queueArrivals(view, actions);
        if (options.global()) {
            refreshAll(view);
        }
        touched.sort();
        for (int i = 0; i < touched.sites().size(); i++) {
            touchSite(touched.sites().get(i), view);
        }
        touched.sort();
        for (int i = 0; i < touched.servers().size(); i++) {
            serve(touched.servers().get(i), view, actions);
        }
        touched.clear();
        if (local == null) {
            serveArrivals(view, actions);
        }
    }

    /** A pool got room: every server of the site may serve requests again. */
    private void touchSite(int site, View view) {
        for (int server = 0; server < view.servers(); server++) {
            if (view.site(server) == site) {
                touched.servers().add(server);
            }
        }
    }

    private void queueArrivals(View view, Actions actions) {
        undecided.collect(view);
        for (int k = 0; k < undecided.size(); k++) {
            int job = undecided.get(k);
            if (local == null) {
                actions.enqueue(job, view.type(job), WAITS);
            } else {
                local.add(job, view.type(job), view, actions);
                int server = local.server(job);
                if (server != View.NONE) {
                    touched.servers().add(server);
                }
            }
        }
    }

    /** The global refresh: if every server that is up is empty and something waits, each takes a new configuration. */
    private void refreshAll(View view) {
        if (idle.size() == 0 || !somethingWaits(view)) {
            return;
        }
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) == ServerStatus.UP && view.firstOn(server) != View.NONE) {
                return;
            }
        }
        for (int k = 0; k < idle.size(); k++) {
            int server = idle.get(k);
            choose(server, view);
            slots.assign(server, chosen);
            touched.servers().add(server);
        }
    }

    private static boolean somethingWaits(View view) {
        for (int queue = 0; queue < view.queues(); queue++) {
            if (view.queueLength(queue) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Takes the heaviest configuration of the server into {@code chosen}; returns its weight. */
    private long choose(int server, View view) {
        for (int type = 0; type < types; type++) {
            weights[type] = waiting(server, type, view);
            chosen[type] = 0;
        }
        int capacityClass = view.capacityClass(server);
        while (configurations.length <= capacityClass) {
            configurations = Arrays.copyOf(configurations, configurations.length + 1);
            configurations[configurations.length - 1] = new HeaviestConfigurations(view, configurations.length - 1);
        }
        return configurations[capacityClass].choose(weights, view.random(), chosen, 0);
    }

    private int waiting(int server, int type, View view) {
        return local == null ? view.queueLength(type) : local.length(server, type, view);
    }

    private int head(int server, int type, View view) {
        return local == null ? view.queueHead(type) : local.head(server, type, view);
    }

    /** Refreshes the server if it is empty and something waits for it, and fills its slots. */
    private void serve(int server, View view, Actions actions) {
        if (view.status(server) != ServerStatus.UP) {
            return;
        }
        if (!options.global() && view.firstOn(server) == View.NONE && choose(server, view) > 0) {
            slots.assign(server, chosen);
        }
        for (int type = 0; type < types; type++) {
            while (slots.open(server, type) > 0 && place(server, type, view, actions)) {
                // Until the slots or the requests run out.
            }
        }
    }

    private boolean place(int server, int type, View view, Actions actions) {
        int job = head(server, type, view);
        if (job == View.NONE || !view.fits(job, server)) {
            return false;
        }
        actions.place(job, server, SLOT);
        slots.add(server, type, -1);
        if (job >= inSlot.length) {
            inSlot = Arrays.copyOf(inSlot, Math.max(job + 1, 2 * inSlot.length));
        }
        inSlot[job] = true;
        idle.set(server, false);
        if (local != null) {
            local.changed(server, type, view);
        }
        return true;
    }

    /**
     * Central queues: waiting requests take open slots, lowest server first; then empty servers refresh, lowest first.
     */
    private void serveArrivals(View view, Actions actions) {
        for (int type = 0; type < types; type++) {
            int skipped = 0;
            while (view.queueLength(type) > 0 && slots.having(type).size() > skipped) {
                if (!place(slots.having(type).get(skipped), type, view, actions)) {
                    skipped++;
                }
            }
        }
        int skipped = 0;
        while (!options.global() && idle.size() > skipped && somethingWaits(view)) {
            int server = idle.get(skipped);
            serve(server, view, actions);
            skipped += view.firstOn(server) == View.NONE ? 1 : 0;
        }
    }

    @Override
    public void save(StateWriter out) {
        slots.save(out);
        touched.save(out);
        int known = inSlot.length;
        while (known > 0 && !inSlot[known - 1]) {
            known--;
        }
        out.putInt(known);
        for (int job = 0; job < known; job++) {
            out.putBoolean(inSlot[job]);
        }
    }

    @Override
    public void restore(StateReader in, View view) {
        slots.restore(in);
        touched.restore(in);
        int known = in.getInt();
        inSlot = new boolean[Math.max(64, known)];
        for (int job = 0; job < known; job++) {
            inSlot[job] = in.getBoolean();
        }
    }
}
