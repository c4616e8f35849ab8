package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.FirstFit;
import org.jspecify.annotations.Nullable;

/**
 * VQS-BF (section VI): BF-S, in which a server first takes the requests that its active configuration asks for. An
 * empty server renews its configuration; then, in index order, each server takes
 *
 * <ol>
 *   <li>if k_1 = 1 and it holds no request of class 1, the largest of virtual queue 1 that fits;
 *   <li>from the other virtual queue of its configuration the largest that fits, until it holds k_j of that class;
 *   <li>from the whole queue the largest that fits, until none does.
 * </ol>
 *
 * <p>O(J) per renewal and O(log) per placement.
 */
final class VqsBf extends BfS {
    private final VirtualQueues queues;
    private final WaitingByClass waiting;
    private final ServerContents contents;
    private final @Nullable StallsLightConfigurations stalling;

    private VqsBf(
            VirtualQueues queues,
            WaitingByClass waiting,
            ServerContents contents,
            FirstFit firstFit,
            @Nullable StallsLightConfigurations stalling) {
        super(waiting, firstFit, stalling);
        this.queues = queues;
        this.waiting = waiting;
        this.contents = contents;
        this.stalling = stalling;
    }

    static VqsBf of(View view, VirtualQueueOptions options) {
        VirtualQueues queues = new VirtualQueues(view, options.levels());
        WaitingByClass waiting = new WaitingByClass(view, options.score(), queues);
        ServerContents contents = new ServerContents();
        StallsLightConfigurations stalling =
                options.stalling() > 0 ? new StallsLightConfigurations(options.stalling(), queues, contents) : null;
        return new VqsBf(queues, waiting, contents, new FirstFit(view, open(stalling)), stalling);
    }

    @Override
    public void started(View view, Actions actions) {
        rejoin(view);
    }

    /** All requests join their virtual queues anew. */
    private void rejoin(View view) {
        waiting.rebuild(view);
        contents.recount(view, queues);
        if (stalling != null) {
            stalling.rebuild(view);
        }
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        if (queues.arrived(view, job)) {
            rejoin(view);
        }
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        // Its size was recorded when it arrived.
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        if (queues.serverChanged(view, server)) {
            rejoin(view);
        } else {
            contents.recount(view, queues, server);
        }
        super.serverChanged(server, view, actions);
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server != View.NONE) {
            contents.count(view, queues, server, job, -1);
        }
        super.left(job, server, view, actions);
    }

    @Override
    void placed(View view, int job, int server) {
        contents.count(view, queues, server, job, 1);
    }

    @Override
    int next(View view, int server) {
        if (view.firstOn(server) == View.NONE) {
            contents.renew(server, queues.heaviest(view, server));
        }
        int job = asConfigured(view, server);
        return job != View.NONE ? job : waiting.choose(view, server);
    }

    private int asConfigured(View view, int server) {
        int active = contents.active(server);
        if (active == ReducedConfigurations.NONE) {
            return View.NONE;
        }
        int offset = queues.offset(view, server);
        if (ReducedConfigurations.holdsBig(active) && contents.big(server) == 0) {
            int job = waiting.choose(view, offset + Partition.BIG, server);
            if (job != View.NONE) {
                return job;
            }
        }
        int other = queues.other(view, server, active);
        return other != View.NONE && contents.others(server) < ReducedConfigurations.slots(active)
                ? waiting.choose(view, other, server)
                : View.NONE;
    }

    @Override
    public void save(StateWriter out) {
        queues.save(out);
        contents.save(out);
        super.save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        queues.restore(in, view);
        waiting.restored(view);
        contents.restore(in, view, queues);
        super.restore(in, view);
    }
}
