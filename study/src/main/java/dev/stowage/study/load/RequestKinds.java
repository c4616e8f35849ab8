package dev.stowage.study.load;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.optimize.bound.ServerClass;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Kinds of requests by the servers that may run them: labels, and servers to avoid by name. Spread groups are ignored,
 * because they depend on what runs.
 */
public final class RequestKinds {
    private final List<ConstraintWords> kinds = new ArrayList<>();
    private final int[] ofType;

    /** The kinds of a workload; types without constraints are of one kind. */
    public RequestKinds(Workload workload) {
        ofType = new int[workload.types().size()];
        for (int type = 0; type < ofType.length; type++) {
            ConstraintWords words = workload.typeConstraints(type);
            ConstraintWords fixed = new ConstraintWords(words.where(), words.avoid(), List.of());
            if (!kinds.contains(fixed)) {
                kinds.add(fixed);
            }
            ofType[type] = kinds.indexOf(fixed);
        }
    }

    /** Kind of the requests of a type. */
    public int of(int type) {
        return ofType[type];
    }

    /**
     * Servers of one capacity that admit the same kinds are a class; in order of capacity, then of the kinds that they
     * do not admit.
     */
    public List<ServerClass> classes(Cluster cluster) {
        List<Constraints> meanings =
                kinds.stream().map(words -> words.meaning(List.of(), List.of())).toList();
        TreeMap<Key, Integer> counts = new TreeMap<>();
        for (int site = 0; site < cluster.sites().size(); site++) {
            Site each = cluster.sites().get(site);
            for (ServerBlock block : each.servers()) {
                Set<Integer> barred = new TreeSet<>();
                for (int kind = 0; kind < meanings.size(); kind++) {
                    if (!meanings.get(kind).admits(site, block.labels())) {
                        barred.add(kind);
                    }
                }
                long[] capacity = block.capacity().toArray();
                if (block.names().isEmpty() && block.count() > 0) {
                    counts.merge(new Key(capacity, barred), block.count(), Integer::sum);
                }
                for (String name : block.names()) {
                    counts.merge(new Key(capacity, barredAlso(barred, name)), 1, Integer::sum);
                }
            }
        }
        List<ServerClass> classes = new ArrayList<>();
        counts.forEach((key, count) -> classes.add(new ServerClass(count, key.capacity, key.barred)));
        return classes;
    }

    private Set<Integer> barredAlso(Set<Integer> barred, String name) {
        Set<Integer> all = new TreeSet<>(barred);
        for (int kind = 0; kind < kinds.size(); kind++) {
            if (kinds.get(kind).avoid().contains(name)) {
                all.add(kind);
            }
        }
        return all;
    }

    private record Key(long[] capacity, Set<Integer> barred) implements Comparable<Key> {
        private static final Comparator<Key> ORDER = Comparator.<Key, long[]>comparing(Key::capacity, Arrays::compare)
                .thenComparing(key -> key.barred.size())
                .thenComparing(key -> key.barred.toString());

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }
}
