package dev.stowage.bench;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Setting;
import dev.stowage.service.state.Snapshot;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How long the service is stopped by a snapshot: the time to copy its state, with many live requests, which come and go
 * between two snapshots while another thread writes the previous one (to nowhere).
 *
 * <p>Arguments: live requests, snapshots.
 */
public final class SnapshotPause {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int CORES = 48;
    private static final int PER_ENTRY = 64;
    private static final int CHANGED = 20_000;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ServiceState state = new ServiceState(new Policies());
    private long position;
    private long arrived;
    private long ended;

    private SnapshotPause() {}

    /** Prints the pauses. */
    public static void main(String[] args) {
        int live = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int snapshots = args.length > 1 ? Integer.parseInt(args[1]) : 20;
        new SnapshotPause().run(live, snapshots);
    }

    private void run(int live, int snapshots) {
        // Nine tenths full.
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu"), Resource.of("mem")),
                List.of(),
                List.of(Site.of("site", new ServerBlock(live / CORES * 10 / 9 + 1, Amounts.of(CORES, CORES)))),
                List.of(RequestType.of("small", 1, 1)));
        apply(List.of(new Operation.Begin(new Setting(cluster, PolicySpec.of("best-fit"), 1, SECOND))));
        while (arrived < live) {
            change(false);
        }
        double[] pauses = new double[snapshots];
        double mostCpu = 0;
        CompletableFuture<Void> writing = CompletableFuture.completedFuture(null);
        for (int i = 0; i < snapshots; i++) {
            for (int changed = 0; changed < CHANGED; changed += PER_ENTRY) {
                change(true);
            }
            writing.join();
            // As in the service, another thread does this before it locks the state.
            Objects.requireNonNull(state.world()).engine().prepareCopy();
            long cpu = THREADS.getCurrentThreadCpuTime();
            long started = System.nanoTime();
            Snapshot snapshot = state.capture();
            pauses[i] = (System.nanoTime() - started) / 1e6;
            mostCpu = Math.max(mostCpu, (THREADS.getCurrentThreadCpuTime() - cpu) / 1e6);
            writing = CompletableFuture.runAsync(() -> write(snapshot));
        }
        writing.join();
        Arrays.sort(pauses);
        System.out.printf(
                Locale.ROOT,
                "%,d live requests, %d snapshots: pause %.1f ms (median), %.1f ms (longest); at most %.1f ms of"
                        + " processor time%n",
                live,
                snapshots,
                pauses[snapshots / 2],
                pauses[snapshots - 1],
                mostCpu);
    }

    private static void write(Snapshot snapshot) {
        try {
            snapshot.write(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An entry full of new requests; with {@code release} the oldest ones leave. */
    private void change(boolean release) {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < PER_ENTRY; i++) {
            operations.add(new Operation.Submit(
                    "acme",
                    "request-" + arrived++,
                    "small",
                    new long[0],
                    new long[0],
                    Operation.TYPE_REWARD,
                    Operation.ANY_WAIT));
            if (release) {
                operations.add(new Operation.Release("acme", "request-" + ended++));
            }
        }
        apply(operations);
    }

    /** Ten thousand entries a second, so that finished requests are forgotten as in a busy service. */
    private void apply(List<Operation> operations) {
        long at = position * (SECOND / 10_000);
        state.apply(position, new Batch(ServiceState.VERSION, 0, position, at, operations));
        position++;
        state.takeChanges();
        if (state.halted() != null) {
            throw new IllegalStateException(state.halted());
        }
    }
}
