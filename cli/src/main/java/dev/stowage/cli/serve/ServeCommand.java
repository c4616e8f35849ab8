package dev.stowage.cli.serve;

import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.PolicyArgument;
import dev.stowage.cli.text.ProgramOptions;
import dev.stowage.service.api.ApiSettings;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stowage serve}: the live service. */
@Command(
        name = "serve",
        description = "Place requests live and durably, on one node or replicated on several, over gRPC and JSON."
                + " Exits on Ctrl-C or SIGTERM; what was acknowledged survives kill -9.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage serve",
            "  stowage serve --servers \"1400 x 48 cores, 128 GiB\" --policy best-fit:when-full=queue --data /var/lib/stowage",
            "  stowage serve --nodes 3 --data stowage-group",
            "  stowage serve --config service.yaml --node n1 --bootstrap",
            "  stowage serve --config service.yaml --node n1",
            "",
            "--servers and --policy apply to the first start; 'stowage servers' and 'stowage policy' change them."
        })
public final class ServeCommand extends PolicyCommand implements Callable<Integer> {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML: nodes, cluster, types, policy, limits (docs/service.md).")
    @Nullable
    Path config;

    @Option(names = "--node", paramLabel = "ID", description = "Which node of the configuration this is.")
    @Nullable
    String node;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description =
                    "Start 3, 5 or 7 nodes on this machine, each as a process that is restarted if it dies (default:"
                            + " 1).")
    int nodes = 1;

    @Option(
            names = "--bootstrap",
            description = "For the first start of all nodes: this node makes the group once all others report that they"
                    + " have none. If any node has one, this one joins it instead. With --nodes: make a new group"
                    + " where the data of all nodes is gone.")
    boolean bootstrap;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where log and snapshots are kept (default: stowage-data).")
    @Nullable
    Path data;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port of the API on 127.0.0.1, 0 for a free one (default: " + ApiSettings.PORT
                    + "); with --nodes, the port of the first node.")
    @Nullable
    Integer port;

    @Option(
            names = "--servers",
            paramLabel = "SERVERS",
            description = "Servers at the first start, or a file that lists them (default: " + Serve.SERVERS + ").")
    @Nullable
    String servers;

    @Option(
            names = "--policy",
            paramLabel = "KEY",
            completionCandidates = PolicyArgument.PolicyKeys.class,
            description = "Policy at the first start (default: " + Serve.POLICY + ").")
    @Nullable
    String policy;

    @Option(names = "--log-calls", description = "Log every call, not only failures and changes of servers and policy.")
    boolean logCalls;

    @Option(
            names = "--end-with",
            paramLabel = "PID",
            hidden = true,
            description = "Exit when the process with this id exits.")
    @Nullable
    Long endWith;

    @Option(
            names = "--trial",
            hidden = true,
            description = "Do a training run for the JVM (run, start or group), then exit.")
    @Nullable
    String trial;

    /** The class whose main method is this program. */
    Class<?> program() {
        return spec().root().userObject().getClass();
    }

    /** Carries out another command of this program, as from a command line. */
    int carryOut(String... arguments) {
        return ((ProgramOptions) spec().root().userObject()).carryOut(arguments);
    }

    @Override
    public Integer call() throws Exception {
        return new Serve(this, console()).run();
    }
}
