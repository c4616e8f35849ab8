package dev.stowage.service.state;

import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of requests as they all were after the entry at one log position, however long the list takes: first
 * those that were in the system, by tenant and number, of a server by number; then those that had finished, the
 * newest first. Finished requests that are forgotten meanwhile are left out. A watch from that position on
 * misses nothing and repeats nothing.
 *
 * <p>Only {@link #inSystem} needs the state's lock, several times for a short time, and the state goes on in between.
 */
public final class Listing {
    /** Requests that are examined in one hold of the lock: some 50 us. */
    private static final int STEP = 256;
    /**
     * Requests in the system, and finished ones, that are examined for a page, so a page may be short or empty without
     * being the last.
     */
    private static final int LOOKED = 100_000;
    /** Changes that are looked through in one hold of the lock for those that were on a server. */
    private static final int CHANGES = 1 << 15;
    /** Requests on a server that are found in one hold of the lock: less than half a millisecond. */
    private static final int FOUND = 1024;
    /** Any server or site. */
    public static final int ANY = -1;

    /**
     * What is listed.
     *
     * @param tenant whose requests, or null for those of all tenants
     * @param state only those in it, or null
     * @param site number of the site where they run or ran last, or {@link #ANY}
     * @param server where they run or ran last, or {@link #ANY}
     * @param idPart a part of their ids
     * @param arrivedUntil the latest time of arrival, nanoseconds since 1970
     */
    public record Filter(
            @Nullable String tenant,
            Request.@Nullable State state,
            int site,
            int server,
            String idPart,
            long arrivedUntil) {
        /** Any id and any time of arrival. */
        public Filter(@Nullable String tenant, Request.@Nullable State state, int site, int server) {
            this(tenant, state, site, server, "", Long.MAX_VALUE);
        }

        private boolean admits(Request request) {
            return request.arrivedAt() <= arrivedUntil && request.id().contains(idPart);
        }
    }

    /**
     * Where a page begins.
     *
     * @param position log position that the list shows
     * @param over whether those in the system were all listed
     * @param tenant of those in the system: from this tenant on
     * @param number behind this number
     * @param finishedAt of those that had finished: before the one that did at this position and has the number
     */
    public record Place(long position, boolean over, String tenant, long number, long finishedAt) {
        /** The beginning of a list. */
        public static Place begin(long position) {
            return new Place(position, false, "", -1, -1);
        }
    }

    /** The position is too old, or not yet reached here. */
    public static final class PositionException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final boolean ahead;

        PositionException(boolean ahead, String message) {
            super(message, null, false, false);
            this.ahead = ahead;
        }

        /** Whether this node has not reached it yet. */
        public boolean ahead() {
            return ahead;
        }
    }

    private final Filter filter;
    private final long position;
    private final int size;
    private final List<Request> found = new ArrayList<>();
    private Place place;
    private boolean full;
    private int looked;
    /** Those that are or were on the server since the position; whole once all changes since then were looked at. */
    private final TreeMap<Long, Tracked> there = new TreeMap<>();

    private boolean thereKnown;
    private long nextChange = -1;
    private int nextJob;
    private FinishedRequests.@Nullable Copy finished;
    private int[] siteOfServer = {};

    /**
     * A page.
     *
     * @param place where it begins
     * @param size how many requests at most
     */
    public Listing(Filter filter, Place place, int size) {
        this.filter = filter;
        this.place = place;
        this.size = size;
        position = place.position();
    }

    /** How many of the last changes of requests a state remembers, and with them how far back a list can reach. */
    public static int changesKept() {
        return Versions.mostInHeap();
    }

    /**
     * Continues for a short time with those in the system; under the state's lock.
     *
     * @return whether this is to be called again
     * @throws PositionException if the state no longer knows the position
     */
    public boolean inSystem(ServiceState state) {
        World world = state.world();
        if (position > state.position()) {
            throw new PositionException(
                    true, "this node has applied the log up to " + state.position() + " and not yet to " + position);
        }
        if (world == null) {
            return false;
        }
        RequestTable table = world.table();
        if (position < table.versions().floor()) {
            throw new PositionException(
                    false,
                    "the state of the requests at position " + position + " is forgotten; the oldest known position is "
                            + table.versions().floor() + ". List them again");
        }
        boolean ended =
                place.over() || (filter.state() != null && filter.state().finished()) || step(world);
        if (ended && !full) {
            place = place.over() ? place : new Place(position, true, "", -1, -1);
            finished = table.copyFinished();
            View view = world.engine().view();
            siteOfServer = filter.site() == ANY
                    ? new int[0]
                    : IntStream.range(0, view.servers()).map(view::site).toArray();
        }
        return !ended && !full;
    }

    /** Returns whether there are no more of those in the system. */
    private boolean step(World world) {
        RequestTable table = world.table();
        int[] left = {STEP};
        if (filter.server() != ANY) {
            return thereKnown ? ofServer(world, left) : findThere(world);
        }
        String tenant = filter.tenant() != null ? filter.tenant() : table.tenantFrom(place.tenant());
        while (tenant != null) {
            long number = tenant.equals(place.tenant()) ? place.number() : -1;
            place = new Place(position, false, tenant, number, -1);
            Numbered all = table.ofTenant(tenant);
            if (all != null && !step(world, all, tenant, left)) {
                return false;
            }
            tenant = filter.tenant() != null ? null : table.tenantFrom(tenant + '\0');
        }
        return true;
    }

    private boolean step(World world, Numbered requests, String tenant, int[] left) {
        return requests.after(place.number(), tracked -> look(world, tracked, tenant, left));
    }

    /** Returns whether to go on with the next. */
    private boolean look(World world, Tracked tracked, String tenant, int[] left) {
        if (left[0]-- == 0) {
            return false;
        }
        if (looked++ == LOOKED) {
            full = true;
            return false;
        }
        Request then = world.table().versions().asOf(tracked, position);
        if (then != null && !then.state().finished() && belongs(then, world) && !add(then)) {
            return false;
        }
        place = new Place(position, false, tenant, tracked.number, -1);
        return true;
    }

    /**
     * Finds out who was on the server at the position: who is there now, then who left it since, up to the last change.
     * Never the end of the list.
     */
    private boolean findThere(World world) {
        RequestTable table = world.table();
        if (nextChange < 0) {
            nextChange = table.versions().changeAfter(position);
            nextJob = findFirst(world) ? table.jobs() : 0;
        } else if (nextJob < table.jobs()) {
            nextJob = table.onServer(filter.server(), nextJob, FOUND, this::keepThere);
        } else {
            nextChange = table.versions().leftServer(filter.server(), nextChange, CHANGES, FOUND, this::keepThere);
            thereKnown = nextChange == table.versions().end();
        }
        return false;
    }

    /** Returns whether these were all that are on the server now. */
    private boolean findFirst(World world) {
        View view = world.engine().view();
        int job = filter.server() < view.servers() ? view.firstOn(filter.server()) : View.NONE;
        for (int n = 0; job >= 0 && n < FOUND; n++) {
            Tracked tracked = world.table().trackedOfJob(job);
            if (tracked != null) {
                keepThere(tracked);
            }
            job = view.next(job);
        }
        return job < 0;
    }

    private void keepThere(Tracked tracked) {
        if (tracked.number > place.number()) {
            there.put(tracked.number, tracked);
        }
        if (there.size() > LOOKED + 1) {
            there.pollLastEntry();
        }
    }

    private boolean ofServer(World world, int[] left) {
        for (Tracked tracked : there.tailMap(place.number(), false).values()) {
            if (!look(world, tracked, "", left)) {
                return false;
            }
        }
        return true;
    }

    private boolean belongs(Request request, World world) {
        return (filter.tenant() == null || filter.tenant().equals(request.tenant()))
                && (filter.state() == null || filter.state() == request.state())
                && (filter.server() == ANY || filter.server() == request.server())
                && (filter.site() == ANY || isAt(request, world))
                && filter.admits(request);
    }

    private boolean isAt(Request request, World world) {
        return request.server() >= 0 && world.engine().view().site(request.server()) == filter.site();
    }

    /** Returns whether there was room. */
    private boolean add(Request request) {
        full = found.size() == size;
        return !full && found.add(request);
    }

    /** Continues with those that had finished; without the lock, once {@link #inSystem} returned false. */
    public void finished() {
        FinishedRequests.Copy over = finished;
        if (full || over == null || (filter.state() != null && !filter.state().finished())) {
            return;
        }
        FinishedRequests.Copy.Place from = new FinishedRequests.Copy.Place(place.finishedAt(), place.number());
        FinishedRequests.Copy.Place to = over.before(
                from, position, filter.tenant(), filter.state(), LOOKED, request -> !ranThere(request) || add(request));
        if (to != null) {
            place = new Place(position, true, "", to.number(), to.position());
            full = true;
        }
    }

    private boolean ranThere(Request request) {
        boolean server = filter.server() == ANY || filter.server() == request.server();
        boolean site =
                filter.site() == ANY || (request.server() >= 0 && siteOfServer[request.server()] == filter.site());
        return server && site && filter.admits(request);
    }

    /** The requests found. */
    public List<Request> found() {
        return found;
    }

    /** The log position that it shows. */
    public long position() {
        return position;
    }

    /** Where the next page begins, or null if this is the last. */
    public @Nullable Place next() {
        return full ? place : null;
    }
}
