package dev.stowage.policies.parallel.online;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * OnTaPRA, Algorithm 3, with its scheduling policy SJF (Algorithm 4) and those that the paper compares it with.
 *
 * <p>A round plans each waiting job once in the orders FCFS, SLF and LLF, and once per job that it starts in SJF:
 * O(jobs^2) plans.
 */
final class OnlineScheduler implements Policy {
    private static final long TICK = 0;
    private static final long SOON = 1;
    private static final long NEVER = -1;

    private final OnlineSettings settings;
    private final Center center;
    private final JobPlanner planner;
    private final ResidualCapacity residual;
    private long tickAt = NEVER;
    private long soonAt = NEVER;

    OnlineScheduler(OnlineSettings settings, View view) {
        this.settings = settings;
        this.center = new Center(view, settings.efficiency());
        this.residual = new ResidualCapacity(center);
        this.planner = new JobPlanner(settings, center, residual);
    }

    @Override
    public void started(View view, Actions actions) {
        for (int j = 0; j < view.servers(); j++) {
            for (int job = view.firstOn(j); job != View.NONE; job = view.next(job)) {
                if (ResidualCapacity.isTask(view, job)) {
                    residual.planned(job, view.share(job));
                    awaitTick(view, actions);
                }
            }
        }
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        actions.enqueue(job, 0, "waits for the next round");
        awaitTick(view, actions);
        soon(view, actions);
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        residual.forget(job);
        arrived(job, view, actions);
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        residual.forget(job);
        if (server == View.NONE) {
            return;
        }
        if (settings.drc()) {
            residual.distribute(server, view, actions);
        }
        if (settings.order() == JobOrder.FCFS) {
            soon(view, actions);
        }
    }

    /** Sets a timer one nanosecond later, after everything that happens now. */
    private void soon(View view, Actions actions) {
        if (soonAt <= view.now()) {
            soonAt = view.now() + 1;
            actions.timer(soonAt, SOON);
        }
    }

    private void awaitTick(View view, Actions actions) {
        if (tickAt == NEVER) {
            tickAt = (Math.floorDiv(view.now() - 1, settings.periodNanos()) + 1) * settings.periodNanos() + 1;
            actions.timer(tickAt, TICK);
        }
    }

    @Override
    public void timer(long tag, View view, Actions actions) {
        if (tag == TICK) {
            tickAt = NEVER;
            schedule(view, actions);
            if (hasJobs(view)) {
                awaitTick(view, actions);
            }
            return;
        }
        rejectHopeless(view, actions);
        if (settings.order() == JobOrder.FCFS) {
            schedule(view, actions);
        }
    }

    private static boolean hasJobs(View view) {
        for (int j = 0; j < view.servers(); j++) {
            if (view.running(j) > 0) {
                return true;
            }
        }
        return view.queueLength(0) > 0;
    }

    /** Rejects jobs that arrived now and that even the empty center could not run. */
    private void rejectHopeless(View view, Actions actions) {
        for (WaitingJob job : WaitingJob.of(view, center)) {
            if (view.arrivedAt(job.task(job.tasks() - 1)) == view.now() - 1) {
                String why = planner.whyHopeless(job, view);
                for (int i = 0; i < job.tasks() && !why.isEmpty(); i++) {
                    actions.reject(job.task(i), why);
                }
            }
        }
    }

    private void schedule(View view, Actions actions) {
        if (settings.drc()) {
            residual.takeBack(view, actions);
        }
        List<WaitingJob> jobs = WaitingJob.of(view, center);
        switch (settings.order()) {
            case SJF -> shortestFirst(jobs, view, actions);
            case FCFS -> inOrder(jobs, view, actions);
            case SLF -> {
                jobs.sort(Comparator.comparingDouble(WaitingJob::load));
                inOrder(jobs, view, actions);
            }
            case LLF -> {
                jobs.sort(Comparator.comparingDouble((WaitingJob job) -> -job.load()));
                inOrder(jobs, view, actions);
            }
        }
        if (settings.drc()) {
            residual.distribute(view, actions);
        }
    }

    private void inOrder(List<WaitingJob> jobs, View view, Actions actions) {
        for (WaitingJob job : jobs) {
            if (settings.marForAll() && center.isScarce(view, settings.leastFree())) {
                return;
            }
            JobPlanner.Planned planned = planner.plan(job, 0, view);
            if (planned.feasible()) {
                planned.start(view, actions);
            }
        }
    }

    private void shortestFirst(List<WaitingJob> waiting, View view, Actions actions) {
        WaitingJob[] jobs = waiting.toArray(WaitingJob[]::new);
        int left = jobs.length;
        for (int attempt = 0; left > 0 && !center.isScarce(view, settings.leastFree()); attempt++) {
            JobPlanner.Planned shortest = JobPlanner.NONE;
            WaitingJob[] planable = new WaitingJob[left];
            int count = 0;
            int at = 0;
            for (int n = 0; n < left; n++) {
                JobPlanner.Planned planned = planner.plan(jobs[n], attempt, view);
                if (planned.feasible()) {
                    if (planned.completion() < shortest.completion()) {
                        shortest = planned;
                        at = count;
                    }
                    planable[count++] = jobs[n];
                }
            }
            if (count == 0) {
                return;
            }
            shortest.start(view, actions);
            System.arraycopy(planable, at + 1, planable, at, count - at - 1);
            left = count - 1;
            jobs = Arrays.copyOf(planable, left);
        }
    }

    @Override
    public void save(StateWriter out) {
        out.putLong(tickAt);
        out.putLong(soonAt);
        residual.save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        tickAt = in.getLong();
        soonAt = in.getLong();
        residual.restore(in);
    }
}
