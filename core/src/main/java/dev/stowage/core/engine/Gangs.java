package dev.stowage.core.engine;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Requests that are placed at once or not at all, until they are. Numbers are never used again.
 */
final class Gangs {
    private static final int NONE = State.NONE;

    /** Members by gang, in order of arrival. */
    private final TreeMap<Integer, int[]> members = new TreeMap<>();

    private final Map<Integer, Integer> gangs = new TreeMap<>();
    private int next;

    /** Whether there is one. */
    boolean any() {
        // Asked all the time: TreeMap inherits isEmpty() from all maps, so that no compiler puts that in line.
        return members.size() > 0;
    }

    int make(int[] jobs) {
        int gang = next++;
        members.put(gang, jobs.clone());
        for (int job : jobs) {
            gangs.put(job, gang);
        }
        return gang;
    }

    int of(int job) {
        return any() ? gangs.getOrDefault(job, NONE) : NONE;
    }

    boolean exists(int gang) {
        return members.containsKey(gang);
    }

    int[] members(int gang) {
        return Objects.requireNonNull(members.get(gang), () -> "no gang " + gang);
    }

    /** One has left. */
    void leave(int job) {
        if (!any()) {
            return;
        }
        Integer gang = gangs.remove(job);
        if (gang != null) {
            int[] rest =
                    Arrays.stream(members(gang)).filter(other -> other != job).toArray();
            if (rest.length == 0) {
                members.remove(gang);
            } else {
                members.put(gang, rest);
            }
        }
    }

    /** It is placed or rejected: its members are on their own. */
    void end(int gang) {
        for (int job : members(gang)) {
            gangs.remove(job);
        }
        members.remove(gang);
    }

    void save(StateWriter out) {
        out.putInt(next);
        out.putInt(members.size());
        members.forEach((gang, jobs) -> {
            out.putInt(gang);
            out.putInts(jobs, jobs.length);
        });
    }

    void restore(StateReader in) {
        next = in.getInt();
        for (int n = in.getInt(); n > 0; n--) {
            int gang = in.getInt();
            int[] jobs = in.getInts();
            members.put(gang, jobs);
            for (int job : jobs) {
                gangs.put(job, gang);
            }
        }
    }
}
