package dev.stowage.sim.driver;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.RequestOrigin;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Which servers a request may use: what its type asks for, at the sites of its origin. */
public final class RequestConstraints {
    private final Constraints[] ofOrigin;
    private final List<ConstraintWords> ofType;
    private final List<String> servers;
    /** By origin and type; null until asked for. */
    private final @Nullable Constraints[][] known;

    /** The constraints of a workload. */
    public RequestConstraints(Cluster cluster, Workload workload, Origins origins) {
        ofOrigin = origins.all().stream().map(RequestOrigin::constraints).toArray(Constraints[]::new);
        ofType = IntStream.range(0, workload.types().size())
                .mapToObj(workload::typeConstraints)
                .toList();
        servers = names(cluster);
        known = new @Nullable Constraints[ofOrigin.length][];
    }

    /** Names of the servers by number; empty for one that has none. */
    public static List<String> names(Cluster cluster) {
        List<String> names = new ArrayList<>();
        cluster.sites().forEach(site -> {
            for (ServerBlock block : site.servers()) {
                names.addAll(block.names().isEmpty() ? Collections.nCopies(block.count(), "") : block.names());
            }
        });
        return names;
    }

    Constraints of(int origin, int type) {
        if (ofType.get(type).isNone()) {
            return ofOrigin[origin];
        }
        @Nullable Constraints[] ofTypes = known[origin];
        if (ofTypes == null) {
            ofTypes = new @Nullable Constraints[ofType.size()];
            known[origin] = ofTypes;
        }
        Constraints all = ofTypes[type];
        if (all == null) {
            ConstraintWords words = ofType.get(type);
            all = words.meaning(
                    ofOrigin[origin].sites(),
                    words.avoid().stream().map(servers::indexOf).toList());
            ofTypes[type] = all;
        }
        return all;
    }
}
