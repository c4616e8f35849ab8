/**
 * What is replicated: the engine, the requests by their id, and the log entries that change them. No clock, thread or
 * network.
 */
@NullMarked
package dev.stowage.service.state;

import org.jspecify.annotations.NullMarked;
