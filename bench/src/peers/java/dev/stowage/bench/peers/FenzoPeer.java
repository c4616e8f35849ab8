package dev.stowage.bench.peers;

import com.netflix.fenzo.SchedulingResult;
import com.netflix.fenzo.TaskAssignmentResult;
import com.netflix.fenzo.TaskRequest;
import com.netflix.fenzo.TaskScheduler;
import com.netflix.fenzo.VMAssignmentResult;
import com.netflix.fenzo.VirtualMachineLease;
import com.netflix.fenzo.plugins.BinPackingFitnessCalculators;
import dev.stowage.bench.BenchWorkload;
import dev.stowage.bench.Contender;
import dev.stowage.bench.DepartureHeap;
import dev.stowage.bench.Meter;
import dev.stowage.bench.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Netflix Fenzo with its shipped {@link BinPackingFitnessCalculators#cpuMemBinPacker} (mean use of cores and memory
 * after the placement), its own best fit in two resources.
 *
 * <p>Each server is one lease, offered once ({@code withSingleOfferPerVM}), so no offer has to be renewed after a
 * departure, and none is ever rejected, which spares Fenzo the search for old offers. Arrivals are handed over
 * {@code batch} at a time, at the time of the last of them: each call of {@code scheduleOnce} walks all servers, and
 * batches are how Fenzo is meant to be used. Departures due by then are unassigned first. Fenzo evaluates servers on as
 * many threads as there are processors; that is left as it is.
 */
public final class FenzoPeer implements Contender {
    /**
     * Fitness that Fenzo makes of a bin packing fitness of 0.9 for a task without constraints: it adds 50 % for soft
     * constraints and takes 35 % of the calculator's.
     */
    private static final double GOOD_ENOUGH = 0.5 + 0.35 * 0.9;

    private static final double NEVER = 1.0;

    private final int batch;
    private final double goodEnough;

    private FenzoPeer(int batch, double goodEnough) {
        this.batch = batch;
        this.goodEnough = goodEnough;
    }

    /** Looks at every server for every task, as best fit asks for. */
    static FenzoPeer exact(int batch) {
        return new FenzoPeer(batch, NEVER);
    }

    /** Takes the first server that is at least 90 % full afterwards: the speed-up that Fenzo's documentation names. */
    static FenzoPeer goodEnough(int batch) {
        return new FenzoPeer(batch, GOOD_ENOUGH);
    }

    @Override
    public String name() {
        String fit = goodEnough == NEVER ? "best fit" : "90 % fit";
        return "Fenzo 1.0.1, " + fit + ", batch " + batch;
    }

    @Override
    public Result run(BenchWorkload workload, int servers, long budgetNanos) {
        TaskScheduler scheduler = new TaskScheduler.Builder()
                .withFitnessCalculator(BinPackingFitnessCalculators.cpuMemBinPacker)
                .withFitnessGoodEnoughFunction(fitness -> fitness > goodEnough)
                .withSingleOfferPerVM(true)
                .withMaxOffersToReject(0)
                .withLeaseRejectAction(lease -> {})
                .build();
        try {
            return new Run(scheduler, workload, servers, budgetNanos).result(batch);
        } finally {
            scheduler.shutdown();
        }
    }

    private static final class Run {
        private final TaskScheduler scheduler;
        private final BenchWorkload workload;
        private final Meter meter;
        private final DepartureHeap departures = new DepartureHeap();
        private final String[] hostOf;

        Run(TaskScheduler scheduler, BenchWorkload workload, int servers, long budgetNanos) {
            this.scheduler = scheduler;
            this.workload = workload;
            hostOf = new String[workload.requests()];
            Arrays.fill(hostOf, "");
            List<VirtualMachineLease> leases = new ArrayList<>(servers);
            for (int i = 0; i < servers; i++) {
                leases.add(new ServerLease("server-" + i));
            }
            scheduler.scheduleOnce(List.of(), leases);
            meter = new Meter(servers, budgetNanos);
        }

        Result result(int batch) {
            meter.start();
            boolean expired = false;
            for (int from = 0; from < workload.requests() && !expired; from += batch) {
                schedule(from, Math.min(from + batch, workload.requests()));
                expired = meter.expired();
            }
            meter.lastArrival();
            if (!expired) {
                leave(Long.MAX_VALUE);
                scheduler.scheduleOnce(List.of(), List.of());
            }
            return meter.stop();
        }

        private void schedule(int from, int to) {
            long now = workload.arrivalNanos()[to - 1];
            leave(now);
            List<TaskRequest> tasks = new ArrayList<>(to - from);
            for (int i = from; i < to; i++) {
                tasks.add(new Task(i, workload.cpuMilli()[i], workload.memMib()[i]));
            }
            SchedulingResult result = scheduler.scheduleOnce(tasks, List.of());
            if (!result.getExceptions().isEmpty()) {
                throw new IllegalStateException(result.getExceptions().get(0));
            }
            for (VMAssignmentResult server : result.getResultMap().values()) {
                for (TaskAssignmentResult assignment : server.getTasksAssigned()) {
                    place((Task) assignment.getRequest(), server.getHostname(), now);
                }
            }
            for (int i = result.getFailures().size(); i > 0; i--) {
                meter.rejected();
            }
        }

        private void place(Task task, String host, long now) {
            scheduler.getTaskAssigner().call(task, host);
            hostOf[task.request()] = host;
            long endNanos = workload.arrivalNanos()[task.request()] + workload.workNanos()[task.request()];
            departures.add(Math.max(now, endNanos), task.request());
            meter.placed(workload.cpuMilli()[task.request()], workload.memMib()[task.request()]);
        }

        private void leave(long timeNanos) {
            while (departures.due(timeNanos)) {
                int request = departures.poll();
                scheduler.getTaskUnAssigner().call(Task.id(request), hostOf[request]);
                hostOf[request] = "";
                meter.departed(workload.cpuMilli()[request], workload.memMib()[request]);
            }
        }
    }
}
