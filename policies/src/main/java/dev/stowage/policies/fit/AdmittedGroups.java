package dev.stowage.policies.fit;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.policy.View;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The groups of servers ({@link View#group}) that constraints admit, in ascending order. They are remembered by number
 * of the constraints where they are few and do not depend on what runs; otherwise finding them takes O(groups).
 */
final class AdmittedGroups {
    private static final int MOST_REMEMBERED = 64;

    private @Nullable Constraints[] asked = {};
    private int[][] answers = {};
    /** The answer of the last search that took place. */
    private int[] found = new int[16];

    private int[] answer = found;
    private int size;
    private long grouping;
    private int groups;

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
            size = answer.length;
            return;
        }
        search(view, constraint);
        answer = found;
        if (size <= MOST_REMEMBERED && !view.spreadsOverLabels(constraint)) {
            if (constraint >= asked.length) {
                asked = Arrays.copyOf(asked, Math.max(view.constraints(), 2 * asked.length));
                answers = Arrays.copyOf(answers, asked.length);
            }
            asked[constraint] = what;
            answers[constraint] = Arrays.copyOf(found, size);
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

    /** Number of groups found. */
    int size() {
        return size;
    }

    /** The k-th group found. */
    int get(int k) {
        return answer[k];
    }
}
