package dev.stowage.service.state;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The room that the servers have for the members of a gang that waits: for each alone, and for the sum of all. Like
 * {@link Survey} it holds the state's lock for a part at a time. O(servers times members), of at most
 * {@value #MOST} members.
 */
public final class GangSurvey {
    private static final int MOST = 256;
    /** Pairs of server and member that are examined in one hold of the lock. */
    private static final int STEP = 2048;

    private final long number;
    private int gang = View.NONE;
    private int size;
    private long[] numbers = {};
    private String[] ids = {};
    /** For each member, how many servers have room for it alone. */
    private int[] rooms = {};

    private long[] needed = {};
    private long[] free = {};
    private int next;
    private boolean begun;

    /** Of the gang of a request, if it is of one. */
    public GangSurvey(Request request) {
        number = request.number();
    }

    /**
     * Looks at some more servers; in the state's lock.
     *
     * @return whether this is to be called again
     */
    public boolean more(World world) {
        View view = world.engine().view();
        if (!begun) {
            begun = true;
            begin(world, view);
        }
        if (gang == View.NONE || view.gangSize(gang) == 0) {
            return false;
        }
        int end = Math.min(view.servers(), next + Math.max(1, STEP / numbers.length));
        for (; next < end; next++) {
            if (view.status(next) == ServerStatus.UP && !view.overcommitted(next)) {
                look(world, view, next);
            }
        }
        return next < view.servers();
    }

    private void begin(World world, View view) {
        int job = world.engine().find(number);
        gang = job < 0 ? View.NONE : view.gang(job);
        if (gang == View.NONE) {
            return;
        }
        size = view.gangSize(gang);
        int some = Math.min(size, MOST);
        numbers = new long[some];
        ids = new String[some];
        rooms = new int[some];
        needed = new long[view.resources()];
        free = new long[view.resources()];
        for (int k = 0; k < size; k++) {
            int member = view.gangMember(gang, k);
            if (k < some) {
                numbers[k] = view.id(member);
                ids[k] = world.ofJob(member).id();
            }
            for (int r = 0; r < needed.length; r++) {
                needed[r] += view.demand(member, r);
            }
        }
    }

    private void look(World world, View view, int server) {
        boolean admitted = false;
        for (int k = 0; k < numbers.length; k++) {
            int job = world.engine().find(numbers[k]);
            if (job >= 0 && view.admits(view.constraint(job), server)) {
                admitted = true;
                rooms[k] += view.fits(job, server) ? 1 : 0;
            }
        }
        for (int r = 0; r < free.length && admitted; r++) {
            free[r] += view.free(server, r);
        }
    }

    /** Members of the gang; 0 if it is none, or is placed. */
    public int size() {
        return size;
    }

    /** Ids of the members that no server has room for, even alone; of the first {@value #MOST}. */
    public List<String> withoutRoom() {
        List<String> without = new ArrayList<>();
        for (int k = 0; k < rooms.length; k++) {
            if (rooms[k] == 0) {
                without.add(ids[k]);
            }
        }
        return without;
    }

    /** What all members together lack of each resource on the servers that may run some of them; 0 where nothing. */
    public long[] lacking() {
        long[] lacking = new long[needed.length];
        Arrays.setAll(lacking, r -> Math.max(0, needed[r] - free[r]));
        return lacking;
    }
}
