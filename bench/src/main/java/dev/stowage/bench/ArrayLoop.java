package dev.stowage.bench;

/**
 * The ceiling: a bare event loop over arrays with a heap of departures and a segment tree for <em>first fit</em> that
 * knows the sizes to come. No engine, no policy interface, no checks; about the most that a JVM can reach with a loop
 * of this kind.
 */
public final class ArrayLoop implements Contender {
    private static final int EXPIRY_MASK = 1023;

    @Override
    public String name() {
        return "array loop, first fit";
    }

    @Override
    public Result run(BenchWorkload workload, int servers, long budgetNanos) {
        FreeTree tree = new FreeTree(
                servers, BenchWorkload.SERVER_CPU_MILLI, BenchWorkload.SERVER_MEM_MIB, BenchWorkload.cpuLevelsMilli());
        int[] serverOf = new int[workload.requests()];
        DepartureHeap departures = new DepartureHeap();
        Meter meter = new Meter(servers, budgetNanos);
        meter.start();
        for (int i = 0; i < workload.requests(); i++) {
            if ((i & EXPIRY_MASK) == 0 && meter.expired()) {
                meter.lastArrival();
                return meter.stop();
            }
            long now = workload.arrivalNanos()[i];
            while (departures.due(now)) {
                leave(departures.poll(), workload, serverOf, tree, meter);
            }
            int cpu = workload.cpuMilli()[i];
            int mem = workload.memMib()[i];
            int server = tree.firstFit(cpu, mem);
            if (server < 0) {
                meter.rejected();
                continue;
            }
            tree.add(server, -cpu, -mem);
            serverOf[i] = server;
            departures.add(now + workload.workNanos()[i], i);
            meter.placed(cpu, mem);
        }
        meter.lastArrival();
        while (!departures.isEmpty()) {
            leave(departures.poll(), workload, serverOf, tree, meter);
        }
        return meter.stop();
    }

    private static void leave(int request, BenchWorkload workload, int[] serverOf, FreeTree tree, Meter meter) {
        int cpu = workload.cpuMilli()[request];
        int mem = workload.memMib()[request];
        tree.add(serverOf[request], cpu, mem);
        meter.departed(cpu, mem);
    }
}
