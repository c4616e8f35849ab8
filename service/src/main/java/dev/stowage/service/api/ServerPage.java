package dev.stowage.service.api;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.ListServersReply;
import dev.stowage.service.v1.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A page of the servers: copied in the state's lock, made into messages outside of it. */
record ServerPage(List<String> resources, List<Row> rows, long end, boolean last) {
    /**
     * A server.
     *
     * @param capacity per resource
     * @param free per resource
     */
    private record Row(int server, String site, ServerStatus status, long[] capacity, long[] free, int running) {}

    static ServerPage of(World world, int size, long from) {
        View view = world.engine().view();
        long end = Math.min(view.servers(), from + size);
        List<Row> rows = new ArrayList<>();
        for (int server = (int) Math.min(from, view.servers()); server < end; server++) {
            long[] capacity = new long[view.resources()];
            long[] free = new long[view.resources()];
            for (int r = 0; r < view.resources(); r++) {
                capacity[r] = view.capacity(server, r);
                free[r] = view.free(server, r);
            }
            rows.add(new Row(
                    server, Messages.site(world, server), view.status(server), capacity, free, view.running(server)));
        }
        return new ServerPage(world.resources(), rows, end, end >= view.servers());
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
                    .setRunning(row.running()));
        }
        return last ? reply.build() : reply.setNextPageToken(Long.toString(end)).build();
    }
}
