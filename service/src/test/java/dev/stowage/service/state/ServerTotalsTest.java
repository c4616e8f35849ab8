package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Command.Kind;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Release;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is counted as servers and requests change, against what going through all of them finds. */
final class ServerTotalsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final List<PolicySpec> INDIVISIBLE = List.of(
            PolicySpec.of("fifo-ff"),
            PolicySpec.of("best-fit", Map.of("when-full", "queue")),
            PolicySpec.of("restless-move"),
            PolicySpec.of("randomized-central", Map.of("clock-unit-s", "0.1")));
    private static final List<PolicySpec> DIVISIBLE =
            List.of(PolicySpec.of("restless-both"), PolicySpec.of("restless-resize"));

    @TempDir
    private Path directory;

    private final Set<Kind> done = EnumSet.noneOf(Kind.class);
    private long position;
    private long at;
    private boolean sawDummy;
    private boolean sawQueue;
    private boolean sawShare;
    private boolean sawSilent;
    private boolean sawRemoved;

    private static Setting setting(PolicySpec policy, boolean divisible) {
        Cluster cluster = new Cluster(
                List.of(new Resource("cpu", divisible), Resource.of("mem")),
                List.of(),
                List.of(
                        Site.of("east", new ServerBlock(3, Amounts.of(10, 100))),
                        Site.of("west", new ServerBlock(2, Amounts.of(12, 80)))),
                List.of(RequestType.of("small", 3, 10), RequestType.of("large", 5, 20)));
        return new Setting(cluster, policy, 1, 5 * SECOND);
    }

    @Test
    void totalsAreThoseOfAllServers() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int run = 0; run < 20; run++) {
            run(random, run % 2 == 0, "seed " + seed + " run " + run);
        }
        assertThat(done)
                .contains(
                        Kind.ADD_SERVER,
                        Kind.ADD_SITE,
                        Kind.DRAIN,
                        Kind.RETURN,
                        Kind.REMOVE,
                        Kind.LOSE,
                        Kind.SET_POLICY);
        assertThat(sawDummy).as("a dummy").isTrue();
        assertThat(sawQueue).as("a queue").isTrue();
        assertThat(sawShare).as("a share that is not the demand").isTrue();
        assertThat(sawSilent).as("a server that is gone as its agent is silent").isTrue();
        assertThat(sawRemoved)
                .as("a server that was removed, or lost without an agent")
                .isTrue();
    }

    private void run(Random random, boolean divisible, String as) throws Exception {
        List<PolicySpec> policies = divisible ? DIVISIBLE : INDIVISIBLE;
        ServiceState state = new ServiceState(Restless.factory());
        position = 0;
        at = SECOND;
        apply(state, new Operation.Begin(setting(policies.get(random.nextInt(policies.size())), divisible)));
        for (int step = 0; step < 400; step++) {
            at += random.nextInt(100) * (SECOND / 1000);
            Operation operation = random(random, state.world(), step, policies);
            Outcome outcome = apply(state, operation);
            if (operation instanceof Change change && outcome.kind() == Outcome.Kind.DONE) {
                done.add(change.command().kind());
            }
            compare(as + " step " + step + " " + operation, state.world());
            if (step % 130 == 100) {
                Path file = directory.resolve("snapshot");
                state.capture().write(file);
                state = Snapshot.read(file, Restless.factory());
                compare(as + " restored", state.world());
            }
        }
    }

    private Outcome apply(ServiceState state, Operation operation) {
        byte[] entry = new Batch(ServiceState.VERSION, 1, position, at, List.of(operation)).encode();
        Outcome outcome = state.apply(position++, Batch.decode(entry)).get(0);
        assertThat(state.halted()).isNull();
        return outcome;
    }

    private static Operation random(Random random, World world, int step, List<PolicySpec> policies) {
        int what = random.nextInt(21);
        if (what < 9) {
            String type = random.nextInt(3) > 0 ? "small" : "large";
            return Submits.of("acme", "r" + step, type, new long[0], new long[0], 0, Operation.ANY_WAIT);
        }
        if (what < 14) {
            List<Request> live = new ArrayList<>(world.requests());
            live.removeIf(request -> request.state().finished());
            return live.isEmpty()
                    ? new Operation.Tick()
                    : new Release("acme", live.get(random.nextInt(live.size())).id());
        }
        int server = random.nextInt(world.engine().view().servers());
        if (what == 20) {
            return new Operation.Heartbeat(Integer.toString(server), step + 1, 2 * SECOND, SECOND);
        }
        Command command = switch (what) {
            case 14 -> Command.plain(Kind.DRAIN, 0, server);
            case 15 -> Command.plain(Kind.RETURN, 0, server);
            case 16 -> Command.plain(Kind.REMOVE, 0, server);
            case 17 -> Command.plain(Kind.LOSE, 0, server);
            case 18 ->
                random.nextInt(4) > 0
                        ? Command.addServer(0, random.nextInt(world.sites().size()), List.of(10L, 60L))
                        : Command.addSite(0, List.of());
            default -> Command.setPolicy(0, policies.get(random.nextInt(policies.size())));
        };
        String name = command.kind() == Kind.ADD_SITE ? "site" + step : "";
        return new Change("c" + step, "ann", name, command);
    }

    /** The slow way: through all servers, requests and queues. */
    private void compare(String as, World world) {
        View view = world.engine().view();
        ServerTotals totals = world.servers();
        int sites = view.sites();
        long[][] byStatus = new long[sites][ServerStatus.values().length];
        long[] occupied = new long[sites];
        long[] silent = new long[sites];
        long[][] capacity = new long[sites][view.resources()];
        long[][] used = new long[sites][view.resources()];
        for (int server = 0; server < view.servers(); server++) {
            int site = view.site(server);
            sawDummy |= view.dummies(server) > 0;
            byStatus[site][view.status(server).ordinal()]++;
            if (view.status(server) == ServerStatus.GONE) {
                boolean hasAgent = world.engine().hasAgent(server);
                sawSilent |= hasAgent;
                sawRemoved |= !hasAgent;
                silent[site] += hasAgent ? 1 : 0;
            } else {
                occupied[site] += view.running(server) > 0 ? 1 : 0;
                for (int r = 0; r < view.resources(); r++) {
                    capacity[site][r] += view.capacity(server, r);
                    used[site][r] += view.capacity(server, r) - view.free(server, r);
                }
            }
        }
        for (int site = 0; site < sites; site++) {
            for (ServerStatus status : ServerStatus.values()) {
                assertThat(totals.servers(site, status)).as(as).isEqualTo(byStatus[site][status.ordinal()]);
            }
            assertThat(totals.silent(site)).as(as).isEqualTo(silent[site]);
            assertThat(totals.occupied(site)).as(as).isEqualTo(occupied[site]);
            for (int r = 0; r < view.resources(); r++) {
                assertThat(totals.capacity(site, r)).as(as).isEqualTo(capacity[site][r]);
                assertThat(totals.used(site, r)).as(as).isEqualTo(used[site][r]);
            }
        }
        assertThat(totals.occupied())
                .as(as)
                .isEqualTo(java.util.Arrays.stream(occupied).sum());
        compareRequests(as, world, view);
    }

    private void compareRequests(String as, World world, View view) {
        long running = 0;
        for (int job = 0; job < world.engine().handles(); job++) {
            boolean runs = view.state(job) == JobState.RUNNING && !HeldRoom.is(view, job);
            running += runs ? 1 : 0;
            sawShare |= runs && view.divisibleResource() >= 0 && view.share(job) != view.demand(job, 0);
        }
        long waiting = 0;
        for (int queue = 0; queue < view.queues(); queue++) {
            waiting += view.queueLength(queue);
        }
        sawQueue |= waiting > 0;
        assertThat(world.running()).as(as).isEqualTo((int) running);
        assertThat(world.waiting()).as(as).isEqualTo((int) waiting);
    }
}
