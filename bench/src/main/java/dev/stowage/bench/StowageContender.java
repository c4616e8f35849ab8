package dev.stowage.bench;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import java.util.List;

/**
 * The engine with one of its policies, every check on, as the simulator drives it: a command per arrival and departure, and
 * the departures to come in a heap outside the engine.
 */
public final class StowageContender implements Contender {
    private static final int EXPIRY_MASK = 1023;
    private static final long POLICY_SEED = 1;

    private final PolicySpec spec;
    private final PolicyFactory policies;

    public StowageContender(PolicySpec spec, PolicyFactory policies) {
        this.spec = spec;
        this.policies = policies;
    }

    @Override
    public String name() {
        return "Stowage, " + spec;
    }

    @Override
    public Result run(BenchWorkload workload, int servers, long budgetNanos) {
        return new Run(workload, servers, budgetNanos).result();
    }

    private final class Run implements Effects {
        private final BenchWorkload workload;
        private final DepartureHeap departures = new DepartureHeap();
        private final Meter meter;
        private final Engine engine;
        private int arriving;

        Run(BenchWorkload workload, int servers, long budgetNanos) {
            this.workload = workload;
            engine = Engine.start(cluster(servers), spec, policies, Steps.COMMANDS, POLICY_SEED, 0, this);
            meter = new Meter(servers, budgetNanos);
        }

        private static Cluster cluster(int servers) {
            Amounts capacity = Amounts.of(BenchWorkload.SERVER_CPU_MILLI, BenchWorkload.SERVER_MEM_MIB);
            return new Cluster(
                    List.of(Resource.of("cpu_milli"), Resource.of("mem_mib")),
                    List.of(),
                    List.of(Site.of("site", new ServerBlock(servers, capacity))),
                    List.of());
        }

        Result result() {
            long[] demand = new long[2];
            long[] noPool = {};
            meter.start();
            for (int i = 0; i < workload.requests(); i++) {
                if ((i & EXPIRY_MASK) == 0 && meter.expired()) {
                    meter.lastArrival();
                    return meter.stop();
                }
                long now = workload.arrivalNanos()[i];
                while (departures.due(now)) {
                    leave();
                }
                demand[0] = workload.cpuMilli()[i];
                demand[1] = workload.memMib()[i];
                arriving = i;
                engine.arrive(now, i, -1, demand, noPool, 0);
            }
            meter.lastArrival();
            while (!departures.isEmpty()) {
                leave();
            }
            return meter.stop();
        }

        private void leave() {
            int request = departures.poll();
            engine.leave(workload.arrivalNanos()[request] + workload.workNanos()[request], request);
        }

        @Override
        public void placed(long now, int job, int server, String reason) {
            departures.add(now + workload.workNanos()[arriving], arriving);
            meter.placed(workload.cpuMilli()[arriving], workload.memMib()[arriving]);
        }

        @Override
        public void rejected(long now, int job, String reason) {
            meter.rejected();
        }

        @Override
        public void left(long now, int job, int server) {
            meter.departed(
                    (int) engine.view().demand(job, 0), (int) engine.view().demand(job, 1));
        }
    }
}
