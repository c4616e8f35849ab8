package dev.stowage.policies.parallel.online;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.View;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.policies.parallel.ParallelJob;
import dev.stowage.policies.parallel.Plan;
import dev.stowage.policies.parallel.PlanningProblem;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** Plans waiting jobs on the available capacity, and starts planned jobs. */
final class JobPlanner {
    /** No plan; its job would never complete. */
    static final Planned NONE = new Planned(null, null, null);

    private static final long BUDGETS = Streams.of("parallel-online-budgets");
    private static final double ROUNDING = 1e-12;

    private final OnlineSettings settings;
    private final Center center;
    private final ResidualCapacity residual;
    private final KeyedRandom random = new KeyedRandom();

    JobPlanner(OnlineSettings settings, Center center, ResidualCapacity residual) {
        this.settings = settings;
        this.center = center;
        this.residual = residual;
    }

    /** The plan of a job; the same attempt at the same time gives the same plan. */
    Planned plan(WaitingJob job, int attempt, View view) {
        double[] available = center.available(view);
        if (DoubleStream.of(available).sum() == 0) {
            return NONE;
        }
        random.key(view.order(job.task(0)), BUDGETS, view.now() + attempt);
        double part = random.nextDouble();
        double budget = job.budget() > 0 ? job.budget() : settings.budget(job.energy(), part);
        long seed = random.nextLong();
        PlanningProblem problem =
                new PlanningProblem(parallelJob(job, view), settings.limits().of(available), budget);
        Plan plan = settings.planner().plan(problem, seed);
        return plan.feasible() ? new Planned(job, plan, residual) : NONE;
    }

    private ParallelJob parallelJob(WaitingJob job, View view) {
        double[] load = new double[job.tasks()];
        double[] power = new double[load.length];
        double[] efficiency = new double[load.length * view.servers()];
        for (int i = 0; i < load.length; i++) {
            int task = job.task(i);
            load[i] = center.declared().load(view, task);
            power[i] = center.declared().power(view, task);
            for (int j = 0; j < view.servers(); j++) {
                efficiency[i * view.servers() + j] = center.efficiency(view, task, j);
            }
        }
        return new ParallelJob(load, power, efficiency);
    }

    /** Why a job can never be scheduled, however empty the center; empty if it can. */
    String whyHopeless(WaitingJob job, View view) {
        double energy = 0;
        for (int i = 0; i < job.tasks(); i++) {
            double least = Double.POSITIVE_INFINITY;
            for (int j = 0; j < view.servers(); j++) {
                if (view.capacity(j, center.divisible()) > 0) {
                    least = Math.min(least, center.equivalentLoad(view, job.task(i), j));
                }
            }
            if (least == Double.POSITIVE_INFINITY) {
                return "no server has any of the divisible resource";
            }
            energy += center.declared().power(view, job.task(i)) * least;
        }
        if (job.budget() > 0) {
            return energy > job.budget() * (1 + ROUNDING)
                    ? "the least energy of its job is above the job's budget"
                    : "";
        }
        return energy > settings.budget(job.energy(), 1) * (1 + ROUNDING)
                ? "the least energy of its job is above the largest budget"
                : "";
    }

    /** A job with its plan, or neither. */
    static final class Planned {
        private final @Nullable WaitingJob job;
        private final @Nullable Plan plan;
        private final @Nullable ResidualCapacity residual;

        private Planned(@Nullable WaitingJob job, @Nullable Plan plan, @Nullable ResidualCapacity residual) {
            this.job = job;
            this.plan = plan;
            this.residual = residual;
        }

        boolean feasible() {
            return plan != null;
        }

        double completion() {
            return plan == null ? Double.POSITIVE_INFINITY : plan.completion();
        }

        /** Places the tasks; one that does not fit because of another resource keeps waiting. */
        void start(View view, Actions actions) {
            if (job == null || plan == null || residual == null) {
                return;
            }
            int divisible = view.divisibleResource();
            for (int i = 0; i < job.tasks(); i++) {
                int task = job.task(i);
                int server = plan.server(i);
                if (view.fits(task, server)) {
                    actions.place(task, server, "as planned");
                    long most = view.free(server, divisible) + view.share(task);
                    long amount = Math.min(Math.max(1, (long) plan.amount(i)), most);
                    actions.allocate(task, amount);
                    residual.planned(task, amount);
                }
            }
        }
    }
}
