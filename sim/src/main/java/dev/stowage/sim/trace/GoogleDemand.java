package dev.stowage.sim.trace;

import java.util.List;

/**
 * Demands of Google's traces: fractions of the largest machine, as millionths. A setting chooses the resources:
 * {@code single-resource=max} keeps one, the larger of CPU and memory, as Psychas and Ghaderi do (Scheduling Jobs with
 * Random Resource Requirements, section VII-B).
 */
final class GoogleDemand {
    static final long PPM = 1_000_000;
    static final TableFormat.FormatSetting SINGLE_RESOURCE = new TableFormat.FormatSetting(
            "single-resource", "none", "max: one resource size_ppm, the larger of CPU and memory; none: both");
    static final TableFormat.FormatSetting DISK = new TableFormat.FormatSetting(
            "disk", "false", "true: local disk space as a third resource; false: without");

    private final boolean single;
    private final boolean withDisk;
    private final long[] demand;

    GoogleDemand(Settings settings) {
        single = settings.oneOf("single-resource", List.of("none", "max")).equals("max");
        withDisk = settings.flag("disk");
        if (single && withDisk) {
            throw settings.wrong("disk", "true", "false with single-resource=max, which uses only CPU and memory");
        }
        demand = new long[resources().size()];
    }

    List<String> resources() {
        return single
                ? List.of("size_ppm")
                : withDisk ? List.of("cpu_ppm", "mem_ppm", "disk_ppm") : List.of("cpu_ppm", "mem_ppm");
    }

    boolean withDisk() {
        return withDisk;
    }

    /** The demand by resource; the array is reused. */
    long[] of(long cpu, long memory, long disk) {
        demand[0] = single ? Math.max(cpu, memory) : cpu;
        if (!single) {
            demand[1] = memory;
        }
        if (withDisk) {
            demand[2] = disk;
        }
        return demand;
    }
}
