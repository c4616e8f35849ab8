package dev.stowage.study.bound;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Declared;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.sim.statistics.Intervals;
import dev.stowage.sim.workload.ParallelJobsWorkload;
import dev.stowage.sim.workload.RequestStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * A lower bound of the mean completion time of jobs of many tasks, for any policy: all servers as one machine that
 * works on each task as the most efficient server would, and on the job that has least work left (no order of one
 * machine has a smaller mean: L. Schrage, A Proof of the Optimality of the Shortest Remaining Processing Time
 * Discipline, Operations Research 1968). Every task also takes at least its work at the largest server. O(jobs log jobs
 * + tasks x servers).
 */
public final class JobBound {
    public static final String METRIC = "job_completion_bound_s";
    private static final double NANOS = 1e9;

    private final ParallelJobsWorkload workload;
    private final double wholeSpeed;
    private final double largestSpeed;
    private final int servers;

    private JobBound(Experiment experiment, ParallelJobsWorkload workload) {
        this.workload = workload;
        Cluster cluster = experiment.cluster();
        int divisible = 0;
        while (!cluster.resources().get(divisible).divisible()) {
            divisible++;
        }
        double sum = 0;
        double most = 0;
        int count = 0;
        for (Site site : cluster.sites()) {
            for (ServerBlock block : site.servers()) {
                double speed = (double) block.capacity().get(divisible) / experiment.speedOneShare();
                sum += block.count() * speed;
                most = Math.max(most, speed);
                count += block.count();
            }
        }
        wholeSpeed = sum;
        largestSpeed = most;
        servers = count;
    }

    /**
     * A job: its arrival, its work on the most efficient servers, and that of its largest task, all in seconds.
     *
     * @param load its energy at efficiency 1, or its own budget, by power
     */
    record Job(double arrival, double work, double largest, double load) {
        private Job with(Job task) {
            return new Job(arrival, work + task.work, Math.max(largest, task.largest), load + task.load);
        }
    }

    /**
     * The bound of an experiment's runs, over its replications.
     *
     * @param summary of a policy; without a bound if the jobs it completed are not known: it left some unfinished, or
     *     rejected others than those that never meet the policy's energy budget
     */
    public static Optional<Estimate> of(Experiment experiment, SummaryRow summary) {
        if (!(experiment.workload() instanceof ParallelJobsWorkload workload)
                || count(summary, "jobs_unfinished") != 0
                || !experiment.changes().isEmpty()
                || experiment.origins().areLimited()
                || experiment.cluster().resources().stream().noneMatch(Resource::divisible)) {
            return Optional.empty();
        }
        JobBound bound = new JobBound(experiment, workload);
        double[] means = new double[summary.replications()];
        long left = Math.round(count(summary, "jobs_rejected") * means.length);
        for (int r = 0; r < means.length; r++) {
            List<Job> jobs = bound.jobs(ExperimentRunner.seed(experiment.seed(), r));
            int all = jobs.size();
            jobs.removeIf(job -> job.work() > job.load() * (1 + bound.spread(summary)) * (1 + 1e-12));
            left -= all - jobs.size();
            means[r] = bound.mean(jobs);
        }
        return left == 0 ? Optional.of(Intervals.replications(means, experiment.confidence())) : Optional.empty();
    }

    private static double count(SummaryRow summary, String metric) {
        Estimate estimate = summary.metrics().get(metric);
        return estimate == null ? Double.NaN : estimate.mean();
    }

    /**
     * The budget spread of policy {@code ontapra}. With another default it would reject other jobs, and there would be
     * no bound.
     */
    private double spread(SummaryRow summary) {
        if (workload.budgetFactor() > 0) {
            return 0;
        }
        String spread = String.valueOf(summary.origin().parameters().getOrDefault("budget-spread", "0.1"));
        return spread.equals("none") ? Double.POSITIVE_INFINITY : Double.parseDouble(spread);
    }

    private List<Job> jobs(long seed) {
        Map<Long, Job> jobs = new LinkedHashMap<>();
        RequestStream stream = workload.open(seed);
        KeyedRandom random = new KeyedRandom();
        int number = workload.resources().indexOf(Declared.JOB);
        int budget = workload.resources().indexOf(Declared.BUDGET);
        double watts = workload.powerMilliwatts() == 0 ? 1 : workload.powerMilliwatts() / 1e3;
        while (stream.next()) {
            double best = 0;
            long load = stream.demand(workload.resources().indexOf(Declared.LOAD));
            for (int j = 0; j < servers; j++) {
                best = Math.max(best, workload.efficiency().of(load, 1, j, random));
            }
            double seconds = stream.workNanos() / NANOS;
            double most = budget < 0 ? seconds : stream.demand(budget) / watts;
            Job task = new Job(stream.arrivalNanos() / NANOS, seconds / best, seconds / best, most);
            jobs.merge(stream.demand(number), task, Job::with);
        }
        return new ArrayList<>(jobs.values());
    }

    private double mean(List<Job> jobs) {
        double alone = jobs.stream().mapToDouble(Job::largest).sum() / largestSpeed;
        return Math.max(alone, flowTime(jobs, wholeSpeed)) / jobs.size();
    }

    /** Sum of the times in the system on one machine, least remaining work first. */
    static double flowTime(List<Job> jobs, double speed) {
        // Remaining work and arrival.
        PriorityQueue<double[]> open = new PriorityQueue<>((a, b) -> Double.compare(a[0], b[0]));
        double now = 0;
        double sum = 0;
        int next = 0;
        while (next < jobs.size() || !open.isEmpty()) {
            double arrival = next < jobs.size() ? jobs.get(next).arrival : Double.POSITIVE_INFINITY;
            double[] first = open.peek();
            if (first != null && now + first[0] / speed <= arrival) {
                now += first[0] / speed;
                sum += now - first[1];
                open.remove();
                continue;
            }
            if (first != null) {
                open.remove();
                open.add(new double[] {first[0] - (arrival - now) * speed, first[1]});
            }
            now = arrival;
            open.add(new double[] {jobs.get(next++).work, arrival});
        }
        return sum;
    }
}
