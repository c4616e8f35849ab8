package dev.stowage.sim.trace;

import java.util.List;

/** A mapping with a builder and nothing else to remember between rows. */
abstract class SimpleMapper implements TraceFormat.Mapper {
    private final TraceBuilder requests;

    SimpleMapper(List<String> resources) {
        requests = new TraceBuilder(resources);
    }

    @Override
    public final TraceBuilder requests() {
        return requests;
    }
}
