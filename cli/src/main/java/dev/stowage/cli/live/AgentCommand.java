package dev.stowage.cli.live;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.service.agent.Agent;
import dev.stowage.service.agent.AgentSettings;
import dev.stowage.service.client.StowageClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stowage agent}: an example of an agent, with local processes for requests. */
@Command(
        name = "agent",
        description = "Run an example agent for a server: it runs a local process for each request with an agent that"
                + " is placed there. It starts and stops the processes as the service says, and ends them when its"
                + " lease expires. For Linux, with bash.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Example:",
            "  stowage agent --server rack2-5 --lease \"10 s\" --grace \"10 s\"",
            "",
            "Each start and each end of a process is a line on standard error, with the reason (none with --quiet).",
            "DIRECTORY/record has a line for each start and stop of a process: what, request (tenant~id~attempt), why,",
            "hundredths of a second since the machine's start, seconds since 1970. After Ctrl-C, the processes go",
            "on until the lease expires, and the next agent in the directory finds them."
        })
public final class AgentCommand extends ConsoleCommand implements Runnable {
    @Option(names = "--server", required = true, paramLabel = "SERVER", description = "The server's name or number.")
    private String server = "";

    @Option(
            names = "--directory",
            paramLabel = "DIRECTORY",
            description = "Directory of what runs, and of its record (default: stowage-agent-SERVER).")
    private @Nullable Path directory;

    @Option(
            names = "--run",
            paramLabel = "COMMAND",
            description =
                    "Command to run for each request, words separated by spaces (default: sleep infinity). When it"
                            + " ends, the request has ended.")
    private String command = "sleep infinity";

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            description = "How long the agent may be silent before the server is suspected (default: as the service"
                    + " says).")
    private @Nullable String lease;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            description = "How long a server is suspected before it is lost (default: as the service says).")
    private @Nullable String grace;

    @Mixin
    private ClientOptions client;

    @Override
    public void run() {
        AgentSettings settings = new AgentSettings(
                server,
                directory == null ? Path.of("stowage-agent-" + server) : directory,
                List.of(command.strip().split("\\s+", -1)),
                duration("--lease", lease),
                duration("--grace", grace));
        if (command.isBlank()) {
            throw new BadInputException("--run names no command");
        }
        Console console = console();
        try (StowageClient service = client.waitingClient()) {
            Agent.run(service, settings, line -> console.note("stowage: " + line));
        } catch (IOException e) {
            throw new CallFailedException(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static @Nullable Duration duration(String option, @Nullable String text) {
        return text == null ? null : Duration.ofNanos(ClientOptions.nanos(option, text));
    }
}
