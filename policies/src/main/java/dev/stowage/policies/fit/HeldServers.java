package dev.stowage.policies.fit;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Servers that lower requests are leaving, each held for the waiting request that they make room for: else what leaves
 * would take the room of the first that has stopped, and be evicted again, without end. Kubernetes calls such a server
 * the nominated node of a pod. A request holds at most one server, a server is held for at most one request.
 */
final class HeldServers {
    private final TreeMap<Integer, Integer> jobs = new TreeMap<>();
    private final Map<Integer, Integer> servers = new TreeMap<>();

    boolean isEmpty() {
        // Asked all the time: TreeMap inherits isEmpty() from all maps, so that no compiler puts that in line.
        return jobs.size() == 0;
    }

    boolean isHeld(int server) {
        return !isEmpty() && jobs.containsKey(server);
    }

    /** The request that a server is held for, or {@link View#NONE}. */
    int job(int server) {
        return jobs.getOrDefault(server, View.NONE);
    }

    /** The server that is held for a request, or {@link View#NONE}. */
    int server(int job) {
        return isEmpty() ? View.NONE : servers.getOrDefault(job, View.NONE);
    }

    /** The servers, in ascending order, as they are now. */
    List<Integer> servers() {
        return new ArrayList<>(jobs.keySet());
    }

    /**
     * Whether a request may have room on a server: it is held for nobody, for this one, or for one that goes after it.
     */
    boolean admits(View view, int server, int job) {
        int holder = isHeld(server) ? job(server) : View.NONE;
        return holder == View.NONE || holder == job || Undecided.goesFirst(view, job, holder);
    }

    /** The lowest-numbered held server that admits a request and has room for it, or {@link View#NONE}. */
    int choose(View view, int job) {
        for (int server : jobs.keySet()) {
            if (admits(view, server, job) && view.fits(job, server)) {
                return server;
            }
        }
        return View.NONE;
    }

    /** Holds a server for a request that holds none; who held it before holds none now. */
    void hold(int server, int job) {
        Integer before = jobs.put(server, job);
        if (before != null) {
            servers.remove(before);
        }
        servers.put(job, server);
    }

    void release(int server) {
        Integer job = jobs.remove(server);
        if (job != null) {
            servers.remove(job);
        }
    }

    void save(StateWriter out) {
        out.putInt(jobs.size());
        jobs.forEach((server, job) -> {
            out.putInt(server);
            out.putInt(job);
        });
    }

    void restore(StateReader in) {
        for (int n = in.getInt(); n > 0; n--) {
            hold(in.getInt(), in.getInt());
        }
    }
}
