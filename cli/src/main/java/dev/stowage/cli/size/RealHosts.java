package dev.stowage.cli.size;

import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.experiment.ClusterReader;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.InputFiles;
import dev.stowage.sim.trace.ServerList;
import dev.stowage.study.buy.Offers;
import dev.stowage.study.size.SizeWords;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Kinds of servers as they are: what they hold where they are overcommitted or a part is kept free, and their model.
 *
 * @param counted what counts of each kind
 * @param real by what counts of a kind; empty where that is all of it
 * @param whole the same as amounts; without those of which several kinds count the same
 * @param model by what counts of a kind, what it is called; empty unless there are several kinds, each of one model
 */
record RealHosts(Set<String> counted, Map<String, String> real, Map<String, Amounts> whole, Map<String, String> model) {
    /** Of the servers of an experiment, read. */
    static RealHosts of(ExperimentSource source, Experiment point) {
        ExperimentSource whole = source.withWholeServers();
        Map<String, String> real = new LinkedHashMap<>();
        Map<String, Amounts> amounts = new LinkedHashMap<>();
        if (!whole.equals(source)) {
            List<String> kinds = SizeWords.kinds(point);
            Experiment unchanged = whole.experiment().points().get(0);
            List<String> there = SizeWords.kinds(unchanged);
            List<ServerBlock> blocks = Offers.blocks(unchanged);
            for (int b = 0; b < kinds.size() && kinds.size() == there.size(); b++) {
                String cores = cores(there.get(b));
                real.merge(kinds.get(b), cores, (one, other) -> one.equals(other) ? one : one + " or " + other);
                amounts.put(kinds.get(b), blocks.get(b).capacity());
            }
        }
        real.forEach((counted, kind) -> {
            if (kind.contains(" or ")) {
                amounts.remove(counted);
            }
        });
        return new RealHosts(new LinkedHashSet<>(SizeWords.kinds(point)), real, amounts, Map.of());
    }

    /** With the models that the list of servers names, where each kind is of one, and each model of one kind. */
    RealHosts withModels(ExperimentSource source) {
        if (counted.size() == 1) {
            return this;
        }
        Map<String, Set<String>> called = new HashMap<>();
        ClusterReader.list(source.tree(), InputFiles.in(source.base(), source.text()))
                .ifPresent(list -> {
                    List<Resource> resources =
                            list.resources().stream().map(Resource::of).toList();
                    for (ServerList.Block block : list.blocks()) {
                        String kind = SizeWords.of(
                                resources,
                                Amounts.of(block.capacity().stream()
                                        .mapToLong(Long::longValue)
                                        .toArray()));
                        called.computeIfAbsent(real.isEmpty() ? kind : cores(kind), any -> new HashSet<>())
                                // Without a model the kind is called like its host.
                                .add(block.names().contains(block.kind()) ? "" : block.kind());
                    }
                });
        Map<String, String> names = new LinkedHashMap<>();
        for (String kind : counted) {
            Set<String> its = called.getOrDefault(amounts(kind), Set.of());
            if (its.size() == 1) {
                names.put(kind, its.iterator().next());
            }
        }
        Set<String> distinct = new HashSet<>(names.values());
        return distinct.size() < counted.size() || distinct.contains("")
                ? this
                : new RealHosts(counted, real, whole, names);
    }

    private static String cores(String kind) {
        return kind.replace(" vCPU", " cores");
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

    /** A kind as it is: its model or, where it has none, its amounts. */
    String of(String kind) {
        return model.getOrDefault(kind, amounts(kind));
    }

    /** What a kind really holds. */
    String amounts(String kind) {
        return real.getOrDefault(kind, kind);
    }

    /**
     * A kind as it is, and what counts of it: {@code 16 cores, 128 GiB (counts as 64 vCPU, 120 GiB)}, {@code R650 (16
     * cores, 128 GiB; counts as 64 vCPU, 120 GiB)}.
     */
    String both(String kind) {
        String counts = real.containsKey(kind) ? "counts as " + kind : "";
        return model.containsKey(kind)
                ? of(kind) + " (" + amounts(kind) + (counts.isEmpty() ? "" : "; " + counts) + ")"
                : amounts(kind) + (counts.isEmpty() ? "" : " (" + counts + ")");
    }

    /** {@code R650 (16 cores, 128 GiB), R750 (32 cores, 256 GiB)}: the models of an answer that only names them. */
    String models() {
        return model.keySet().stream().map(this::both).collect(Collectors.joining(", "));
    }

    /** Numbers by kind with what these really hold. */
    Map<String, Long> named(Map<String, Long> counts) {
        return KindsText.together(
                counts.entrySet().stream().map(each -> Map.entry(amounts(each.getKey()), each.getValue())));
    }

    /** {@code 2 x 64 cores, 1 TiB + 1 x 32 cores, 512 GiB}. */
    String of(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(each -> String.format(Locale.ROOT, "%,d", each.getValue()) + " x " + of(each.getKey()))
                .collect(Collectors.joining(" + "));
    }
}
