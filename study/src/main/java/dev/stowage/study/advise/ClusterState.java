package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A cluster at one moment.
 *
 * @param resources names of the resources, as in {@code cpu}
 * @param servers servers
 * @param jobs jobs that run or wait, in the order in which they came
 * @param rules rules on neighbours
 * @param budgets budgets of disruption
 */
public record ClusterState(
        List<String> resources,
        List<ClusterServer> servers,
        List<ClusterJob> jobs,
        List<NeighbourRule> rules,
        List<DisruptionBudget> budgets) {
    /**
     * Checks that all numbers of servers, rules and budgets exist.
     *
     * @throws IllegalArgumentException if one does not
     */
    public ClusterState {
        resources = List.copyOf(resources);
        servers = List.copyOf(servers);
        jobs = List.copyOf(jobs);
        rules = List.copyOf(rules);
        budgets = List.copyOf(budgets);
        int ruleCount = rules.size();
        int budgetCount = budgets.size();
        for (ClusterServer server : servers) {
            checkLength("server " + server.name(), server.capacity().length, resources.size());
        }
        for (NeighbourRule rule : rules) {
            checkLength("rule " + rule.text(), rule.domain().length, servers.size());
        }
        for (ClusterJob job : jobs) {
            String name = "job " + job.name();
            checkLength(name, job.demand().length, resources.size());
            checkLength(name, job.admission().forbiddenBy().size(), servers.size());
            checkNumber(name, job.server(), -1, servers.size());
            for (long amount : job.demand()) {
                if (amount < 0) {
                    throw new IllegalArgumentException(name + ": demand " + amount + ", must be at least 0");
                }
            }
            job.boundBy().forEach(rule -> checkNumber(name, rule, 0, ruleCount));
            job.countedBy().forEach(rule -> checkNumber(name, rule, 0, ruleCount));
            job.budgets().forEach(budget -> checkNumber(name, budget, 0, budgetCount));
        }
    }

    private static void checkLength(String what, int length, int expected) {
        if (length != expected) {
            throw new IllegalArgumentException(what + ": " + length + " values, must be " + expected);
        }
    }

    private static void checkNumber(String what, int number, int from, int end) {
        if (number < from || number >= end) {
            throw new IllegalArgumentException(what + ": number " + number + ", must be " + from + " to " + (end - 1));
        }
    }

    /**
     * The same with jobs elsewhere.
     *
     * @param where the server of each job
     * @param placed what becomes of a job that is placed on another server, or was not on one
     */
    ClusterState withPlaces(int[] where, UnaryOperator<ClusterJob> placed) {
        List<ClusterJob> all = new ArrayList<>();
        for (ClusterJob job : jobs) {
            int to = where[all.size()];
            all.add(to == job.server() ? job : placed.apply(job.on(to)));
        }
        return new ClusterState(resources, servers, all, rules, budgets);
    }

    /** Whether a job may be moved: it runs, nothing holds it, and each of its budgets allows one disruption. */
    public boolean mayMove(ClusterJob job) {
        return !job.waits()
                && job.stay() == ClusterJob.Hold.MOVABLE
                && job.budgets().stream().allMatch(budget -> budgets.get(budget).most() > 0);
    }
}
