package dev.stowage.study.advise;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The servers that a run has closed, and that it is to open again. */
public final class Closed {
    private final LiveCluster cluster;
    private final Set<String> names = new LinkedHashSet<>();

    /** None yet. */
    public Closed(LiveCluster cluster) {
        this.cluster = cluster;
    }

    /** Servers that an earlier run has closed and was to open: this one is to. */
    public void takeOver(Iterable<String> servers) {
        servers.forEach(names::add);
    }

    /** Closes a server, unless it is. */
    void close(String server) {
        if (!names.contains(server) && cluster.close(server)) {
            names.add(server);
        }
    }

    /** Whether this run has closed a server. */
    boolean has(String server) {
        return names.contains(server);
    }

    /** Those that are closed by the run now. */
    List<String> names() {
        return List.copyOf(names);
    }

    /** Opens a server, if it was closed here; what goes wrong is told. */
    void open(String server, ConsolidationListener tell) {
        if (names.contains(server)) {
            try {
                cluster.open(server);
                names.remove(server);
            } catch (RuntimeException e) {
                tell.notOpened(server, String.valueOf(e.getMessage()));
            }
        }
    }

    void openAllBut(Set<String> kept, ConsolidationListener tell) {
        for (String server : names()) {
            if (!kept.contains(server)) {
                open(server, tell);
            }
        }
    }
}
