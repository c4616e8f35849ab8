package dev.stowage.study.bound;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.Reward;
import dev.stowage.optimize.bound.RewardBound;
import dev.stowage.optimize.bound.RewardLimit;
import dev.stowage.optimize.bound.ServerClass;
import dev.stowage.optimize.greedy.GlobalGreedy;
import dev.stowage.optimize.greedy.MaxReward;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.WorkloadPhase;
import dev.stowage.study.load.OfferedLoad;
import dev.stowage.study.load.ServersUp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The greatest reward rate of any policy at one load of an experiment, and that of the greedy assignment (K. Psychas,
 * J. Ghaderi, A Theory of Auto-Scaling for Resource Reservation in Cloud Services, 2020, Definition 3.2).
 *
 * @param atLeast some mix of configurations earns this per second
 * @param atMost no policy earns more than this per second
 * @param greedy what the greedy assignment earns per second
 * @param configurations its configurations, in order
 */
public record RewardPoint(double atLeast, double atMost, double greedy, List<GreedyConfiguration> configurations) {
    private static final double SECOND_NANOS = 1e9;
    private static final double TOLERANCE = 1e-9;

    /**
     * A configuration of the greedy assignment.
     *
     * @param capacity of the servers
     * @param servers servers with it, in the mean
     * @param holds requests per type
     */
    public record GreedyConfiguration(long[] capacity, double servers, Map<String, Integer> holds) {}

    /**
     * The reward from a time on, when a phase of the workload begins.
     *
     * @return empty unless the workload is synthetic with fixed demands of server resources, of which some pay, and
     *     every site may run all requests
     */
    public static Optional<RewardPoint> of(Experiment experiment, double fromSeconds) {
        if (!(experiment.workload() instanceof SyntheticWorkload workload)
                || experiment.cluster().resources().stream().anyMatch(Resource::divisible)
                || experiment.origins().areLimited()) {
            return Optional.empty();
        }
        return workload.phases().stream()
                .filter(phase -> phase.fromNanos() / SECOND_NANOS == fromSeconds)
                .filter(phase -> phase.types().stream().anyMatch(type -> type.rewardMicros() > 0))
                .filter(phase -> phase.types().stream()
                        .allMatch(type -> type.demand().drawnUnits(0).isEmpty()))
                .findFirst()
                .flatMap(phase -> of(experiment, workload, phase));
    }

    private static Optional<RewardPoint> of(Experiment experiment, SyntheticWorkload workload, WorkloadPhase phase) {
        Cluster cluster = experiment.cluster();
        List<ServerClass> servers = ServersUp.bySite(cluster);
        int types = phase.types().size();
        long[][] demand = new long[types][cluster.resources().size()];
        long[] reward = new long[types];
        double[] load = new double[types];
        for (int j = 0; j < types; j++) {
            SyntheticType type = phase.types().get(j);
            for (int r = 0; r < demand[j].length; r++) {
                int source =
                        workload.resources().indexOf(cluster.resources().get(r).name());
                demand[j][r] = source < 0 ? 0 : type.demand().fixedUnits(source);
            }
            reward[j] = type.rewardMicros();
            load[j] = OfferedLoad.inService(type);
        }
        if (Arrays.stream(demand).anyMatch(amounts -> Arrays.stream(amounts).sum() == 0)) {
            return Optional.empty();
        }
        RewardLimit limit = RewardBound.of(servers, demand, reward, load, TOLERANCE);
        GlobalGreedy greedy = new GlobalGreedy(load);
        List<GreedyConfiguration> configurations = new ArrayList<>();
        double earned = 0;
        for (ServerClass each : servers) {
            for (GlobalGreedy.Share share :
                    greedy.assign(new MaxReward(each.capacity(), demand, reward), each.servers())) {
                Map<String, Integer> holds = new LinkedHashMap<>();
                for (int j = 0; j < types; j++) {
                    earned += share.servers() * share.counts()[j] * reward[j];
                    if (share.counts()[j] > 0) {
                        holds.put(phase.types().get(j).name(), share.counts()[j]);
                    }
                }
                configurations.add(new GreedyConfiguration(each.capacity(), share.servers(), holds));
            }
        }
        return Optional.of(new RewardPoint(
                limit.lower() / Reward.ONE_PER_SECOND,
                limit.upper() / Reward.ONE_PER_SECOND,
                earned / Reward.ONE_PER_SECOND,
                configurations));
    }
}
