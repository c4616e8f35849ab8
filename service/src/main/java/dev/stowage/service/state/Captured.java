package dev.stowage.service.state;

import java.util.function.Supplier;

/**
 * A world at one moment, to be written while the world goes on.
 *
 * @param particulars all but engine and requests
 * @param engine makes the engine's bytes from its copy
 * @param inSystem makes the requests in the system from their copy, in order of arrival; each is an immutable object
 * @param finished those that are over
 */
record Captured(
        byte[] particulars, Supplier<byte[]> engine, Supplier<Request[]> inSystem, FinishedRequests.Copy finished) {}
