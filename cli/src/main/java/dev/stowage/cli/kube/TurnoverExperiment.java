package dev.stowage.cli.kube;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.kube.translate.PodGpus;
import dev.stowage.kube.translate.Quantities;
import dev.stowage.study.advise.Turnover;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An experiment whose pods come and go as they did. */
final class TurnoverExperiment {
    private static final long MEBI = 1 << 20;
    /** So many of the longest mean lifetimes a run takes. */
    private static final int HORIZON = 40;
    /** So many of them are cut from its start. */
    private static final int WARM_UP = 5;

    private TurnoverExperiment() {}

    /**
     * The file's text.
     *
     * @throws BadInputException if no kind has both arrivals and a lifetime
     */
    static String of(PodTurnover pods) {
        StringBuilder text = new StringBuilder();
        text.append("# Written by 'stowage kube advise --recording': arrivals and lifetimes as in a recording of ")
                .append(String.format(Locale.ROOT, "%.3g", pods.turnover().hours()))
                .append(
                        " h.\n# Labels, taints, affinity, groups and budgets are not in it, nor resources other than cpu,")
                .append(" memory and GPUs.\n# What pods of kinds that neither came nor went hold is subtracted from the"
                        + " nodes.\n")
                .append("name: forecast\ntitle: The pods of a cluster, as they came and went\n\n")
                .append("cluster:\n  servers:\n");
        Map<String, Integer> nodes = new TreeMap<>();
        pods.room().forEach(node -> nodes.merge(server(node), 1, Integer::sum));
        nodes.forEach((shape, count) ->
                text.append("    - {count: ").append(count).append(shape).append("}\n"));
        text.append("\nworkload:\n  types:\n");
        double longest = types(pods, text);
        if (longest == 0) {
            throw new BadInputException(
                    "--experiment: no kind of pods has both arrivals and a lifetime in this recording; take a longer one");
        }
        text.append(
                        "\npolicies:\n  - {policy: first-fit, when-full: queue}\n  - {policy: best-fit, when-full: queue}\n")
                .append("  - bf-js\n\n")
                .append(String.format(
                        Locale.ROOT, "horizon: %.6g h%nwarm-up: %.6g h%n", HORIZON * longest, WARM_UP * longest))
                .append("replications: 3\n");
        return text.toString();
    }

    /** Returns the longest mean lifetime in hours, 0 if no kind can be written. */
    private static double types(PodTurnover pods, StringBuilder text) {
        double longest = 0;
        int number = 0;
        for (Turnover.Kind kind : pods.turnover().kinds()) {
            Double rate = kind.rate().value();
            Double known = kind.lifeHours().value();
            double life = known == null ? kind.lifeHours().low() : known;
            String demand = demand(pods.asked(kind));
            if (kind.came() == 0 || rate == null || life <= 0 || demand.isEmpty()) {
                text.append("    # left out: ")
                        .append(kind.name())
                        .append(kind.came() == 0 ? " (none came)" : " (its lifetime or demand is not known)")
                        .append('\n');
                continue;
            }
            longest = Math.max(longest, life);
            text.append(String.format(
                    Locale.ROOT,
                    "    - {name: kind-%d, rate: %.6g / h, demand: {%s}, service: {exponential: %.6g h}}%s%n",
                    ++number,
                    rate,
                    demand,
                    life,
                    known == null ? "   # nobody left: the lower end of the interval" : ""));
        }
        return longest;
    }

    private static String server(Map<String, Long> node) {
        long cpu = Math.max(0, node.getOrDefault(Quantities.CPU, 0L));
        long memory = Math.max(0, node.getOrDefault(PodTurnover.MEMORY, 0L)) / MEBI;
        String gpu = gpus(node);
        return ", cpu: " + PodTurnover.cores(cpu) + ", memory: " + memory + " MiB"
                + (gpu.isEmpty() ? "" : ", gpu: " + gpu);
    }

    /** GPUs, one by one where some nodes share them; empty for none. */
    private static String gpus(Map<String, Long> amounts) {
        long milli = amounts.getOrDefault(PodGpus.RESOURCE, PodGpus.WHOLE * amounts.getOrDefault(PodGpus.GPU, 0L));
        return milli <= 0 ? "" : PodGpus.decimal(milli);
    }

    private static String demand(Map<String, Long> asked) {
        List<String> parts = new ArrayList<>();
        @Nullable Long cpu = asked.get(Quantities.CPU);
        @Nullable Long memory = asked.get(PodTurnover.MEMORY);
        String gpu = gpus(asked);
        if (cpu != null) {
            parts.add("cpu: " + PodTurnover.cores(cpu));
        }
        if (memory != null) {
            parts.add("memory: " + (memory + MEBI - 1) / MEBI + " MiB");
        }
        if (!gpu.isEmpty()) {
            parts.add("gpu: " + gpu);
        }
        return String.join(", ", parts);
    }
}
