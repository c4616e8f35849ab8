package dev.stowage.report;

import dev.stowage.sim.result.MetricName;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A metric in the report: its title, its format and how it is judged.
 *
 * @param title heading for people, with the unit if the values do not carry it
 * @param quantity how values are written
 * @param better whether less or more is better, or neither
 * @param traits what else holds of it
 */
record Metric(String title, Quantity quantity, Better better, Set<Trait> traits) {

    enum Trait {
        /** It depends on the length of the run when the queue is unstable. */
        GROWS,
        /** It may be below zero. */
        SIGNED,
        /** It is never above 1. */
        SHARE
    }

    enum Better {
        LESS,
        MORE,
        NEITHER
    }

    /** How many requests of an inventory find no place. */
    static final String WITHOUT_PLACE = "without_place";

    /** What an inventory is compared by, whether or not policies differ in it. */
    static final List<String> OF_INVENTORIES = List.of(WITHOUT_PLACE, "occupied_servers_mean");

    /** Metrics of the summary table, in its order; those with a resource appear once per resource. */
    static final List<String> MAIN = List.of(
            "size_servers",
            WITHOUT_PLACE,
            "wait_mean_s",
            "wait_p99_s",
            "wait_max_s",
            "queue_length_mean",
            "utilization",
            "devices_in_use_mean",
            "occupied_servers_mean",
            "idle_servers_mean",
            "stranded",
            "cost_mean",
            "rejection_fraction",
            "expired_fraction",
            "migrations",
            "gangs_placed",
            "failed_starts",
            "evicted",
            "lost_run_s",
            "reward_rate",
            "reward_of_bound",
            "dummy_share",
            "job_completion_mean_s",
            "job_completion_p50_s",
            "completion_of_tapra",
            "completion_of_bound",
            "completion_of_bound_p50",
            "amount_held",
            "planning_cpu_s",
            "planning_of_tapra_fast",
            "scheduler_cpu_s");

    /**
     * A metric of the load, not of a policy: in the summary table before the metrics of {@link #MAIN}, in no plot or
     * verdict.
     */
    static final String LOAD = "load_of_bound";

    /** Likewise a bound of the servers that any policy needs. */
    static final String SIZE_BOUND = "size_bound";

    /** What decides between policies, most telling first: the columns that a terminal has room for. */
    static final List<String> DECIDING = List.of(
            "size_servers",
            WITHOUT_PLACE,
            "reward_of_bound",
            "completion_of_bound",
            "wait_mean_s",
            "wait_p99_s",
            "rejection_fraction",
            "expired_fraction",
            "job_completion_mean_s",
            "completion_of_tapra",
            "planning_cpu_s",
            "utilization",
            "occupied_servers_mean",
            "wait_max_s",
            "migrations",
            "evicted");

    /** Metrics of {@link #MAIN} that are left out if they are 0 everywhere. */
    static final List<String> ONLY_IF_USED = List.of(
            "idle_servers_mean",
            "cost_mean",
            "migrations",
            "gangs_placed",
            "failed_starts",
            "evicted",
            "lost_run_s",
            "reward_rate",
            "reward_of_bound",
            "dummy_share");

