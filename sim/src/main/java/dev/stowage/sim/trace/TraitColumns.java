package dev.stowage.sim.trace;

import dev.stowage.sim.workload.MaxWait;
import dev.stowage.sim.workload.RequestTraits;
import java.util.function.BiPredicate;
import java.util.function.ToLongFunction;

/**
 * Columns that say how many servers a request needs at once, its priority and its longest wait.
 *
 * @param nodes column of the number of servers, each with one member; -1 for none
 * @param members column of the number of members, which may share servers; -1 for none
 * @param priority column of the priority; -1 for none
 * @param maxWait column of the longest wait; -1 for none
 * @param waitNanos reads the longest wait of a row, nanoseconds
 * @param blank whether a field has no value
 */
record TraitColumns(
        int nodes,
        int members,
        int priority,
        int maxWait,
        ToLongFunction<Fields> waitNanos,
        BiPredicate<Fields, Integer> blank) {
    /** Priority, number of members and longest wait of a row. */
    RequestTraits of(Fields row) {
        int servers = count(row, nodes);
        int sharing = count(row, members);
        if (servers > 1 && sharing > 1) {
            throw row.bad(members, "contradicts the number of servers, " + servers, "only one of them above 1");
        }
        int rank = rank(row);
        RequestTraits its = servers == 1 && sharing == 1 && rank == 0
                ? RequestTraits.NONE
                : new RequestTraits(rank, Math.max(servers, sharing), servers > 1);
        return maxWait < 0 || blank.test(row, maxWait) ? its : its.withMaxWait(MaxWait.of(waitNanos.applyAsLong(row)));
    }

    private int count(Fields row, int column) {
        if (column < 0 || blank.test(row, column)) {
            return 1;
        }
        String text = row.text(column);
        long count = text.indexOf('=') < 0
                ? row.whole(column)
                // What Slurm lists of a job.
                : Math.max(
                        1,
                        Long.parseLong(OwnValues.listed(text, "node").number().replaceFirst("\\..*", "")));
        if (count < 1 || count > RequestTraits.MOST_MEMBERS) {
            throw row.bad(column, "is not a number of servers", "1 to " + RequestTraits.MOST_MEMBERS);
        }
        return (int) count;
    }

    private int rank(Fields row) {
        if (priority < 0 || blank.test(row, priority)) {
            return 0;
        }
        try {
            return Integer.parseInt(row.text(priority).strip());
        } catch (NumberFormatException e) {
            throw row.bad(
                    priority, "is not a priority", "a whole number, " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE);
        }
    }
}
