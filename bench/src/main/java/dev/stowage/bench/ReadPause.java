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
import dev.stowage.service.state.Glance;
import dev.stowage.service.state.Listing;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Quota;
import dev.stowage.service.state.QuotaListing;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Setting;
import dev.stowage.service.state.Survey;
import dev.stowage.service.state.World;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long reads hold the state's lock, with many live requests that come and go meanwhile: measures every single hold
 * of each kind of read. Lists run to their end, in pages of 1,000, while an entry is applied after every tenth step.
 *
 * <p>Arguments: live requests, tenants.
 */
public final class ReadPause {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int CORES = 48;
    private static final int PER_ENTRY = 64;
    private static final int PAGE = 1000;
    private static final int QUOTAS = 10_240;
    private static final long MOST_REQUESTS = 10_000_000;
    private static final int STEPS_PER_ENTRY = 10;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ServiceState state = new ServiceState(new Policies());
    private final int tenants;
    private long position;
    private long arrived;
    private long ended;

    private ReadPause(int tenants) {
        this.tenants = tenants;
    }

    /** Prints a line for each kind of read. */
    public static void main(String[] args) {
        int live = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int tenants = args.length > 1 ? Integer.parseInt(args[1]) : 20;
        new ReadPause(tenants).run(live);
    }

    private void run(int live) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu"), Resource.of("mem")),
                List.of(),
                List.of(
                        Site.of("site", new ServerBlock(live / CORES * 10 / 9 + 1, Amounts.of(CORES, CORES))),
                        Site.of("empty", new ServerBlock(1, Amounts.of(1, 1)))),
                List.of(RequestType.of("small", 1, 1)));
        apply(List.of(new Operation.Begin(new Setting(cluster, PolicySpec.of("best-fit"), 1, 60 * SECOND))));
        for (int i = 0; i < QUOTAS; i += PER_ENTRY) {
            quotas(i);
        }
        while (arrived < live) {
            change(false);
        }
        for (int i = 0; i < 2000; i++) {
            change(true);
        }
        System.out.printf(
                Locale.ROOT,
                "%,d live requests of %d tenants, holds of the lock in microseconds:%n%-34s %9s %9s %9s %9s %9s %12s%n",
                world().live(),
                tenants,
                "",
                "holds",
                "median",
                "99.9 %",
                "longest",
                "cpu",
                "found");
        for (int round = 0; round < 2; round++) {
            list("list, all tenants", null, Listing.ANY, Listing.ANY);
            list("list, one tenant", "t7", Listing.ANY, Listing.ANY);
            list("list, a tenant with nothing", "nobody", Listing.ANY, Listing.ANY);
            list("list, a server", null, Listing.ANY, 7);
            list("list, a site with nothing", null, 1, Listing.ANY);
            explain();
            quotas();
            one("status, metrics", () -> Glance.of(state));
            one("get", () -> world().find("t7", "request-" + (arrived - 13)));
        }
    }

    private World world() {
        return Objects.requireNonNull(state.world());
    }

    private void list(String what, @Nullable String tenant, int site, int server) {
        Listing.Filter filter = new Listing.Filter(tenant, null, site, server);
        List<long[]> holds = new ArrayList<>();
        int found = 0;
        for (Listing.Place at = Listing.Place.begin(state.position()); at != null; ) {
            Listing page = new Listing(filter, at, PAGE);
            boolean[] more = {true};
            while (more[0]) {
                holds.add(hold(() -> more[0] = page.inSystem(state)));
                goOn(holds.size());
            }
            page.finished();
            found += page.found().size();
            at = page.next();
        }
        print(what, holds, found);
    }

    /** Why ten requests are where they are: all servers are examined for each. */
    private void explain() {
        List<long[]> holds = new ArrayList<>();
        int servers = 0;
        for (int i = 0; i < 10; i++) {
            long of = arrived - 13 - i;
            Survey survey = new Survey(Objects.requireNonNull(world().find("t" + of % tenants, "request-" + of)), 5);
            boolean[] more = {true};
            while (more[0]) {
                holds.add(hold(() -> more[0] = survey.more(world())));
                goOn(holds.size());
            }
            servers += survey.up();
        }
        print("explain, 10 times", holds, servers);
    }

    private void quotas() {
        List<long[]> holds = new ArrayList<>();
        QuotaListing listing = new QuotaListing(tenant -> true);
        boolean[] more = {true};
        while (more[0]) {
            holds.add(hold(() -> more[0] = listing.more(world())));
            goOn(holds.size());
        }
        print("quotas", holds, listing.rows().size());
    }

    private void goOn(int steps) {
        if (steps % STEPS_PER_ENTRY == 0) {
            change(true);
        }
    }

    private void one(String what, Runnable read) {
        List<long[]> holds = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            holds.add(hold(read));
        }
        print(what, holds, 0);
    }

    /** Wall-clock and processor time of a read. */
    private static long[] hold(Runnable read) {
        long cpu = THREADS.getCurrentThreadCpuTime();
        long started = System.nanoTime();
        read.run();
        return new long[] {System.nanoTime() - started, THREADS.getCurrentThreadCpuTime() - cpu};
    }

    private static void print(String what, List<long[]> holds, int found) {
        long[] nanos = holds.stream().mapToLong(hold -> hold[0]).sorted().toArray();
        long cpu = holds.stream().mapToLong(hold -> hold[1]).max().orElse(0);
        System.out.printf(
                Locale.ROOT,
                "%-34s %9d %9.1f %9.1f %9.1f %9.1f %12d%n",
                what,
                nanos.length,
                nanos[nanos.length / 2] / 1e3,
                nanos[(int) (nanos.length * 0.999)] / 1e3,
                nanos[nanos.length - 1] / 1e3,
                cpu / 1e3,
                found);
    }

    private void quotas(int from) {
        List<Operation> operations = new ArrayList<>();
        for (int i = from; i < from + PER_ENTRY; i++) {
            operations.add(
                    new Operation.SetQuota("quota-" + i, "bench", "t" + i, new Quota(MOST_REQUESTS, new long[0])));
        }
        apply(operations);
    }

    /** An entry full of new requests; with {@code release} the oldest ones leave. */
    private void change(boolean release) {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < PER_ENTRY; i++) {
            operations.add(new Operation.Submit(
                    "t" + arrived % tenants,
                    "request-" + arrived++,
                    "small",
                    new long[0],
                    new long[0],
                    Operation.TYPE_REWARD,
                    Operation.ANY_WAIT));
            if (release) {
                operations.add(new Operation.Release("t" + ended % tenants, "request-" + ended++));
            }
        }
        apply(operations);
    }

    private void apply(List<Operation> operations) {
        long at = position * (SECOND / 1000);
        state.apply(position, new Batch(ServiceState.VERSION, 0, position, at, operations));
        position++;
        state.takeChanges();
        if (state.halted() != null) {
            throw new IllegalStateException(state.halted());
        }
    }
}
