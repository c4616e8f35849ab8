package dev.stowage.cli.size;

import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.study.buy.Offers;
import dev.stowage.study.size.SizeWords;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Kinds of servers as they are, where they are overcommitted or a part is kept free.
 *
 * @param real by what counts of a kind; empty where that is all of it
 * @param whole the same as amounts; without those of which several kinds count the same
 */
record RealHosts(Map<String, String> real, Map<String, Amounts> whole) {
    /** Of the servers of an experiment, read. */
    static RealHosts of(ExperimentSource source, Experiment point) {
        ExperimentSource whole = source.withWholeServers();
        Map<String, String> real = new LinkedHashMap<>();
        Map<String, Amounts> amounts = new LinkedHashMap<>();
        if (!whole.equals(source)) {
            List<String> counted = SizeWords.kinds(point);
            Experiment unchanged = whole.experiment().points().get(0);
            List<String> there = SizeWords.kinds(unchanged);
            List<ServerBlock> blocks = Offers.blocks(unchanged);
            for (int b = 0; b < counted.size() && counted.size() == there.size(); b++) {
                String cores = there.get(b).replace(" vCPU", " cores");
                real.merge(counted.get(b), cores, (one, other) -> one.equals(other) ? one : one + " or " + other);
                amounts.put(counted.get(b), blocks.get(b).capacity());
            }
        }
        real.forEach((counted, kind) -> {
            if (kind.contains(" or ")) {
                amounts.remove(counted);
            }
        });
        return new RealHosts(real, amounts);
    }

    /** How much of a resource so many servers by kind really have; 0 where that is not known, or just what counts. */
    double whole(Map<String, Long> counts, int resource) {
        double all = 0;
        for (Map.Entry<String, Long> each : counts.entrySet()) {
            Amounts one = whole.get(each.getKey());
            if (one == null) {
                return 0;
            }
            all += (double) each.getValue() * one.get(resource);
        }
        return all;
    }

    /** A kind as it is. */
    String of(String counted) {
        return real.getOrDefault(counted, counted);
    }

    /** A kind as it is, and what counts of it: {@code 16 cores, 128 GiB (counts as 64 vCPU, 120 GiB)}. */
    String both(String counted) {
        return real.containsKey(counted) ? of(counted) + " (counts as " + counted + ")" : counted;
    }

    /** Numbers by kind as it is. */
    Map<String, Long> named(Map<String, Long> counts) {
        return KindsText.together(
                counts.entrySet().stream().map(each -> Map.entry(of(each.getKey()), each.getValue())));
    }

    /** {@code 2 x 64 cores, 1 TiB + 1 x 32 cores, 512 GiB}. */
    String of(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(each -> String.format(Locale.ROOT, "%,d", each.getValue()) + " x " + of(each.getKey()))
                .collect(Collectors.joining(" + "));
    }
}
