package dev.stowage.service.state;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Requirement;
import dev.stowage.core.model.Spread;
import dev.stowage.core.policy.View;
import dev.stowage.policies.catalog.Suggestion;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The keys of the servers' labels, to find the one nearest to a key that no server has. Collected again after a change.
 */
final class LabelKeys {
    private final SortedSet<String> keys = new TreeSet<>();
    private boolean known;

    /** A server was added, or its labels have changed. */
    void changed() {
        known = false;
    }

    /** A sentence for each key that constraints name and no server has, with the nearest; empty if there is none. */
    String unknown(Constraints constraints, View view) {
        if (!known) {
            keys.clear();
            for (int server = 0; server < view.servers(); server++) {
                keys.addAll(view.labels(server).values().keySet());
            }
            known = true;
        }
        Stream<String> asked = Stream.concat(
                constraints.terms().stream().flatMap(term -> term.stream().map(Requirement::key)),
                constraints.spread().stream().filter(one -> !one.perServer()).map(Spread::key));
        return asked.distinct()
                .filter(key -> !keys.contains(key))
                .map(key -> "no server has a label '" + key + "'" + Suggestion.of(key, keys))
                .collect(Collectors.joining("; "));
    }
}
