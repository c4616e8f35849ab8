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
import dev.stowage.policies.Policies;
import java.util.List;

/**
 * The engine with one of its policies, every check on, as the simulator drives it: a command per arrival and departure,
 * and the departures to come in a heap outside the engine. A policy may queue a request; then it is placed when it
 * starts.
 */
public final class StowageContender implements Contender {
    private static final int EXPIRY_MASK = 1023;
    private static final long POLICY_SEED = 1;

    private static final PolicyFactory POLICIES = new Policies();

    private final PolicySpec spec;
    private final boolean memoryOnly;

    private StowageContender(PolicySpec spec, boolean memoryOnly) {
        this.spec = spec;
        this.memoryOnly = memoryOnly;
    }

    /** The whole workload. */
    static StowageContender of(String policy) {
        return new StowageContender(PolicySpec.of(policy), false);
    }

    /** The workload without its cores: one resource. */
    static StowageContender memoryOnly(String policy) {
        return new StowageContender(PolicySpec.of(policy), true);
    }

    @Override
    public String name() {
        return "Stowage, " + spec + (memoryOnly ? ", memory only" : "");
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

        Run(BenchWorkload workload, int servers, long budgetNanos) {
            this.workload = workload;
            engine = Engine.start(cluster(servers), spec, POLICIES, Steps.COMMANDS, POLICY_SEED, 0, this);
            meter = new Meter(servers, budgetNanos);
        }

        private Cluster cluster(int servers) {
            Amounts capacity = memoryOnly
                    ? Amounts.of(BenchWorkload.SERVER_MEM_MIB)
                    : Amounts.of(BenchWorkload.SERVER_MEM_MIB, BenchWorkload.SERVER_CPU_MILLI);
            List<Resource> resources = List.of(Resource.of("mem_mib"), Resource.of("cpu_milli"));
            return new Cluster(
                    resources.subList(0, capacity.size()),
                    List.of(),
                    List.of(Site.of("site", new ServerBlock(servers, capacity))),
                    List.of());
        }

        Result result() {
            long[] demand = new long[memoryOnly ? 1 : 2];
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
                demand[0] = workload.memMib()[i];
                if (!memoryOnly) {
                    demand[1] = workload.cpuMilli()[i];
                }
                engine.arrive(now, i, -1, demand, noPool, 0);
            }
            meter.lastArrival();
            while (!departures.isEmpty()) {
                leave();
            }
            return meter.stop();
        }

        private void leave() {
            long now = departures.firstNanos();
            int job = departures.poll();
            engine.leave(now, engine.view().id(job), job);
        }

        @Override
        public void placed(long now, int job, int server, String reason) {
            int request = (int) engine.view().id(job);
            departures.add(now + workload.workNanos()[request], job);
            meter.placed(workload.cpuMilli()[request], workload.memMib()[request]);
        }

        @Override
        public void rejected(long now, int job, String reason) {
            meter.rejected();
        }

        @Override
        public void left(long now, int job, int server) {
            int request = (int) engine.view().id(job);
            meter.departed(workload.cpuMilli()[request], workload.memMib()[request]);
        }
    }
}
