package dev.stowage.sim.trace;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of request shapes, such as "2 vCPU / 3.5 GiB". Exact decimals, so different shapes have different names;
 * resources of which nothing is demanded are left out.
 */
final class ShapeNames {
    private static final int GIB_DECIMALS = 3;

    private ShapeNames() {}

    static String of(List<String> resources, long[] demand) {
        List<String> parts = new ArrayList<>();
        for (int r = 0; r < demand.length; r++) {
            if (demand[r] != 0) {
                parts.add(part(resources.get(r), demand[r]));
            }
        }
        return parts.isEmpty() ? "no demand" : String.join(" / ", parts);
    }

    static String part(String resource, long amount) {
        int unitAt = resource.lastIndexOf('_');
        String name = unitAt < 0 ? resource : resource.substring(0, unitAt);
        String unit = unitAt < 0 ? "" : resource.substring(unitAt + 1);
        return switch (unit) {
            case "" -> amount + " " + name;
            case "milli" ->
                scaled(amount, 1000) + " " + (name.equals("cpu") ? "vCPU" : name.equals("gpu") ? "GPU" : name);
            case "ppm" -> scaled(amount, 1_000_000) + " " + name;
            case "mib" -> memory(amount) + (name.equals("mem") ? "" : " " + name);
            default -> amount + " " + unit + " " + name;
        };
    }

    private static String memory(long mib) {
        BigDecimal gib =
                BigDecimal.valueOf(mib).divide(BigDecimal.valueOf(1024)).stripTrailingZeros();
        return mib >= 512 && gib.scale() <= GIB_DECIMALS ? gib.toPlainString() + " GiB" : mib + " MiB";
    }

    private static String scaled(long amount, long unit) {
        return BigDecimal.valueOf(amount)
                .divide(BigDecimal.valueOf(unit))
                .stripTrailingZeros()
                .toPlainString();
    }
}
