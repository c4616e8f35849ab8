package dev.stowage.service.simulation;

import dev.stowage.service.state.Operation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a client wants of a node.
 *
 * @param operation to be logged; null for a read
 * @param tenant whose request is read
 * @param id which request is read
 * @param answer takes the reply back through the network
 */
record Ask(@Nullable Operation operation, String tenant, String id, Consumer<Reply> answer) {}
