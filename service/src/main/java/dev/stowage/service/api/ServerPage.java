package dev.stowage.service.api;

import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.Device;
import dev.stowage.service.v1.ListServersReply;
import dev.stowage.service.v1.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A page of the servers: copied under the state's lock, some at a time, and converted to messages outside of it. */
final class ServerPage {
    /** Servers that are copied in one hold of the lock: some 50 us. */
    private static final int STEP = 256;

    /**
     * A server.
     *
     * @param capacity per resource
     * @param free per resource
     * @param devices its devices
     * @param silent gone as its agent is silent
     */
    private record Row(
            int server,
            String site,
            ServerStatus status,
            long[] capacity,
            long[] free,
            int running,
            String name,
            Labels labels,
            boolean overcommitted,
            List<Device> devices,
            int unconfirmed,
            boolean silent) {}

    private final List<Row> rows = new ArrayList<>();
    private final List<String> resources;
    private final int end;
    private int next;
    private boolean last;

    /**
     * Begins; in the state's lock, as {@link #more} is.
     *
     * @param size how many servers
     * @param from number of the first
     */
    ServerPage(World world, int size, long from) {
        int servers = world.engine().view().servers();
        resources = world.resources();
        next = (int) Math.min(from, servers);
        end = Math.min(servers, next + size);
    }

    /** Copies some more. Returns whether this must be called again. */
    boolean more(World world) {
        View view = world.engine().view();
        int stop = Math.min(end, next + STEP);
        for (; next < stop; next++) {
            long[] capacity = new long[view.resources()];
            long[] free = new long[view.resources()];
            for (int r = 0; r < view.resources(); r++) {
                capacity[r] = view.capacity(next, r);
                free[r] = view.free(next, r);
            }
            rows.add(new Row(
                    next,
                    Messages.site(world, next),
                    view.status(next),
                    capacity,
                    free,
                    world.heldRoom().running(next),
                    view.serverName(next),
                    view.labels(next),
                    view.overcommitted(next),
                    devices(view, next),
                    world.unconfirmed(next),
                    view.status(next) == ServerStatus.GONE && world.engine().hasAgent(next)));
        }
        last = end >= view.servers();
        return next < end;
    }

    private static List<Device> devices(View view, int server) {
        return view.deviceResource() == View.NONE
                ? List.of()
                : Messages.numbers(view.devicesOf(server)).stream()
                        .map(device -> Device.newBuilder()
                                .setNumber(device)
                                .setFree(view.deviceFree(server, device))
                                .build())
                        .toList();
    }

    ListServersReply reply() {
        ListServersReply.Builder reply = ListServersReply.newBuilder();
        for (Row row : rows) {
            reply.addServers(Server.newBuilder()
                    .setServer(row.server())
                    .setSite(row.site())
                    .setStatus(row.status().name().toLowerCase(Locale.ROOT))
                    .putAllCapacity(Messages.amounts(resources, r -> row.capacity()[r]))
                    .putAllFree(Messages.amounts(resources, r -> row.free()[r]))
                    .setRunning(row.running())
                    .setName(row.name())
                    .putAllLabels(row.labels().values())
                    .setOvercommitted(row.overcommitted())
                    .addAllDevices(row.devices())
                    .setUnconfirmed(row.unconfirmed())
                    .setSilent(row.silent()));
        }
        return last
                ? reply.build()
                : reply.setNextPageToken(Integer.toString(end)).build();
    }
}
