package dev.stowage.sim.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * An axis of a sweep.
 *
 * @param name its name in tables and plots
 * @param path what is set
 * @param values to which values
 */
record SweepAxis(String name, String path, List<JsonNode> values) {
    /** One value of an axis and where it goes. */
    record Value(String path, JsonNode node) {}
}
