package dev.stowage.sim.trace;

import java.util.List;

/** A format of server lists. */
public abstract class ServerFormat extends TableFormat {
    ServerFormat(String key, String title, String source, List<Column> columns, FormatSetting... settings) {
        super(key, title, source, columns, List.of(settings));
    }

    /** Starts the mapping of rows to servers. */
    abstract Mapper mapper(Reading reading);

    /** Turns rows into servers. */
    interface Mapper extends RowMapper {
        /** Where the servers are collected. */
        ServerListBuilder servers();
    }

    /** A mapping with a builder and nothing else to remember between rows. */
    abstract static class SimpleServerMapper implements Mapper {
        private final ServerListBuilder servers;

        SimpleServerMapper(List<String> resources) {
            servers = new ServerListBuilder(resources);
        }

        @Override
        public final ServerListBuilder servers() {
            return servers;
        }
    }
}
