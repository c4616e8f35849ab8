package dev.stowage.service.state;

import dev.stowage.core.engine.DeviceRoom;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The room that the servers have for a request. Only {@link #more} needs the state's lock, several times for a short
 * time, and the state goes on in between: each server is seen as it is at its turn. O(servers).
 */
public final class Survey {
    /** Servers that are examined in one hold of the lock: some 10 us. */
    private static final int STEP = 256;

    /**
     * A server as it was seen.
     *
     * @param site name
     * @param free per resource
     * @param name name, or empty
     * @param keptApart whether its spread limit is reached there
     * @param lack the largest fraction of the request's demand that is missing; 0 if there is room
     * @param lacksDevices what is missing of devices, for people; empty if nothing is
     */
    public record Seen(
            int server, String site, String name, long[] free, boolean keptApart, double lack, String lacksDevices) {}

    /**
     * A request that is stopping on a server where a waiting one could run.
     *
     * @param server name or number of the server
     * @param heard whether an agent of that server ever sent a heartbeat
     */
    public record Stopping(Request request, String server, boolean heard) {}

    private final Request request;
    private final int most;
    private final List<Seen> nearest = new ArrayList<>();
    private final List<Stopping> stopping = new ArrayList<>();
    private boolean silentHere;
    private Constraints words = Constraints.NONE;
    private int constraint;
    private @Nullable Seen own;
    private int next;
    private int up;
    private int draining;
    private int silent;
    private int gone;
    private int lost;
    private int large;
    private int room;
    private int apart;

    /**
     * Begins.
     *
     * @param most servers to be listed in {@link #nearest}
     */
    public Survey(Request request, int most) {
        this.request = request;
        this.most = most;
    }

    /**
     * Looks at some more servers; in the state's lock.
     *
     * @return whether this is to be called again
     */
    public boolean more(World world) {
        View view = world.engine().view();
        if (next == 0) {
            begin(world, view);
        }
        int end = Math.min(view.servers(), next + STEP);
        for (; next < end; next++) {
            look(world, view, next);
        }
        return next < view.servers();
    }

    private void begin(World world, View view) {
        words = request.words()
                .meaning(
                        List.of(),
                        request.words().avoid().stream()
                                .map(server -> ServerNames.find(world.engine(), server))
                                .toList());
        int job = world.engine().find(request.number());
        constraint = job < 0 || words.spread().isEmpty() ? 0 : view.constraint(job);
        if (request.state() == Request.State.RUNNING) {
            own = seen(world, view, request.server(), false, 0, "");
            silentHere = request.life().agent() && !world.engine().hasAgent(request.server());
        }
    }

    private boolean isAdmitted(World world, View view, int server) {
        return (request.sites().isEmpty() || request.sites().contains(site(world, view, server)))
                && words.admits(view.site(server), view.labels(server))
                && words.spread().stream()
                        .allMatch(spread -> spread.perServer()
                                || view.labels(server).values().containsKey(spread.key()))
                && !words.avoid().contains(server);
    }

    private void look(World world, View view, int server) {
        if (!isAdmitted(world, view, server)) {
            return;
        }
        switch (view.status(server)) {
            case UP -> up++;
            case DRAINING -> draining++;
            case SUSPECTED, RETURNING -> silent++;
            case GONE -> {
                gone++;
                lost += world.engine().hasAgent(server) ? 1 : 0;
            }
        }
        if (view.status(server) != ServerStatus.UP) {
            return;
        }
        double lack = 0;
        for (int r = 0; r < request.demand().length; r++) {
            if (request.demand()[r] > view.capacity(server, r)) {
                return;
            }
            lack = Math.max(lack, lack(request.demand()[r], view.free(server, r)));
        }
        long demand = view.deviceResource() == View.NONE ? 0 : request.demand()[view.deviceResource()];
        String devices = DeviceRoom.lacking(view, server, demand);
        if (!devices.isEmpty()) {
            lack = Math.max(lack, lack(demand, DeviceRoom.of(view, server, demand)));
        }
        large++;
        if (request.state() == Request.State.WAITING && view.prioritized()) {
            stopping(world, view, server);
        }
        boolean isApart = constraint != 0 && !view.admits(constraint, server);
        boolean hasRoom = lack == 0 && !view.overcommitted(server);
        room += hasRoom && !isApart ? 1 : 0;
        apart += hasRoom && isApart ? 1 : 0;
        boolean near =
                nearest.size() < most || lack < nearest.get(nearest.size() - 1).lack();
        if (near && (own == null || server != own.server())) {
            keep(seen(world, view, server, isApart, lack, devices));
        }
    }

    private void stopping(World world, View view, int server) {
        for (int job = view.firstOn(server); job != View.NONE && stopping.size() < most; job = view.next(job)) {
            if (view.state(job) == JobState.RUNNING && view.phase(job) == Phase.STOPPING && !HeldRoom.is(view, job)) {
                stopping.add(new Stopping(
                        world.ofJob(job),
                        view.serverName(server).isEmpty() ? Integer.toString(server) : view.serverName(server),
                        world.engine().hasAgent(server)));
            }
        }
    }

    /** The part of a demand that is missing, 0 if nothing is. */
    private static double lack(long demand, long free) {
        return demand > free ? (double) (demand - free) / demand : 0;
    }

    /** Inserts a server after those that lack no more. */
    private void keep(Seen one) {
        int at = nearest.size();
        while (at > 0 && nearest.get(at - 1).lack() > one.lack()) {
            at--;
        }
        nearest.add(at, one);
        if (nearest.size() > most) {
            nearest.remove(most);
        }
    }

    private static Seen seen(World world, View view, int server, boolean apart, double lack, String lacksDevices) {
        long[] free = new long[view.resources()];
        for (int r = 0; r < free.length; r++) {
            free[r] = view.free(server, r);
        }
        return new Seen(server, site(world, view, server), view.serverName(server), free, apart, lack, lacksDevices);
    }

    private static String site(World world, View view, int server) {
        return world.sites().get(view.site(server));
    }

    /** Where the request runs, or null. */
    public @Nullable Seen own() {
        return own;
    }

    /** Whether it runs by an agent on a server whose agent never sent a heartbeat. */
    public boolean isSilentHere() {
        return silentHere;
    }

    /** If it waits: requests that are stopping on servers that are large enough; not all of many. */
    public List<Stopping> stopping() {
        return stopping;
    }

    /**
     * The servers that are large enough and lack least, without the one where it runs; by number if they lack the same.
     */
    public List<Seen> nearest() {
        return nearest;
    }

    /** Number of servers that are up, admitted by its sites and labels, and not avoided. */
    public int up() {
        return up;
    }

    /** How many more, likewise admitted, are draining. */
    public int draining() {
        return draining;
    }

    /** How many more have an agent that is silent, or has not yet reported what runs there. */
    public int silent() {
        return silent;
    }

    /** How many more were removed or reported lost. */
    public int removed() {
        return gone - lost;
    }

    /** How many more are gone as their agent is silent. */
    public int lost() {
        return lost;
    }

    /** How many of the servers that are up could run it if they were empty. */
    public int large() {
        return large;
    }

    /** How many of them have room, and may take it. */
    public int room() {
        return room;
    }

    /** How many more have room, but enough of its spread group. */
    public int apart() {
        return apart;
    }
}
