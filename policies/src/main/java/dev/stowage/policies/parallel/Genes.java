package dev.stowage.policies.parallel;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;

/** Shared by the genetic planners: a chromosome is the server of each task, its fitness the job completion time. */
final class Genes {
    private final PlanningProblem problem;
    private final Limits limits;
    private final RowTimes rows;
    private final KeyedRandom random;

    Genes(PlanningProblem problem, Allocation allocation, KeyedRandom random) {
        this.problem = problem;
        this.limits = problem.limits;
        this.rows = allocation.rowTimes(limits);
        this.random = random;
    }

    /** A server on which a task can run, uniform. */
    int anyServer(int task) {
        int server = random.nextInt(limits.servers());
        while (!problem.canRun(task, server)) {
            server = random.nextInt(limits.servers());
        }
        return server;
    }

    int[] anyPlacement() {
        int[] servers = new int[problem.job.tasks()];
        for (int i = 0; i < servers.length; i++) {
            servers[i] = anyServer(i);
        }
        return servers;
    }

    /** Completion time of a placement; O(tasks x rows per server + rows). */
    double completion(int[] servers) {
        Arrays.fill(rows.state, 0);
        for (int i = 0; i < servers.length; i++) {
            double load = problem.job.equivalentLoad(i, servers[i]);
            for (int e = limits.start[servers[i]]; e < limits.start[servers[i] + 1]; e++) {
                rows.add(limits.row[e], limits.coefficient[e], load);
            }
        }
        double completion = 0;
        for (int k = 0; k < limits.rows(); k++) {
            completion = Math.max(completion, rows.time(k));
        }
        return completion;
    }

    /** The fitter of two chromosomes drawn at random. */
    int tournament(double[] completion) {
        int one = random.nextInt(completion.length);
        int other = random.nextInt(completion.length);
        return completion[other] < completion[one] ? other : one;
    }

    /**
     * A child: the first tasks as one parent, the others as the other one. If no crossover is drawn, it has only one
     * parent.
     */
    int[] child(int[] one, int[] other, double crossover) {
        int[] child = one.clone();
        if (random.nextDouble() < crossover) {
            int cut = random.nextInt(child.length);
            System.arraycopy(other, cut, child, cut, child.length - cut);
        }
        return child;
    }

    /** Gives each task, with a probability, any server. */
    void mutate(int[] servers, double probability) {
        for (int i = 0; i < servers.length; i++) {
            if (random.nextDouble() < probability) {
                servers[i] = anyServer(i);
            }
        }
    }

    static int fittest(double[] completion) {
        int best = 0;
        for (int c = 1; c < completion.length; c++) {
            best = completion[c] < completion[best] ? c : best;
        }
        return best;
    }
}
