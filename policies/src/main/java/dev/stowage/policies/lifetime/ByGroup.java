package dev.stowage.policies.lifetime;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.ServerChoice;
import dev.stowage.policies.index.ItemHeaps;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The server of the group that a request prefers, of those with room ({@link Grouping}); within a group as another
 * choice says, which is kept for each group. With penalties the least one goes first, then the group.
 */
final class ByGroup implements ServerChoice {
    private static final int NOWHERE = -1;

    private final Grouping groups;
    private final IntPredicate open;
    private final BiFunction<View, IntPredicate, ServerChoice> choice;
    /** Of each group that had servers. */
    private final @Nullable ServerChoice[] parts;

    private final int[] preferred;
    private final boolean[] asked;
    private int[] groupOf = new int[0];

    /** Servers by the time until which they stay in their group. */
    private ItemHeaps due = new ItemHeaps();

    private int firstDue = ItemHeaps.NONE;

    /**
     * With the servers of the view.
     *
     * @param choice makes the choice within a group, among its servers
     */
    ByGroup(View view, IntPredicate open, Grouping groups, BiFunction<View, IntPredicate, ServerChoice> choice) {
        this.groups = groups;
        this.open = open;
        this.choice = choice;
        parts = new ServerChoice[groups.count()];
        preferred = new int[groups.count()];
        asked = new boolean[groups.count()];
        rebuild(view);
    }

    @Override
    public void rebuild(View view) {
        Arrays.fill(parts, null);
        Arrays.fill(groupOf, NOWHERE);
        due = new ItemHeaps();
        firstDue = ItemHeaps.NONE;
        for (int server = 0; server < view.servers(); server++) {
            update(view, server);
        }
    }

    @Override
    public void update(View view, int server) {
        if (groupOf.length < view.servers()) {
            int old = groupOf.length;
            groupOf = Arrays.copyOf(groupOf, view.servers() + (view.servers() >> 1));
            Arrays.fill(groupOf, old, groupOf.length, NOWHERE);
        }
        int before = groupOf[server];
        boolean up = view.status(server) == ServerStatus.UP;
        if (!up) {
            groups.away(server);
        }
        int group = up ? groups.of(view, server) : NOWHERE;
        lookAgain(server, up ? groups.until() : ExpectedEnds.NEVER);
        groupOf[server] = group;
        if (before != NOWHERE && before != group) {
            part(view, before).update(view, server);
        }
        if (group != NOWHERE) {
            part(view, group).update(view, server);
        }
    }

    private ServerChoice part(View view, int group) {
        ServerChoice part = parts[group];
        if (part == null) {
            part = choice.apply(view, server -> groupOf[server] == group && open.test(server));
            parts[group] = part;
        }
        return part;
    }

    private void lookAgain(int server, long at) {
        if (due.contains(server)) {
            firstDue = due.remove(firstDue, server);
        }
        if (at != ExpectedEnds.NEVER) {
            firstDue = due.insert(firstDue, server, at);
        }
    }

    @Override
    public int choose(View view, int job, int site) {
        while (firstDue != ItemHeaps.NONE && due.order(firstDue) <= view.now()) {
            update(view, firstDue);
        }
        int count = groups.preferred(view, job, preferred);
        Arrays.fill(asked, false);
        int best = View.NONE;
        for (int k = 0; k < count; k++) {
            asked[preferred[k]] = true;
            best = better(view, job, site, preferred[k], best);
        }
        for (int group = 0; group < parts.length; group++) {
            best = asked[group] ? best : better(view, job, site, group, best);
        }
        return best;
    }

    /** The best so far, or that of a group that comes after it. */
    private int better(View view, int job, int site, int group, int best) {
        ServerChoice part = parts[group];
        if (part == null || (best != View.NONE && penalty(view, job, best) == 0)) {
            return best;
        }
        int its = part.choose(view, job, site);
        return its != View.NONE && (best == View.NONE || penalty(view, job, its) < penalty(view, job, best))
                ? its
                : best;
    }

    private static int penalty(View view, int job, int server) {
        int constraint = view.constraint(job);
        return constraint == 0 ? 0 : view.constraints(constraint).penalty(view.labels(server));
    }

    @Override
    public String reason() {
        return "best of the servers whose requests have lifetimes as they suit it";
    }
}
