package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.EarliestOrHalf;
import dev.stowage.policies.fit.Score;

/**
 * Best fit for the new arrivals; a server with departures takes waiting requests in order of arrival, but with one
 * resource, while it is less than half full, the largest first if that demands more than half of it. For a request that
 * waits too long one server is held ({@link HeldForDue}); it goes there, or to another server where it fits earlier,
 * ahead of all others.
 *
 * <p><b>Theorem 1.</b> With one resource, equal servers, sizes bounded away from 0, slotted time and geometric
 * service times at least half of the maximum supportable load is supported, as by BF-J/S (Psychas and Ghaderi
 * 2019, Theorem 2). <i>Proof sketch.</i> That proof needs two things of a policy: while much waits that demands at
 * most half of a server, a server less than half full takes of it until it is half full; and while many wait that
 * demand more, a server that has become empty takes the largest of them, and each time that it leaves the largest
 * that fits, which is more than half again. Both hold for the servers that are not held: they are filled until
 * nothing fits, and the second case is the rule for servers less than half full. A server held for a request of size
 * s &lt;= 1/2 is filled above 1 - s &gt;= 1/2 until the request has room. One held for a larger request may be less
 * than half full, until the request goes there, when the server is empty at the latest; that takes a time with a
 * geometric tail, because nothing is added, and the part of a long window in which such a server is held is as small
 * as we like, because the k-th hold is followed by k times its length without one. So in a window of N slots each
 * server is at least half full in all but o(N) of them, and the drift of the proof, equation (41), is negative
 * beyond a finite set.
 *
 * <p><b>Theorem 2.</b> Let servers stay as they are, no service last longer than S, and requests have no gangs,
 * pools, constraints or earlier displacements. A request that fits an empty server, and that waits while ten times
 * as many arrive as can run at a time, is placed at most (m + 1) (k + m + 2) S later, where m wait before it then,
 * and k holds were begun since somebody was due. <i>Proof.</i> From then on it is due, and so are those before it,
 * so no hold passes over those before it: m + 1 of them suffice. Hold j lasts at most S, because its server takes
 * nothing else; the pause after it lasts at most j S, and the first step after it comes at most S later, as long as
 * something runs. The sum of (j + 2) S over j = k + 1, ..., k + m + 1, less the last pause and step, is below what
 * is stated. How long it takes until a request is due depends on how many arrive, not on the policy.
 *
 * <p>Neither theorem says that waits are short; what was measured is in the documentation (which policy to choose).
 * With several resources the policy is a heuristic, except for Theorem 2.
 */
final class BfDue extends BfJs {
    private static final String DUE = "was due: a server was held until it fit";

    private final HeldForDue held;

    BfDue(View view, Score score) {
        this(view, score, new HeldForDue());
    }

    private BfDue(View view, Score score, HeldForDue held) {
        super(view, new EarliestOrHalf(view), score, held);
        this.held = held;
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        held.arrived(view, job);
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server == View.NONE && held.server() != View.NONE && held.job() == job) {
            int was = held.server();
            held.end(view);
            opened(view, was);
        }
        super.left(job, server, view, actions);
    }

    @Override
    public void round(View view, Actions actions) {
        if (held.server() != View.NONE) {
            serveDue(view, actions);
        }
        super.round(view, actions);
        if (view.queueLength(0) == 0) {
            held.nobodyIsDue();
        }
    }

    private void serveDue(View view, Actions actions) {
        int job = held.job();
        int was = held.server();
        int server = view.fits(job, was) ? was : choice().choose(view, job);
        if (server != View.NONE || !held.isOfUse(view)) {
            held.end(view);
            if (server != View.NONE) {
                placeFirst(view, actions, job, server, DUE);
            }
            opened(view, was);
        }
    }
}
