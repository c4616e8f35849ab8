package dev.stowage.study.size;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.experiment.Experiment;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Resources and kinds of servers as people write them: {@code 48 vCPU, 128 GiB}. */
public final class SizeWords {
    private static final BigDecimal GIBI = BigDecimal.valueOf(1024);
    private static final BigDecimal MILLI = BigDecimal.valueOf(1000);

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
            BigDecimal amount = BigDecimal.valueOf(capacity.get(r));
            parts.add(
                    switch (resources.get(r).name()) {
                        case "cpu_milli" -> over(amount, MILLI) + " vCPU";
                        case "mem_mib" -> over(amount, GIBI) + " GiB";
                        case "gpu_milli" -> over(amount, MILLI) + " GPUs";
                        case "disk_mib" -> over(amount, GIBI) + " GiB disk";
                        default -> amount + " " + resources.get(r).name();
                    });
        }
        return String.join(", ", parts);
    }

    private static String over(BigDecimal amount, BigDecimal unit) {
        return amount.divide(unit).stripTrailingZeros().toPlainString();
    }
}
