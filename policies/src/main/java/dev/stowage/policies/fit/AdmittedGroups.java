package dev.stowage.policies.fit;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.policy.View;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The groups of servers ({@link View#group}) that constraints admit, in ascending order of penalty and number, in tiers
 * of one penalty ({@link View#penalty}): without penalties all are one tier. They are remembered by number of the
 * constraints where they are few and do not depend on what runs; otherwise finding them takes O(groups), with penalties
 * O(groups log groups).
 */
final class AdmittedGroups {
    private static final int MOST_REMEMBERED = 64;

    private final boolean byPenalty;
    private @Nullable Constraints[] asked = {};
    private int[][] answers = {};
    private int[][] ends = {};
    /** The answer of the last search that took place. */
    private int[] found = new int[16];

    /** Behind the last group of each tier, of the last search. */
    private int[] foundEnds = new int[1];

    private int[] answer = found;
    private int[] tierEnds = foundEnds;
    private int size;
    private int tiers;
    private long[] sorted = {};
    private long grouping;
    private int groups;

    /** @param byPenalty whether penalties are looked at */
    AdmittedGroups(boolean byPenalty) {
        this.byPenalty = byPenalty;
    }

    /** Finds the groups that constraints other than none admit. */
    void find(View view, int constraint) {
        if (grouping != view.grouping() || groups != view.groups()) {
            grouping = view.grouping();
            groups = view.groups();
            Arrays.fill(asked, null);
        }
        Constraints what = view.constraints(constraint);
        if (constraint < asked.length && isSame(asked[constraint], what)) {
            answer = answers[constraint];
            tierEnds = ends[constraint];
            size = answer.length;
            tiers = tierEnds.length;
            return;
        }
        search(view, constraint);
        sort(view, constraint, byPenalty && !what.penalty().isEmpty());
        answer = found;
        tierEnds = foundEnds;
        if (size <= MOST_REMEMBERED && !view.spreadsOverLabels(constraint)) {
            if (constraint >= asked.length) {
                asked = Arrays.copyOf(asked, Math.max(view.constraints(), 2 * asked.length));
                answers = Arrays.copyOf(answers, asked.length);
                ends = Arrays.copyOf(ends, asked.length);
            }
            asked[constraint] = what;
            answers[constraint] = Arrays.copyOf(found, size);
            ends[constraint] = Arrays.copyOf(foundEnds, tiers);
        }
    }

    /** Numbers are reused, and as long as one is in use its constraints are one object. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(@Nullable Constraints one, Constraints other) {
        return one == other;
    }

    private void search(View view, int constraint) {
        if (found.length < groups) {
            found = new int[groups];
        }
        size = 0;
        for (int group = 0; group < groups; group++) {
            if (view.admitsGroup(constraint, group)) {
                found[size++] = group;
            }
        }
    }

    private void sort(View view, int constraint, boolean inTiers) {
        tiers = size == 0 ? 0 : 1;
        foundEnds[0] = size;
        if (!inTiers || size < 2) {
            return;
        }
        if (sorted.length < size) {
            sorted = new long[found.length];
            foundEnds = new int[found.length];
        }
        for (int k = 0; k < size; k++) {
            sorted[k] = ((long) view.penalty(constraint, found[k]) << Integer.SIZE) | found[k];
        }
        Arrays.sort(sorted, 0, size);
        tiers = 0;
        for (int k = 0; k < size; k++) {
            found[k] = (int) sorted[k];
            tiers += k == 0 || sorted[k] >>> Integer.SIZE > sorted[k - 1] >>> Integer.SIZE ? 1 : 0;
            foundEnds[tiers - 1] = k + 1;
        }
    }

    /** Number of tiers found. */
    int tiers() {
        return tiers;
    }

    /** The first group of a tier, or after the last of all. */
    int start(int tier) {
        return tier == 0 ? 0 : tierEnds[tier - 1];
    }

    /** The k-th group found. */
    int get(int k) {
        return answer[k];
    }
}
