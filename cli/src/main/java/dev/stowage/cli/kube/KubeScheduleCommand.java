package dev.stowage.cli.kube;

import dev.stowage.cli.log.ListenAddress;
import dev.stowage.cli.log.ServiceLog;
import dev.stowage.cli.log.StopSignal;
import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.PolicyArgument;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.schedule.CommandLogs;
import dev.stowage.kube.schedule.HealthServer;
import dev.stowage.kube.schedule.KubeSettings;
import dev.stowage.kube.schedule.Replica;
import dev.stowage.policies.Policies;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stowage kube schedule}: a scheduler for pods. */
@Command(
        name = "schedule",
        description = "Place pods that ask for it (spec.schedulerName: stowage) on the nodes of a cluster. Exits on"
                + " Ctrl-C or SIGTERM; after a restart it adopts what runs and continues.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage kube schedule --policy bf-js --kubeconfig ~/.kube/config",
            "  stowage kube schedule --policy best-fit:when-full=queue --lease kube-system/stowage"
        })
public final class KubeScheduleCommand extends PolicyCommand implements Callable<Integer> {
    private static final int LEASE_SECONDS = 15;

    @Option(
            names = "--policy",
            paramLabel = "KEY",
            completionCandidates = PolicyArgument.PolicyKeys.class,
            description = "The policy (default: bf-js).")
    private String policy = "bf-js";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Address and credentials of the cluster (default: those of the pod that this runs in, or"
                    + " KUBECONFIG, or ~/.kube/config).")
    @Nullable
    private Path kubeconfig;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of this scheduler, as pods give it in spec.schedulerName (default: stowage).")
    private String name = "stowage";

    @Rare
    @Option(
            names = "--bindings",
            paramLabel = "N",
            description = "Maximum number of bindings in progress at one time (default: 32).")
    private int bindings = 32;

    @Option(
            names = "--lease",
            paramLabel = "NAMESPACE/NAME",
            description = "Run as one of several replicas: only the holder of this Lease acts.")
    @Nullable
    private String lease;

    @Rare
    @Option(
            names = "--lease-seconds",
            paramLabel = "S",
            description = "How long a lease lasts without renewal (default: " + LEASE_SECONDS + ").")
    private int leaseSeconds = LEASE_SECONDS;

    @Rare
    @Option(
            names = "--group-seconds",
            paramLabel = "S",
            description = "Undo a partly bound pod group (evict its bound pods) if the rest finds no room for this long"
                    + " (default: 20).")
    private int groupSeconds = 20;

    @Option(
            names = "--preferences",
            paramLabel = "W",
            description =
                    "Weight of what pods prefer (preferred affinity and spread, PreferNoSchedule) against packing:"
                            + " 0 ignores it, up to 100 (default: 10; see docs/kubernetes.md).")
    private int preferences = 10;

    @Option(
            names = "--no-preempt",
            description = "Never evict pods of lower priority. By default they are evicted for a pod that finds no"
                    + " room, as kube-scheduler does, but never against a disruption budget.")
    private boolean noPreempt;

    @Rare
    @Option(
            names = "--stuck-seconds",
            paramLabel = "S",
            description = "If a pod that was evicted for another has not ended this long after its grace period, the"
                    + " waiting pod gets another node, if pods may be evicted there (default: 60).")
    private int stuckSeconds = 60;

    @Option(
            names = "--volume-seconds",
            paramLabel = "S",
            description =
                    "If a claim of a pod is not bound to a volume of the chosen node within this time, another node is"
                            + " tried (default: 600).")
    private int volumeSeconds = 600;

    @Option(
            names = "--record",
            paramLabel = "DIR",
            description = "Record what the policy receives, for 'stowage replay' under this or another policy: one file"
                    + " each time this replica begins to lead or a resource is requested for the first time.")
    @Nullable
    private Path record;

    @Option(
            names = {"-v", "--verbose"},
            description = "Log each decision in a line: where a pod goes and why, why it waits, who is evicted for it.")
    private boolean verbose;

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS:PORT",
            description = "Address of /metrics, /healthz and /readyz (default: ${DEFAULT-VALUE}).")
    private String listen = "127.0.0.1:7480";

    @Override
    public Integer call() throws Exception {
        PolicySpec chosen = PolicyArgument.labelled(policy).spec();
        InetSocketAddress address = ListenAddress.parse(listen);
        check();
        ServiceLog.start(verbose);
        Console console = console();
        KubeSettings usual = KubeSettings.of(name, chosen);
        KubeSettings settings = new KubeSettings(
                name,
                chosen,
                bindings,
                usual.explainEvery(),
                usual.holdFor(),
                Duration.ofSeconds(groupSeconds),
                Duration.ofSeconds(stuckSeconds),
                Duration.ofSeconds(volumeSeconds),
                !noPreempt,
                preferences);
        Replica replica = replica(settings);
        StopSignal signal = new StopSignal(replica::close);
        try (signal;
                HealthServer health = health(address, replica)) {
            console.note("Places pods with schedulerName " + name + " with " + chosen + "; metrics at "
                    + ListenAddress.url(address, health.port()) + "/metrics");
            replica.run();
        }
        return 0;
    }

    private void check() {
        if (bindings < 1 || bindings > 1000) {
            throw new BadInputException("--bindings " + bindings + " must be 1 to 1000");
        }
        if (groupSeconds < 1) {
            throw new BadInputException("--group-seconds " + groupSeconds + " must be at least 1");
        }
        if (volumeSeconds < 1) {
            throw new BadInputException("--volume-seconds " + volumeSeconds + " must be at least 1");
        }
        if (stuckSeconds < 1) {
            throw new BadInputException("--stuck-seconds " + stuckSeconds + " must be at least 1");
        }
        if (preferences < 0 || preferences > KubeSettings.MOST_PREFERENCES) {
            throw new BadInputException(
                    "--preferences " + preferences + " must be 0 to " + KubeSettings.MOST_PREFERENCES);
        }
        if (lease != null && lease.split("/", -1).length != 2) {
            throw new BadInputException("--lease " + lease + " must be NAMESPACE/NAME, as in kube-system/stowage");
        }
    }

    private Replica replica(KubeSettings settings) {
        Replica.LeaseSettings meeting = null;
        if (lease != null) {
            String[] parts = lease.split("/", -1);
            meeting = new Replica.LeaseSettings(parts[0], parts[1], Duration.ofSeconds(leaseSeconds));
        }
        try {
            return new Replica(kubeconfig, settings, new Policies(), meeting, logs());
        } catch (IllegalArgumentException e) {
            throw new BadInputException(String.valueOf(e.getMessage()), e);
        }
    }

    private CommandLogs logs() {
        if (record == null) {
            return CommandLogs.NONE;
        }
        return BadInputException.saying(
                "--record " + record + " cannot be created: ",
                () -> new KubeRecorder(Files.createDirectories(record), Clock.systemUTC()));
    }

    private HealthServer health(InetSocketAddress address, Replica replica) {
        return BadInputException.saying(
                "--listen " + listen + ": cannot listen on it: ",
                () -> new HealthServer(address, () -> true, replica::isReady, replica::metrics));
    }
}
