package dev.stowage.cli.kube;

import dev.stowage.cli.log.ServiceLog;
import dev.stowage.cli.log.StopSignal;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.kube.guard.BindingGuard;
import dev.stowage.kube.guard.GuardSettings;
import dev.stowage.kube.schedule.KubeClients;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stowage kube guard}: a webhook on bindings. */
@Command(
        name = "guard",
        description =
                "Refuse bindings for which a node has no room, whichever scheduler sends them: a validating webhook"
                        + " on pods/binding (deploy/kubernetes/guard.yaml). Exits on Ctrl-C or SIGTERM.",
        abbreviateSynopsis = true,
        footer = {"", "Example:", "  stowage kube guard --tls-cert tls.crt --tls-key tls.key"})
public final class KubeGuardCommand extends ConsoleCommand implements Callable<Integer> {
    private static final int PORT = 7443;
    private static final int LARGEST_PORT = 65_535;
    /** From the signal to the end: as long as it may take until all of the Service's clients know. */
    private static final int DRAIN_SECONDS = 10;

    /** What happens to bindings that cannot be checked. */
    enum Unsure {
        refuse,
        allow
    }

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            required = true,
            description = "Certificate that is shown to the API server (PEM).")
    private Path certificate = Path.of("tls.crt");

    @Option(names = "--tls-key", paramLabel = "FILE", required = true, description = "Its key (PEM).")
    private Path key = Path.of("tls.key");

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Address and credentials of the cluster (default: those of the pod that this runs in, or"
                    + " KUBECONFIG, or ~/.kube/config).")
    @Nullable
    private Path kubeconfig;

    @Option(
            names = "--when-unsure",
            paramLabel = "refuse|allow",
            description = "What to do with bindings before the cluster is known or while the API server does not answer"
                    + " (default: refuse). The webhook's failurePolicy applies while no guard answers.")
    private Unsure whenUnsure = Unsure.refuse;

    @Option(
            names = "--namespace",
            paramLabel = "NAMESPACE",
            description = "Namespace where guards record what they have allowed, in a ConfigMap for each node (default:"
                    + " stowage-guard). So several guards can run, and a new one can judge immediately.")
    private String namespace = "stowage-guard";

    @Option(
            names = "--request-seconds",
            paramLabel = "S",
            description = "The API server's --request-timeout, rounded up to seconds. An allowed binding that has not"
                    + " been seen reserves its room this long, because it may still take effect (default: 60, the API"
                    + " server's default).")
    private int requestSeconds = (int) GuardSettings.USUAL_REQUEST.toSeconds();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port of the webhook (/binding), /metrics, /healthz and /readyz, all HTTPS; 0 for a free one"
                    + " (default: " + PORT + ").")
    private int port = PORT;

    @Override
    public Integer call() throws InterruptedException {
        check();
        ServiceLog.start(false);
        Console console = console();
        GuardSettings settings = new GuardSettings(
                port, certificate, key, whenUnsure == Unsure.allow, namespace, Duration.ofSeconds(requestSeconds));
        try (StopSignal signal = new StopSignal();
                KubernetesClient client = BadInputException.saying("", () -> KubeClients.open(kubeconfig));
                BindingGuard guard = open(client, settings)) {
            if (signal.stopped()) {
                // Before anybody could know of it: nobody has to learn that it ends.
                return 0;
            }
            console.note("Judges bindings at https://0.0.0.0:" + guard.port() + "/binding");
            signal.await();
            guard.drain();
            // Meanwhile the Service stops sending bindings here.
            TimeUnit.SECONDS.sleep(DRAIN_SECONDS);
        }
        return 0;
    }

    private void check() {
        for (Path file : new Path[] {certificate, key}) {
            if (!Files.isReadable(file)) {
                throw new BadInputException(file + ": there is no such file, or it cannot be read");
            }
        }
        if (requestSeconds < 1) {
            throw new BadInputException("--request-seconds " + requestSeconds + " must be at least 1");
        }
        if (port < 0 || port > LARGEST_PORT) {
            throw new BadInputException("--port " + port + " must be 0 to " + LARGEST_PORT);
        }
    }

    private static BindingGuard open(KubernetesClient client, GuardSettings settings) {
        return BadInputException.saying("", () -> new BindingGuard(client, settings));
    }
}
