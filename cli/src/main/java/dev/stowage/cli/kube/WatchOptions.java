package dev.stowage.cli.kube;

import dev.stowage.cli.advise.AddedJobs;
import dev.stowage.cli.live.ClientOptions;
import dev.stowage.cli.log.ListenAddress;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.kube.consolidate.NodePrices;
import dev.stowage.kube.consolidate.OffPeak;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** When a controller empties nodes, and which. */
final class WatchOptions {
    private static final int LEAST_LEASE_SECONDS = 5;

    @Option(
            names = "--watch",
            description = "Run continuously, as a controller. With --carry-out: empty nodes whenever it pays, and keep"
                    + " them cordoned until they are removed. Its ConfigMap shows what it does, or would do, and why.")
    private boolean watch;

    @Option(
            names = "--between",
            paramLabel = "HOURS",
            description = "With --watch: only in these hours, e.g. \"Mon-Fri 22:00-06:00 Europe/Berlin\" (default:"
                    + " always; UTC if no zone is given). Repeatable.")
    private List<String> between = List.of();

    @Rare
    @Option(
            names = "--prices",
            paramLabel = "FILE|label:KEY",
            description = "With --watch: what nodes cost, by a label of theirs, or a file with lines NODE,PRICE or"
                    + " LABEL=VALUE,PRICE. Nodes without a price are not emptied (default: all cost the same).")
    private @Nullable String prices;

    @Rare
    @Option(
            names = "--threshold",
            paramLabel = "K",
            description = "With --watch: empty a node only if its share of all prices is at least 1/K of its share of"
                    + " all disruption, i.e. its score is at least 1/K (default: 2; docs/advise.md).")
    private @Nullable Double threshold;

    @Option(
            names = "--spare",
            paramLabel = "N",
            description = "With --watch: keep a place for all that runs even if the N fullest nodes are lost.")
    private @Nullable Integer spare;

    @Rare
    @Option(
            names = "--add",
            paramLabel = "\"N x CPU, MEMORY, ...\"",
            description = "With --watch: keep room for these pods, as in \"4 x 2 cores, 4 GiB\".")
    private @Nullable String add;

    @Rare
    @Option(
            names = "--remove",
            paramLabel = "COMMAND",
            description = "With --watch: run this with the name of each node that has been emptied, to remove it. The"
                    + " cluster-autoscaler needs no command: it removes empty nodes by itself.")
    private @Nullable String remove;

    @Rare
    @Option(
            names = "--retry-after",
            paramLabel = "TIME",
            description = "With --watch: how long to do nothing after a node could not be emptied, was filled again, or"
                    + " there was nothing to empty (default: 10 min).")
    private @Nullable String retryAfter;

    @Rare
    @Option(
            names = "--lease",
            paramLabel = "NAMESPACE/NAME",
            description = "With --watch: the Lease, which one replica at a time holds, and the ConfigMap of"
                    + " that name (default: kube-system/stowage-consolidate).")
    private @Nullable String lease;

    @Rare
    @Option(
            names = "--lease-seconds",
            paramLabel = "S",
            description = "With --watch: how long the lease lasts without renewal (default: 30).")
    private @Nullable Integer leaseSeconds;

    @Rare
    @Option(
            names = "--listen",
            paramLabel = "ADDRESS:PORT",
            description = "With --watch: where /metrics, /healthz and /readyz are, without a password; port 0 for a"
                    + " free one (default: 127.0.0.1:7481).")
    private @Nullable String listen;

    private final List<OffPeak> hours = new ArrayList<>();
    private @Nullable NodePrices read;

    boolean watches() {
        return watch;
    }

    /** Refuses what has no effect, and reads the rest. */
    void check(CommandSpec spec) {
        if (!watch) {
            ClientOptions.refuse(
                    spec,
                    "is for --watch",
                    List.of(
                            "--between",
                            "--prices",
                            "--threshold",
                            "--spare",
                            "--add",
                            "--remove",
                            "--retry-after",
                            "--lease",
                            "--lease-seconds",
                            "--listen"));
            return;
        }
        ClientOptions.refuse(spec, "is not for --watch: --at-once limits how many are emptied", List.of("--most"));
        ClientOptions.refuse(spec, "is not for --watch, which always keeps them closed", List.of("--keep-closed"));
        between.forEach(
                text -> hours.add(BadInputException.saying("--between \"" + text + "\" ", () -> OffPeak.parse(text))));
        String source = prices;
        if (source != null) {
            read = BadInputException.saying("--prices " + source + ": ", () -> NodePrices.of(source));
        }
        if (threshold != null && !(threshold > 0)) {
            throw new BadInputException("--threshold " + threshold + " must be above 0");
        }
        check("--spare", spare, 1, one -> one >= 1);
        check("--lease-seconds", leaseSeconds, LEAST_LEASE_SECONDS, one -> one >= LEAST_LEASE_SECONDS);
        listen();
        if (lease().length != 2) {
            throw new BadInputException("--lease " + lease + " must be NAMESPACE/NAME, as in kube-system/stowage");
        }
        room();
        retryNanos();
    }

    private static void check(String option, @Nullable Integer value, int least, Predicate<Integer> holds) {
        if (value != null && !holds.test(value)) {
            throw new BadInputException(option + " " + value + " must be at least " + least);
        }
    }

    /** Empty for always. */
    List<OffPeak> hours() {
        return hours;
    }

    OptionalDouble price(String node, java.util.Map<String, String> labels) {
        return read == null ? OptionalDouble.of(1) : read.of(node, labels);
    }

    double leastScore() {
        return 1 / (threshold == null ? 2 : threshold);
    }

    int spare() {
        return spare == null ? 0 : spare;
    }

    @Nullable
    AddedJobs room() {
        return add == null ? null : AddedJobs.parse(add);
    }

    /** The words of the command that removes a node, to which its name is added; empty for none. */
    List<String> remove() {
        return remove == null ? List.of() : List.of(remove.strip().split("\\s+", -1));
    }

    long retryNanos() {
        return ClientOptions.nanos("--retry-after", retryAfter == null ? "10 min" : retryAfter);
    }

    /** Namespace and name. */
    String[] lease() {
        return (lease == null ? "kube-system/stowage-consolidate" : lease).split("/", -1);
    }

    Duration leaseDuration() {
        return Duration.ofSeconds(leaseSeconds == null ? 30 : leaseSeconds);
    }

    InetSocketAddress listen() {
        return ListenAddress.parse(listen == null ? "127.0.0.1:7481" : listen);
    }
}
