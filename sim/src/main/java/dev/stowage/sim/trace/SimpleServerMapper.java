package dev.stowage.sim.trace;

import java.util.List;

/** A mapping with a builder and nothing else to remember between rows. */
abstract class SimpleServerMapper implements ServerFormat.Mapper {
    private final ServerListBuilder servers;

    SimpleServerMapper(List<String> resources) {
        servers = new ServerListBuilder(resources);
    }

    @Override
    public final ServerListBuilder servers() {
        return servers;
    }
}
