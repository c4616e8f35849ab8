package dev.stowage.core.model;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** Resources and amounts as people write them: {@code CPU}, {@code 2 vCPU / 3.5 GiB}, tables in cores and GiB. */
public final class ResourceWords {
    private static final int GIB_DECIMALS = 3;

    private ResourceWords() {}

    /**
     * A resource in the unit that people use.
     *
     * @param title the unit, {@code memory (GiB)}
     * @param perUnit whole units of the resource in one of it
     */
    public record Unit(String title, double perUnit) {
        /** {@code cpu_milli} in cores, {@code mem_mib} in GiB; all else, also requests, as it is. */
        public static Unit of(String name) {
            return switch (name) {
                case "cpu_milli" -> new Unit("cores", 1000);
                case "gpu_milli" -> new Unit("GPUs", 1000);
                case "mem_mib" -> new Unit("memory (GiB)", 1024);
                case "disk_mib" -> new Unit("disk (GiB)", 1024);
                default -> new Unit(counted(name), 1);
            };
        }
    }

    /** A resource in a sentence; its own name where there is no word for it. */
    public static String resource(String name) {
        return switch (name) {
            case "cpu_milli" -> "CPU";
            case "mem_mib" -> "memory";
            case "gpu_milli" -> "GPUs";
            case "disk_mib" -> "disk";
            default -> counted(name);
        };
    }

    /** What is counted: {@code amd_gpu} of {@code amd_gpu_count}. */
    private static String counted(String name) {
        return name.endsWith("_count") ? name.substring(0, name.lastIndexOf('_')) : name;
    }

    /** That there is less of a resource than needed: {@code too little memory}, {@code too few GPUs}. */
    public static String tooLittle(String name) {
        if (name.equals("pods_count")) {
            return "too few places for pods";
        }
        return (name.equals("gpu_milli") || name.endsWith("_count") ? "too few " : "too little ") + resource(name);
    }

    /**
     * Amounts of several, {@code 2 vCPU / 3.5 GiB}. Exact decimals, so different amounts have different names;
     * resources of which there is nothing are left out.
     */
    public static String of(List<String> resources, long[] amounts) {
        List<String> parts = new ArrayList<>();
        for (int r = 0; r < amounts.length; r++) {
            if (amounts[r] != 0) {
                parts.add(amount(resources.get(r), amounts[r], true));
            }
        }
        return parts.isEmpty() ? "no demand" : String.join(" / ", parts);
    }

    /** An amount of a resource, {@code 48 vCPU}; memory of some GiB to two decimals. */
    public static String amount(String resource, long amount) {
        return amount(resource, amount, false);
    }

    private static String amount(String resource, long amount, boolean exact) {
        int unitAt = resource.lastIndexOf('_');
        String name = unitAt < 0 ? resource : resource.substring(0, unitAt);
        String unit = unitAt < 0 ? "" : resource.substring(unitAt + 1);
        return switch (unit) {
            case "" -> amount + " " + name;
            case "milli" ->
                scaled(amount, 1000) + " " + (name.equals("cpu") ? "vCPU" : name.equals("gpu") ? "GPU" : name);
            case "ppm" -> scaled(amount, 1_000_000) + " " + name;
            case "mib" -> memory(amount, exact) + (name.equals("mem") ? "" : " " + name);
            case "count" -> amount + " " + (amount == 1 && name.equals("pods") ? "pod" : name);
            default -> amount + " " + unit + " " + name;
        };
    }

    private static String memory(long mib, boolean exact) {
        BigDecimal gib =
                BigDecimal.valueOf(mib).divide(BigDecimal.valueOf(1024)).stripTrailingZeros();
        if (!exact && gib.scale() > GIB_DECIMALS && mib >= 10 * 1024) {
            gib = gib.setScale(2, RoundingMode.HALF_UP).stripTrailingZeros();
        }
        return mib >= 512 && gib.scale() <= GIB_DECIMALS ? gib.toPlainString() + " GiB" : mib + " MiB";
    }

    private static String scaled(long amount, long unit) {
        return BigDecimal.valueOf(amount)
                .divide(BigDecimal.valueOf(unit))
                .stripTrailingZeros()
                .toPlainString();
    }
}
