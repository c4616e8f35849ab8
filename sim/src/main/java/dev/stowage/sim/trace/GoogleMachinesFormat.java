package dev.stowage.sim.trace;

import java.util.List;

/** Machines at the start of Google's trace of 2011. */
final class GoogleMachinesFormat extends ServerFormat {
    GoogleMachinesFormat() {
        super(
                "google2011-machines",
                "Google cluster 2011, machines at the start",
                "Google clusterdata-2011-2, excerpt by way of cloudsimplus; CC-BY-4.0;"
                        + " cite Reiss, Wilkes, Hellerstein: Google cluster-usage traces, 2011",
                List.of(
                        required("machine_id", "number of the machine; not used"),
                        required("cpu", "fraction of the largest machine; cpu_ppm = 10^6 x, rounded down"),
                        required("mem", "fraction of the largest machine; mem_ppm = 10^6 x, rounded down")));
    }

    @Override
    Mapper mapper(Reading reading) {
        int cpu = reading.column("cpu");
        int memory = reading.column("mem");
        return new SimpleServerMapper(List.of("cpu_ppm", "mem_ppm")) {
            @Override
            public void map(Fields row) {
                List<Long> capacity =
                        List.of(row.capacity(cpu, GoogleDemand.PPM), row.capacity(memory, GoogleDemand.PPM));
                servers().add(ServerList.DEFAULT_SITE, 1, capacity);
            }
        };
    }
}
