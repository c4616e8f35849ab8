package dev.stowage.study.size;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.workload.Workload;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Resources and kinds of servers as people write them: {@code 48 vCPU, 128 GiB}. */
public final class SizeWords {
    private static final BigDecimal GIBI = BigDecimal.valueOf(1024);
    private static final BigDecimal MILLI = BigDecimal.valueOf(1000);

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private SizeWords() {}

    /** A resource in a sentence; its own name where there is no word for it. */
    public static String resource(String name) {
        return switch (name) {
            case "cpu_milli" -> "CPU";
            case "mem_mib" -> "memory";
            case "gpu_milli" -> "GPUs";
            case "disk_mib" -> "disk";
            default -> name;
        };
    }

    /** A time of a run: the date in the requests' own clock (UTC), or hours from the start where there is none. */
    public static String moment(Workload workload, long nanos) {
        return workload.startNanos() == Workload.NO_DATE
                ? String.format(Locale.ROOT, "%.2f h", nanos / 3600e9)
                : DATE.format(Instant.ofEpochSecond(0, workload.startNanos() + nanos));
    }

    /** The capacity of each kind of server, in their order. */
    public static List<String> kinds(Experiment point) {
        List<Resource> resources = point.cluster().resources();
        return point.cluster().sites().stream()
                .flatMap(site -> site.servers().stream())
                .map(ServerBlock::capacity)
                .map(capacity -> of(resources, capacity))
                .toList();
    }

    private static String of(List<Resource> resources, Amounts capacity) {
        List<String> parts = new ArrayList<>();
        for (int r = 0; r < resources.size(); r++) {
            parts.add(amount(resources.get(r).name(), capacity.get(r)));
        }
        return String.join(", ", parts);
    }

    /** An amount of a resource: {@code 48 vCPU}. */
    public static String amount(String resource, long value) {
        BigDecimal amount = BigDecimal.valueOf(value);
        return switch (resource) {
            case "cpu_milli" -> over(amount, MILLI) + " vCPU";
            case "mem_mib" -> over(amount, GIBI) + " GiB";
            case "gpu_milli" -> over(amount, MILLI) + " GPUs";
            case "disk_mib" -> over(amount, GIBI) + " GiB disk";
            default -> value + " " + resource;
        };
    }

    private static String over(BigDecimal amount, BigDecimal unit) {
        return amount.divide(unit).stripTrailingZeros().toPlainString();
    }
}
