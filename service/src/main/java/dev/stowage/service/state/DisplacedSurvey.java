package dev.stowage.service.state;

import java.util.ArrayList;
import java.util.List;

/**
 * Who took a request's place on the server that it lost last, and which requests lost theirs to it. Like {@link Survey}
 * it holds the state's lock for a part at a time. O(requests in the system) if any has a priority.
 */
public final class DisplacedSurvey {
    private static final int MOST = 20;
    /** Requests that are examined in one hold of the lock. */
    private static final int STEP = 4096;

    private final Request request;
    private final boolean all;
    private final List<String> took = new ArrayList<>();
    private String by = "";
    private int next;

    /**
     * Begins.
     *
     * @param all whether other tenants' requests may be named
     */
    public DisplacedSurvey(Request request, boolean all) {
        this.request = request;
        this.all = all;
    }

    /**
     * Looks at some more requests; in the state's lock.
     *
     * @return whether this is to be called again
     */
    public boolean more(World world) {
        if (!world.engine().view().prioritized()) {
            return false;
        }
        Displacement displaced = request.displaced();
        if (next == 0 && displaced != null) {
            int job = world.engine().find(displaced.by());
            by = job < 0 ? "" : name(world.ofJob(job));
        }
        RequestTable table = world.table();
        next = table.displacedBy(request.number(), next, STEP, other -> {
            String name = name(other);
            if (took.size() < MOST && !name.isEmpty()) {
                took.add(name);
            }
        });
        return next < table.jobs();
    }

    private String name(Request other) {
        return all || other.tenant().equals(request.tenant()) ? name(other, request) : "";
    }

    /** A request in words about another one: with its tenant if that is another. */
    public static String name(Request other, Request of) {
        return other.tenant().equals(of.tenant()) ? other.id() : other.tenant() + "/" + other.id();
    }

    /** Who took its place, as far as it is in the system and may be named; or empty. */
    public String by() {
        return by;
    }

    /** The requests in the system that lost their place to it and may be named; of them at most {@value #MOST}. */
    public List<String> took() {
        return took;
    }
}
