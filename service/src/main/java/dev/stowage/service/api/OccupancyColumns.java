package dev.stowage.service.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.Occupancy;
import dev.stowage.service.v1.ServerKind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The free amounts of every server, in columns: some 10 bytes per server and resource, where a list of servers needs
 * 300.
 */
final class OccupancyColumns {
    /** Servers that are copied in one hold of the lock: some 20 us. */
    private static final int STEP = 256;

    /** The common properties of equal servers; a class of the engine has one site and one capacity. */
    private record Kind(int capacityClass, Labels labels) {}

    private final Occupancy.Builder out = Occupancy.newBuilder();
    private final Map<Kind, Integer> kinds = new LinkedHashMap<>();
    private @Nullable World world;
    private long digest;
    private int next;

    private OccupancyColumns() {}

    /**
     * Columns, and when they hold.
     *
     * @param columns of all servers
     * @param digest of all that had been decided where they begin; as long as it stays, so do they
     */
    record Seen(Occupancy columns, long digest) {}

    /** As this node knows it; not a linearizable read, because it is called again and again. */
    static CompletableFuture<Seen> of(Calls calls) {
        return CompletableFuture.supplyAsync(
                () -> {
                    OccupancyColumns columns = new OccupancyColumns();
                    while (calls.node().look(state -> {
                        World present = Calls.begun(state);
                        if (columns.world != present) {
                            columns.begin(present, state);
                        }
                        return columns.more(present);
                    })) {}
                    return new Seen(columns.out.build(), columns.digest);
                },
                ServiceRequestContext.current().blockingTaskExecutor());
    }

    /** Begins; begins again if a snapshot has replaced the state meanwhile. */
    private void begin(World present, ServiceState state) {
        world = present;
        digest = present.engine().digest();
        next = 0;
        kinds.clear();
        out.clear()
                .addAllResources(present.resources())
                .setPosition(state.position())
                .setNowNanos(state.now());
    }

    private boolean more(World present) {
        View view = present.engine().view();
        int stop = Math.min(view.servers(), next + STEP);
        for (; next < stop; next++) {
            Kind kind = new Kind(view.capacityClass(next), view.labels(next));
            Integer known = kinds.get(kind);
            if (known == null) {
                known = kinds.size();
                kinds.put(kind, known);
                out.addKinds(message(present, view, kind));
            }
            out.addKind(known)
                    .addStatus(number(view.status(next)))
                    .addRunning(present.heldRoom().running(next));
            for (int r = 0; r < view.resources(); r++) {
                out.addFree(view.free(next, r));
            }
        }
        return next < view.servers();
    }

    private static ServerKind message(World world, View view, Kind kind) {
        ServerKind.Builder message = ServerKind.newBuilder()
                .setSite(world.sites().get(view.classSite(kind.capacityClass())))
                .putAllLabels(kind.labels().values());
        for (int r = 0; r < view.resources(); r++) {
            message.addCapacity(view.classCapacity(kind.capacityClass(), r));
        }
        return message.build();
    }

    private static int number(ServerStatus status) {
        return switch (status) {
            case UP -> 0;
            case DRAINING -> 1;
            case GONE -> 2;
            case SUSPECTED -> 3;
            case RETURNING -> 4;
        };
    }
}
