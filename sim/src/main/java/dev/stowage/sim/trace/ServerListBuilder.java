package dev.stowage.sim.trace;

import java.util.ArrayList;
import java.util.List;

/** Collects servers; neighbours that are equal become one block. */
final class ServerListBuilder {
    private final List<String> resources;
    private final List<ServerList.Block> blocks = new ArrayList<>();
    private long servers;

    ServerListBuilder(List<String> resources) {
        this.resources = List.copyOf(resources);
    }

    long servers() {
        return servers;
    }

    void add(String site, long count, List<Long> capacity) {
        servers = Math.addExact(servers, count);
        int last = blocks.size() - 1;
        if (last >= 0
                && blocks.get(last).site().equals(site)
                && blocks.get(last).capacity().equals(capacity)) {
            blocks.set(last, new ServerList.Block(site, blocks.get(last).count() + count, capacity));
        } else {
            blocks.add(new ServerList.Block(site, count, capacity));
        }
    }

    ServerList build() {
        return new ServerList(resources, blocks);
    }
}
