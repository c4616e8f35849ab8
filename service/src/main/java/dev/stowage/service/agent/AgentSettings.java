package dev.stowage.service.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an agent.
 *
 * @param server name of its server, or its number
 * @param directory the agent's own directory, with what runs and a record
 * @param command the process that stands for a request
 * @param lease how long it may be silent until its server is suspected; null for the service's default
 * @param grace time from then until it is lost; null for the service's default
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
