package dev.stowage.sim.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * The built-in workload {@code azure-like}: VM requests that follow the public 2017 Azure trace (Cortez et al.,
 * Resource Central, SOSP 2017; AzurePublicDataset V1). Batches arrive at Poisson times with an hourly rate that repeats
 * weekly; a batch has a size, one shape or several, and service times that depend on shape and batch size and are
 * strongly correlated within the batch. The model, its figures and how closely it follows the trace are in
 * docs/workloads.md.
 *
 * @param scale factor of the arrival rate, above 0; 1 is the trace: about 72,800 requests per day
 * @param days requests arrive for that many days, above 0, at most 36,500
 * @param warmDays 0: nothing runs at time 0, as in the trace. Otherwise arrivals begin that many days before, and those
 *     that still run at time 0 arrive at 0 with their remaining service time. At most 3,650.
 */
public record AzureLikeWorkload(double scale, double days, double warmDays) implements Workload {
    private static final double MOST_DAYS = 36_500;
    private static final double MOST_WARM_DAYS = 3_650;
    private static final int MIB_PER_GIB = 1024;
    private static final double NANOS_PER_DAY = 86_400e9;

    public AzureLikeWorkload {
        Parameters.check(scale > 0 && scale <= 1e6, "scale of azure-like", scale, "above 0, at most 1,000,000");
        Parameters.check(days > 0 && days <= MOST_DAYS, "days of azure-like", days, "above 0, at most " + MOST_DAYS);
        Parameters.check(
                warmDays >= 0 && warmDays <= MOST_WARM_DAYS,
                "warm start of azure-like in days",
                warmDays,
                "at least 0, at most " + MOST_WARM_DAYS);
    }

    /** A workload that starts empty. */
    public static AzureLikeWorkload of(double scale, double days) {
        return new AzureLikeWorkload(scale, days, 0);
    }

    @Override
    public List<String> resources() {
        return List.of("cpu_milli", "mem_mib");
    }

    @Override
    public List<String> types() {
        var names = new ArrayList<String>();
        for (int shape = 0; shape < AzureLikeFigures.VCPUS.length; shape++) {
            double gib = (double) AzureLikeFigures.MEM_MIB[shape] / MIB_PER_GIB;
            String memory = gib == (long) gib ? Long.toString((long) gib) : Double.toString(gib);
            names.add(AzureLikeFigures.VCPUS[shape] + " vCPU / " + memory + " GiB");
        }
        return List.copyOf(names);
    }

    @Override
    public long typeDemand(int type, int resource) {
        return resource == 0 ? AzureLikeFigures.VCPUS[type] * 1000L : AzureLikeFigures.MEM_MIB[type];
    }

    @Override
    public long endNanos() {
        return Math.round(days * NANOS_PER_DAY);
    }

    @Override
    public RequestStream open(long seed) {
        return new AzureLikeStream(this, seed);
    }
}
