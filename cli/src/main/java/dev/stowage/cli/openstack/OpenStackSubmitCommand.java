package dev.stowage.cli.openstack;

import dev.stowage.cli.advise.WallPace;
import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Failures;
import dev.stowage.cli.text.PolicyArgument;
import dev.stowage.openstack.api.CloudException;
import dev.stowage.openstack.place.HostEngine;
import dev.stowage.openstack.place.LiveServers;
import dev.stowage.openstack.place.ServerCalls;
import dev.stowage.openstack.place.ServerQueue;
import dev.stowage.policies.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage openstack submit}: a queue in front of Nova. */
@Command(
        name = "submit",
        description = "Create servers when there is room: the requests of a file wait in a policy's queue; when the"
                + " policy has placed one, Nova is asked to create it on that host. Exits when no request is left."
                + " FILE.sent records what was done, so you can stop the command and restart it at any time: no server"
                + " is created twice. With several clouds, the policy also chooses the cloud (docs/openstack.md).",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage openstack submit --cloud mycloud servers.jsonl",
            "  stowage openstack submit --cloud mycloud --policy fifo-ff servers.jsonl",
            "  stowage openstack submit --cloud east --cloud west --policy load-balancing servers.jsonl"
        })
public final class OpenStackSubmitCommand extends PolicyCommand implements Callable<Integer> {
    /** Nova may build for long before it claims; the promise is renewed when it has taken the request. */
    private static final long PROMISED_SECONDS = 120;
    /** Between two readings of the cloud. */
    private static final long PAUSE_SECONDS = 5;

    private static final Set<Integer> NOT_ALLOWED = Set.of(401, 403);

    @Parameters(
            paramLabel = "FILE",
            description =
                    "Requests, one on each line: the JSON body of Nova's POST /servers, without a host. The name of"
                            + " the server is the name of the request.")
    private Path file = Path.of("");

    @Mixin
    private CloudOptions cloud = new CloudOptions();

    @Option(
            names = "--policy",
            paramLabel = "KEY",
            completionCandidates = PolicyArgument.PolicyKeys.class,
            description = "The policy (default: ${DEFAULT-VALUE}).")
    private String policy = "bf-js";

    @Override
    public Integer call() throws Exception {
        Console console = console();
        try (WallPace pace = new WallPace();
                ServerQueue queue = queue(console)) {
            boolean stopped = false;
            while (queue.isBusy() && !stopped) {
                try {
                    queue.step();
                } catch (CloudException e) {
                    if (NOT_ALLOWED.contains(e.status())) {
                        throw new CallFailedException(String.valueOf(e.getMessage()), e);
                    }
                    console.note("No cloud could be read; asking again: " + e.getMessage());
                } catch (UnsupportedOperationException e) {
                    throw new BadInputException(String.valueOf(e.getMessage()), e);
                }
                stopped = queue.isBusy() && !pace.pause(TimeUnit.SECONDS.toNanos(PAUSE_SECONDS));
            }
            console.out()
                    .println(queue.made() + (queue.made() == 1 ? " server" : " servers") + " created, "
                            + queue.failed() + (queue.failed() == 1 ? " request" : " requests") + " failed"
                            + (stopped ? "; stopped, run it again to continue" : ""));
            console.out().flush();
            return queue.failed() == 0 ? 0 : 1;
        }
    }

    private ServerQueue queue(Console console) {
        try {
            Map<String, ServerCalls> clouds = new LinkedHashMap<>();
            cloud.sessions().forEach((name, session) -> clouds.put(name, new LiveServers(session)));
            HostEngine engine = new HostEngine(
                    PolicyArgument.labelled(policy).spec(),
                    new Policies(),
                    System::nanoTime,
                    TimeUnit.SECONDS.toNanos(PROMISED_SECONDS),
                    clouds.keySet().stream()
                            .map(name -> name.isEmpty() ? "cloud" : name)
                            .toList());
            return new ServerQueue(file, engine, clouds, System::nanoTime, InstantSource.system(), words -> {
                console.out().print(console.wrapped("", words));
                console.out().flush();
            });
        } catch (IllegalArgumentException e) {
            throw new BadInputException(file + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new BadInputException(
                    (Files.isReadable(file) ? file + ".sent" : file.toString()) + ": " + Failures.why(e), e);
        }
    }
}
