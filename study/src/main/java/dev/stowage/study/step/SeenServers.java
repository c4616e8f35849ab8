package dev.stowage.study.step;

import dev.stowage.core.engine.DeviceRoom;
import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;

/**
 * What the servers had for a request: at the moment when it was placed, as the policy saw it, or now while it waits.
 * The first is heard as an effect, while the engine does it again. O(servers).
 */
final class SeenServers extends EngineListener {
    private static final int MOST = 5;

    /**
     * A server as it was.
     *
     * @param free per resource, without the request
     * @param lack the largest part of the request's demand that it has no room for; 0 if it has room
     * @param lacksDevices what is missing of devices, for people; empty if nothing is
     * @param here whether the request was placed there
     */
    record Seen(int server, long[] free, double lack, String lacksDevices, boolean here) {}

    private final List<Seen> nearest = new ArrayList<>();
    private long awaited = Story.NONE;
    private int rowsBefore;
    private int up;
    private int large;
    private int room;

    /** The request whose placement is to be looked at, after so many others of it from the same command. */
    void await(long id, int before) {
        begin();
        awaited = id;
        rowsBefore = before;
    }

    private void begin() {
        nearest.clear();
        up = 0;
        large = 0;
        room = 0;
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        heard(job, server);
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        heard(job, to);
    }

    private void heard(int job, int server) {
        View v = view();
        if (awaited != Story.NONE && v.id(job) == awaited && rowsBefore-- == 0) {
            awaited = Story.NONE;
            look(v, job, server);
        }
    }

    /** Looks at all servers for a job; {@code own} is where it has just been placed, or -1. */
    void look(View v, int job, int own) {
        begin();
        for (int server = 0; server < v.servers(); server++) {
            if (server == own || (v.status(server) == ServerStatus.UP && v.admits(v.constraint(job), server))) {
                up++;
                one(v, job, server, server == own);
            }
        }
    }

    private void one(View v, int job, int server, boolean own) {
        long[] free = new long[v.resources()];
        double lack = 0;
        for (int r = 0; r < free.length; r++) {
            long demand = v.demand(job, r);
            long held = r == v.divisibleResource() ? v.share(job) : demand;
            free[r] = v.free(server, r) + (own ? held : 0);
            if (demand > v.capacity(server, r)) {
                return;
            }
            lack = demand > free[r] ? Math.max(lack, (double) (demand - free[r]) / demand) : lack;
        }
        long devices = v.deviceResource() == View.NONE ? 0 : v.demand(job, v.deviceResource());
        String lacksDevices = own ? "" : DeviceRoom.lacking(v, server, devices);
        if (!lacksDevices.isEmpty()) {
            lack = Math.max(lack, (double) (devices - DeviceRoom.of(v, server, devices)) / devices);
        }
        large++;
        room += lack == 0 && (own || !v.overcommitted(server)) ? 1 : 0;
        Seen seen = new Seen(server, free, lack, lacksDevices, own);
        int at = own ? 0 : nearest.size();
        while (at > 0 && !nearest.get(at - 1).here() && nearest.get(at - 1).lack() > lack) {
            at--;
        }
        nearest.add(at, seen);
        if (nearest.size() > MOST + 1) {
            nearest.remove(nearest.size() - 1);
        }
    }

    /** Where it was placed first of all, then those that are large enough and lack least; by number among equals. */
    List<Seen> nearest() {
        return nearest;
    }

    /** Servers that are up and that its constraints admit. */
    int up() {
        return up;
    }

    /** Those of them that could run it if they were empty. */
    int large() {
        return large;
    }

    /** Those of them that had room. */
    int room() {
        return room;
    }
}
