package dev.stowage.sim.trace;

import dev.stowage.core.policy.Declared;
import java.util.List;
import java.util.Set;

/** Which columns of a canonical file are resources: {@code <name>_<unit>} with a known unit, or {@code slots}. */
final class ResourceColumns {
    static final List<String> UNITS = List.of("milli", "mib", "gib", "ppm", "mbps", "iops", "count", "units", "slots");
    /** What tasks of jobs declare. */
    private static final List<String> TASK_COLUMNS = List.of(Declared.LOAD, Declared.POWER, Declared.BUDGET);

    private static final Set<String> KNOWN = Set.copyOf(UNITS);

    private ResourceColumns() {}

    static List<String> in(List<String> header) {
        return header.stream().filter(ResourceColumns::isResource).toList();
    }

    static boolean isResource(String column) {
        if (TASK_COLUMNS.contains(column)) {
            return true;
        }
        int unitAt = column.lastIndexOf('_');
        return unitAt > 0 ? KNOWN.contains(column.substring(unitAt + 1)) : column.equals("slots");
    }

    static TraceException none(List<String> header) {
        return new TraceException(
                "no resource column; expected at least one such as cpu_milli or mem_mib (<name>_<unit>," + " units: "
                        + String.join(", ", UNITS) + "; or slots); found: " + String.join(", ", header));
    }
}
