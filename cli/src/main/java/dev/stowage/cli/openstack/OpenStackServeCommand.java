package dev.stowage.cli.openstack;

import dev.stowage.cli.advise.WallPace;
import dev.stowage.cli.log.ListenAddress;
import dev.stowage.cli.log.ServiceLog;
import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.PolicyArgument;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.openstack.place.HostEngine;
import dev.stowage.openstack.place.HostServer;
import dev.stowage.openstack.place.HostService;
import dev.stowage.openstack.snapshot.RoomReader;
import dev.stowage.policies.Policies;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stowage openstack serve}: decides where Nova puts servers. */
@Command(
        name = "serve",
        description = "Decide where Nova puts servers: answers the plug-in in Nova's scheduler"
                + " (deploy/openstack/stowage_nova.py), which sends the hosts that have passed Nova's filters. Reads"
                + " Placement and changes nothing. Exits on Ctrl-C or SIGTERM; after a restart it starts from what"
                + " Placement reports (docs/openstack.md).",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage openstack serve --cloud mycloud",
            "  stowage openstack serve --cloud mycloud --policy best-fit:score=available",
            "  stowage openstack serve --cloud mycloud --listen 10.0.0.5:8790 --token-file /etc/stowage/nova-token"
        })
public final class OpenStackServeCommand extends PolicyCommand implements Callable<Integer> {
    private static final int SHORTEST_TOKEN = 16;
    private static final long TOO_OLD_NANOS = TimeUnit.MINUTES.toNanos(10);
    /** Placement is read for at most a tenth of the time, but at least every minute. */
    private static final int PAUSES = 9;

    private static final long SHORTEST_PAUSE = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(1);
    /** Nova claims a host in Placement at once; a claim that took longer would be found by the next reading. */
    private static final long CLAIMED_SECONDS = 5;

    @Mixin
    private CloudOptions cloud = new CloudOptions();

    @Option(
            names = "--policy",
            paramLabel = "KEY",
            completionCandidates = PolicyArgument.PolicyKeys.class,
            description = "The policy (default: ${DEFAULT-VALUE}, which packs; best-fit:score=available spreads).")
    private String policy = "best-fit";

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS:PORT",
            description = "Address that the plug-in calls, port 0 for a free one (default: ${DEFAULT-VALUE}). If other"
                    + " machines can reach it, --token-file is needed.")
    private String listen = "127.0.0.1:8790";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File whose first line is a secret of at least 16 characters, which the plug-in must send.")
    private @Nullable Path tokenFile;

    @Override
    public Integer call() throws Exception {
        PolicySpec chosen = PolicyArgument.labelled(policy).spec();
        InetSocketAddress address = ListenAddress.parse(listen);
        String token = token(address);
        ServiceLog.start(false);
        HostService service =
                new HostService(engine(chosen), new RoomReader(cloud.session()), System::nanoTime, TOO_OLD_NANOS);
        try (WallPace pace = new WallPace();
                HostServer server = server(address, token, service)) {
            console()
                    .note("Places servers with " + chosen + "; the plug-in calls "
                            + ListenAddress.url(address, server.port()));
            long pause;
            do {
                // What fails is in the log, and tried again soon.
                long began = System.nanoTime();
                pause = service.read() ? PAUSES * (System.nanoTime() - began) : SHORTEST_PAUSE;
                pause = Math.max(SHORTEST_PAUSE, Math.min(LONGEST_PAUSE, pause));
            } while (pace.pause(pause));
        }
        return 0;
    }

    private @Nullable String token(InetSocketAddress address) {
        if (tokenFile == null) {
            if (!address.getAddress().isLoopbackAddress()) {
                throw new BadInputException(
                        "--listen " + listen + " can be reached from other machines: --token-file is needed");
            }
            return null;
        }
        try {
            List<String> lines = Files.readAllLines(tokenFile);
            String token = lines.isEmpty() ? "" : lines.get(0).strip();
            if (token.length() < SHORTEST_TOKEN) {
                throw new BadInputException("--token-file " + tokenFile + ": its first line has fewer than "
                        + SHORTEST_TOKEN + " characters");
            }
            return token;
        } catch (IOException e) {
            throw new BadInputException("--token-file " + tokenFile + " cannot be read", e);
        }
    }

    private static HostEngine engine(PolicySpec chosen) {
        return BadInputException.saying(
                "",
                () -> HostEngine.ofOne(
                        chosen, new Policies(), System::nanoTime, TimeUnit.SECONDS.toNanos(CLAIMED_SECONDS)));
    }

    private HostServer server(InetSocketAddress address, @Nullable String token, HostService service) {
        return BadInputException.saying(
                "--listen " + listen + ": cannot listen on it: ", () -> new HostServer(address, token, service));
    }
}