    static Metric of(MetricName name) {
        String of = name.resource().isEmpty() ? "" : " " + name.resource();
        return switch (name.base()) {
            case LOAD -> metric("load / maximum", Quantity.FRACTION, Better.NEITHER);
            case LOAD + "_least" -> metric("least load / maximum", Quantity.FRACTION, Better.NEITHER);
            case LOAD + "_most" -> metric("greatest load / maximum", Quantity.FRACTION, Better.NEITHER);
            case SIZE_BOUND -> count("proven least number of servers", Better.NEITHER);
            case "size_servers" -> count("servers needed", Better.LESS);
            case "wait_mean_s" -> wait("mean wait");
            case "wait_p50_s" -> wait("median wait");
            case "wait_p90_s" -> wait("wait, 90th percentile");
            case "wait_p99_s" -> wait("wait, 99th percentile");
            case "wait_max_s" -> wait("longest wait");
            case "waited_fraction" -> share("share that waited", Better.LESS, Trait.GROWS);
            case "queue_length_mean" -> metric("waiting requests", Quantity.COUNT, Better.LESS, Trait.GROWS);
            case "queue_length_max" -> count("peak waiting requests", Better.LESS);
            case "queue_length_final" -> count("waiting at the end", Better.LESS);
            case "utilization" -> share((name.resource() + " utilization").strip(), Better.NEITHER);
            case "stranded" -> share("stranded" + of, Better.LESS);
            case "devices_in_use_mean" -> count("devices in use" + of, Better.MORE);
            case "fragments_mean" -> count("free" + of + " devices that the request cannot use", Better.LESS);
            case "queued_demand_mean" -> metric("queued" + of, Quantity.COUNT, Better.LESS, Trait.GROWS);
            case "queued_demand_max" -> count("peak queued" + of, Better.LESS);
            case "queued_demand_final" -> count("queued at the end" + of, Better.LESS);
            case "in_system_mean" -> metric("requests in the system", Quantity.COUNT, Better.LESS, Trait.GROWS);
            case WITHOUT_PLACE -> count("without a place", Better.LESS);
            case "running_mean" -> count("running requests", Better.NEITHER);
            case "occupied_servers_max" -> count("peak occupied servers", Better.LESS);
            case "idle_servers_mean" -> count("servers empty for an hour", Better.MORE);
            case "cost_mean" -> count("cost of occupied servers", Better.LESS);
            case "occupied_servers_mean" -> count("occupied servers", Better.LESS);
            case "fits_no_server_fraction" -> share("fit no server", Better.NEITHER);
            case "rejection_fraction" -> share("rejected", Better.LESS);
            case "expired_fraction" -> share("share that waited too long", Better.LESS);
            case "expired" -> count("requests that waited too long", Better.LESS);
            case "rejected" -> count("rejected requests", Better.LESS);
            case "arrived", "placed", "left", "displaced", "refused" ->
                count(name.base() + " requests", Better.NEITHER);
            case "server_changes_refused" -> count("refused changes of servers", Better.LESS);
            case "evicted" -> count("evicted by higher priorities", Better.LESS);
            case "failed_starts" -> count("failed starts", Better.LESS);
            case "lost_run_s" -> time("work lost", Better.LESS);
            case "servers_gone" -> count("servers lost", Better.NEITHER);
            case "present_capacity" -> metric("present" + of, Quantity.FRACTION, Better.NEITHER);
            case "gangs_arrived" -> count("gangs", Better.NEITHER);
            case "gangs_placed" -> count("gangs placed", Better.MORE);
            case "migrations" -> count("migrations", Better.LESS);
            case "migrations_per_arrival" -> count("migrations per arrival", Better.LESS);
            case "reward_of_bound" -> metric("reward / greatest", Quantity.FRACTION, Better.MORE, Trait.SIGNED);
            case "greedy_of_bound" ->
                metric("reward of greedy / greatest", Quantity.FRACTION, Better.NEITHER, Trait.SIGNED);
            case "reward_rate" -> metric("reward per second", Quantity.COUNT, Better.MORE, Trait.SIGNED);
            case "dummy_share" -> share("held by dummies" + of, Better.LESS);
            case "job_completion_mean_s" -> time("mean completion of jobs", Better.LESS);
            case "job_completion_p50_s" -> time("median completion of jobs", Better.LESS);
            case "job_completion_bound_s" -> time("lower bound of mean completion", Better.NEITHER);
            case "completion_of_tapra" -> metric("completion / TaPRA's", Quantity.FRACTION, Better.LESS);
            case "completion_of_bound" -> metric("completion / bound", Quantity.FRACTION, Better.LESS);
            case "completion_of_bound_p50" -> metric("median completion / bound", Quantity.FRACTION, Better.LESS);
            case "amount_held" -> count("amount held", Better.MORE);
            case "planning_cpu_s" -> time("processor time to plan", Better.LESS);
            case "planning_of_tapra_fast" -> count("processor time / TaPRA-fast's", Better.LESS);
            case "scheduler_cpu_s" -> time("processor time of the scheduler", Better.LESS);
            default -> unknown(name);
        };
    }

    private static Metric wait(String title) {
        return metric(title, Quantity.TIME, Better.LESS, Trait.GROWS);
    }

    private static Metric time(String title, Better better) {
        return metric(title, Quantity.TIME, better);
    }

    private static Metric share(String title, Better better, Trait... traits) {
        Set<Trait> all = EnumSet.of(Trait.SHARE, traits);
        return new Metric(title, Quantity.FRACTION, better, all);
    }

    private static Metric count(String title, Better better) {
        return metric(title, Quantity.COUNT, better);
    }

    private static Metric metric(String title, Quantity quantity, Better better, Trait... traits) {
        return new Metric(title, quantity, better, Set.of(traits));
    }

    boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** An unknown metric, perhaps written by a later version: shown under its own name. */
    private static Metric unknown(MetricName name) {
        Quantity quantity = name.base().endsWith("_s")
                ? Quantity.TIME
                : name.base().endsWith("_fraction") ? Quantity.FRACTION : Quantity.COUNT;
        return metric(name.toString(), quantity, Better.NEITHER);
    }
}
