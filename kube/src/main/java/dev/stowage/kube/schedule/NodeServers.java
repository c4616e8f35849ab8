package dev.stowage.kube.schedule;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The nodes of a cluster as servers of the engine: capacity, and labels, including those that keep pods away. */
final class NodeServers {
    private final NodeOccupancy occupancy;
    private final Vocabulary vocabulary;
    private final Kinds kinds;
    private final Resources resources;
    private final LongSupplier time;
    private final Map<String, Labels> labels = new LinkedHashMap<>();
    private @Nullable Engine engine;
    private @Nullable Commands commands;

    /** @param time of the next command */
    NodeServers(NodeOccupancy occupancy, Vocabulary vocabulary, Kinds kinds, Resources resources, LongSupplier time) {
        this.occupancy = occupancy;
        this.vocabulary = vocabulary;
        this.kinds = kinds;
        this.resources = resources;
        this.time = time;
    }

    /** All nodes become servers of a new engine, whose commands are sent through {@code through}. */
    void start(Engine begun, Commands through) {
        engine = begun;
        commands = through;
        labels.clear();
        occupancy.nodes().forEach(this::add);
    }

    private Engine engine() {
        return Objects.requireNonNull(engine, "not started");
    }

    private Commands commands() {
        return Objects.requireNonNull(commands, "not started");
    }

    void add(NodeFacts node) {
        Labels now = vocabulary.labels(node, kinds.marks(node.name()));
        labels.put(node.name(), now);
        int server = engine().findServer(node.name());
        if (server == View.NONE) {
            commands().addServer(time.getAsLong(), 0, resources.capacity(node), node.name(), now);
            long devices = resources.devices(node);
            if ((devices & (devices + 1)) != 0) {
                // It got those of the lowest numbers.
                resize(node);
            }
        } else {
            commands().labelServer(time.getAsLong(), server, now);
            resize(node);
            commands().returnServer(time.getAsLong(), server);
        }
    }

    void change(NodeFacts node, NodeFacts before) {
        // Labels come first, so that nothing is placed by outdated rules.
        relabel(node.name());
        if (!node.allocatable().equals(before.allocatable()) || !node.gpus().equals(before.gpus())) {
            resize(node);
        }
    }

    private void resize(NodeFacts node) {
        commands()
                .resizeServer(time.getAsLong(), number(node.name()), resources.capacity(node), resources.devices(node));
    }

    /** Updates the labels of a server if they have changed. */
    void relabel(String name) {
        NodeFacts node = occupancy.node(name);
        if (node == null) {
            return;
        }
        Labels now = vocabulary.labels(node, kinds.marks(name));
        if (!now.equals(labels.put(name, now))) {
            commands().labelServer(time.getAsLong(), number(name), now);
        }
    }

    void relabelAll() {
        occupancy.nodes().forEach(node -> relabel(node.name()));
    }

    void drain(String name) {
        commands().drainServer(time.getAsLong(), number(name));
    }

    /** Removes a drained server on which nothing runs. */
    void remove(String name) {
        commands().removeServer(time.getAsLong(), number(name));
        labels.remove(name);
    }

    int number(String name) {
        int server = engine().findServer(name);
        if (server == View.NONE) {
            throw new IllegalStateException("the engine does not know node " + name);
        }
        return server;
    }

    /** For tests: the free amounts of a server that is up, by the names of the resources. */
    Map<String, Long> free(String node) {
        View view = engine().view();
        int server = number(node);
        Map<String, Long> free = new LinkedHashMap<>();
        for (int r = 0; r < view.resources(); r++) {
            free.put(resources.names().get(r), view.free(server, r));
        }
        if (view.status(server) != ServerStatus.UP) {
            throw new IllegalStateException(node + " is " + view.status(server));
        }
        return free;
    }
}
