package dev.stowage.sim.trace;

import java.util.List;

/** A format of request traces. */
public abstract class TraceFormat extends TableFormat {
    TraceFormat(String key, String title, String source, List<Column> columns, FormatSetting... settings) {
        super(key, title, source, columns, List.of(settings));
    }

    /** Starts the mapping of rows to requests. */
    abstract Mapper mapper(Reading reading);

    /** Turns rows into requests. */
    interface Mapper extends RowMapper {
        /** Where the requests are collected. */
        TraceBuilder requests();

        /** The trace of all of them. */
        default Trace trace() {
            return requests().build();
        }
    }

    /** A mapping to resources that are the same for all files. */
    abstract static class SimpleMapper implements Mapper {
        private final TraceBuilder requests;

        SimpleMapper(List<String> resources) {
            requests = new TraceBuilder(resources);
        }

        @Override
        public final TraceBuilder requests() {
            return requests;
        }
    }
}
