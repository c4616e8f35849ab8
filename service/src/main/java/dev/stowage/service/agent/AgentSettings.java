package dev.stowage.service.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an agent.
 *
 * @param server name of its server, or its number
 * @param directory its own: what runs, and the record of it
 * @param command what stands in for a request
 * @param lease how long it may be silent until its server is suspected; null: as the service says
 * @param grace from then until it is lost; null: as the service says
 */
public record AgentSettings(
        String server,
        Path directory,
        List<String> command,
        @Nullable Duration lease,
        @Nullable Duration grace) {
    /** Takes a copy. */
    public AgentSettings {
        command = List.copyOf(command);
        directory = directory.toAbsolutePath();
    }
}
