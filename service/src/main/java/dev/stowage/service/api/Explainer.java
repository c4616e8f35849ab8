package dev.stowage.service.api;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.Candidate;
import dev.stowage.service.v1.Explanation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Why a request is where it is: the rule that the policy gave when it decided, and the servers as they are now.
 * O(servers), in the state's lock.
 */
final class Explainer {
    private static final int CANDIDATES = 5;

    private final World world;
    private final Request request;
    private final View view;
    /** Whether the caller may know of all tenants: what room there is tells what the others left. */
    private final boolean all;

    /** A server and what it lacks, as a share of the demand: 0 if it has room. */
    private record Lack(int server, double share) {}

    /**
     * Explains a request.
     *
     * @param all whether to tell what room there is
     */
    Explainer(World world, Request request, boolean all) {
        this.all = all;
        this.world = world;
        this.request = request;
        view = world.engine().view();
    }

    Explanation explain() {
        int up = 0;
        int large = 0;
        int room = 0;
        List<Lack> lacks = new ArrayList<>();
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) != ServerStatus.UP || !allowedAt(server)) {
                continue;
            }
            up++;
            if (!largeEnough(server)) {
                continue;
            }
            large++;
            double lack = lack(server);
            room += lack == 0 ? 1 : 0;
            lacks.add(new Lack(server, lack));
        }
        lacks.sort(Comparator.comparingDouble(Lack::share).thenComparingInt(Lack::server));
        Explanation.Builder out = Explanation.newBuilder()
                .setRequest(Messages.request(request, world))
                .setPolicy(world.engine().policy().toString())
                .setRule(request.reason())
                .setServersUp(up)
                .setServersLargeEnough(large)
                .setSummary(summary(up, large, room));
        if (!all) {
            return out.build();
        }
        out.setServersWithRoom(room);
        if (request.state() == Request.State.RUNNING) {
            out.addCandidates(candidate(request.server()));
        }
        lacks.stream()
                .filter(lack -> request.state() != Request.State.RUNNING || lack.server() != request.server())
                .limit(CANDIDATES)
                .forEach(lack -> out.addCandidates(candidate(lack.server())));
        return out.build();
    }

    private String summary(int up, int large, int room) {
        String where = request.sites().isEmpty() ? "" : " in the sites it is limited to, " + request.sites() + ",";
        String servers = large + " of " + up + " servers that are up" + where + " are large enough"
                + (all ? ", " + room + " of them have room for it now" : "");
        return switch (request.state()) {
            case RUNNING ->
                "runs on server " + request.server() + " in site " + Messages.site(world, request.server())
                        + " by the rule '" + request.reason() + "'; " + servers;
            case WAITING ->
                (request.queue() < 0 ? "waits" : "waits in queue " + request.queue())
                        + (request.reason().isEmpty() ? "" : " by the rule '" + request.reason() + "'")
                        + (!all
                                ? "; "
                                : room > 0
                                        ? ": the policy holds it back, or its turn has not come; "
                                        : ": it waits for room; ")
                        + servers;
            case REJECTED -> "was rejected by the rule '" + request.reason() + "'; " + servers;
            case EXPIRED -> "found no place within the longest time that it was willing to wait; " + servers;
            case RELEASED -> "was released by the client";
        };
    }

    private boolean allowedAt(int server) {
        return request.sites().isEmpty() || request.sites().contains(Messages.site(world, server));
    }

    private boolean largeEnough(int server) {
        for (int r = 0; r < request.demand().length; r++) {
            if (request.demand()[r] > view.capacity(server, r)) {
                return false;
            }
        }
        return true;
    }

    private double lack(int server) {
        double most = 0;
        for (int r = 0; r < request.demand().length; r++) {
            long missing = request.demand()[r] - view.free(server, r);
            if (missing > 0) {
                most = Math.max(most, (double) missing / request.demand()[r]);
            }
        }
        return most;
    }

    private Candidate candidate(int server) {
        boolean here = request.state() == Request.State.RUNNING && server == request.server();
        Candidate.Builder out = Candidate.newBuilder()
                .setServer(server)
                .setSite(Messages.site(world, server))
                .setRunsHere(here)
                .putAllFree(Messages.amounts(world.resources(), r -> view.free(server, r)));
        for (int r = 0; r < request.demand().length && !here; r++) {
            long missing = request.demand()[r] - view.free(server, r);
            if (missing > 0) {
                out.putLacks(world.resources().get(r), missing);
            }
        }
        return out.build();
    }
}
