package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.engine.Command;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Another policy on the same log: by hand, and the same policy, which must do the same. */
final class ReplayedPolicyTest {
    private static final long SECOND = 1_000_000_000;

    private final ServiceState state = new ServiceState(new Policies());
    private final List<ReplayedPolicy> replayed = new ArrayList<>();
    private long position;

    private void apply(long at, Operation... operations) {
        Batch batch = new Batch(ServiceState.VERSION, 1, position, at, List.of(operations));
        List<Outcome> outcomes = state.apply(position++, batch);
        assertThat(state.halted()).isNull();
        List<Request> changes = state.takeChanges();
        replayed.forEach(one -> one.apply(state.now(), batch, outcomes, changes));
    }

    private ReplayedPolicy replayed(PolicySpec policy) {
        ReplayedPolicy tried = ReplayedPolicy.of(state, policy, new Policies());
        replayed.add(tried);
        return tried;
    }

    private void begin(PolicySpec policy) {
        // Two servers of 10; small = 3, large = 8.
        apply(0, new Operation.Begin(ServiceStateTest.setting(policy)));
    }

    private static Submit large(String id, long wait) {
        return ServiceStateTest.submit(id, "large", wait);
    }

    @Test
    void whatALossPolicyRejectsAQueueingOneKeeps() {
        begin(PolicySpec.of("best-fit"));
        ReplayedPolicy tried = replayed(PolicySpec.of("fifo-ff"));
        apply(0, large("a", -1), large("b", -1));
        // Rejected, but there it waits.
        apply(10 * SECOND, large("c", -1));
        assertThat(tried.figures().waiting()).isEqualTo(1);
        // a ran 20 s in both. There c has its place, and will run as long as large ones did: 20 s.
        apply(20 * SECOND, new Release("acme", "a"));
        assertThat(tried.figures().running()).isEqualTo(2);
        apply(39 * SECOND, new Operation.Tick());
        assertThat(tried.figures().running()).isEqualTo(2);
        apply(40 * SECOND, new Operation.Tick());
        Figures end = tried.figures();
        assertThat(end.running()).isEqualTo(1);
        assertThat(end.arrived()).isEqualTo(3);
        assertThat(end.placed()).isEqualTo(3);
        assertThat(end.rejected()).isZero();
        // a and b waited 0 s, c 10 s.
        assertThat(end.meanWaitSeconds()).isEqualTo(10.0 / 3, within(1e-9));
        // Both servers are occupied for all 40 s, with 8 of 10 each.
        assertThat(end.meanOccupied()).isEqualTo(2, within(1e-9));
        assertThat(end.meanUtilization().get(0)).isEqualTo(0.8, within(1e-9));
        assertThat(end.failure()).isEmpty();
    }

    @Test
    void whereNothingIsKnownItRunsUntilSomethingIs() {
        begin(PolicySpec.of("best-fit"));
        apply(0, large("a", -1), large("b", -1));
        ReplayedPolicy tried = replayed(PolicySpec.of("fifo-ff"));
        // Rejected; the other policy places it when a ends, and has not seen a from its beginning.
        apply(10 * SECOND, large("c", -1));
        apply(20 * SECOND, new Release("acme", "a"));
        apply(22 * SECOND, ServiceStateTest.submit("d", "small", -1));
        apply(29 * SECOND, new Operation.Tick());
        assertThat(tried.figures().running()).isEqualTo(2);
        assertThat(tried.figures().waiting()).isEqualTo(1);
        assertThat(tried.figures().estimated()).isZero();
        // d ran 8 s: that is all that is known. c has run 10 s, so it ends, and d has its place for 8 s.
        apply(30 * SECOND, new Release("acme", "d"));
        assertThat(tried.figures().estimated()).isEqualTo(1);
        assertThat(tried.figures().running()).isEqualTo(2);
        assertThat(tried.figures().waiting()).isZero();
        apply(37 * SECOND, new Operation.Tick());
        assertThat(tried.figures().running()).isEqualTo(2);
        apply(38 * SECOND, new Operation.Tick());
        assertThat(tried.figures().running()).isEqualTo(1);
        assertThat(tried.figures().failure()).isEmpty();
    }

    @Test
    void whatRunsLongIsNotForgotten() {
        begin(PolicySpec.of("best-fit"));
        SeenLifetimes lifetimes = new SeenLifetimes();
        Batch batch = new Batch(
                ServiceState.VERSION,
                1,
                position,
                0,
                List.of(
                        ServiceStateTest.submit("a", "small", -1),
                        ServiceStateTest.submit("b", "small", -1),
                        ServiceStateTest.submit("c", "small", -1)));
        lifetimes.note(0, batch, state.apply(position++, batch), state.takeChanges());
        assertThat(lifetimes.known()).isFalse();
        Batch end = new Batch(ServiceState.VERSION, 1, position, 10 * SECOND, List.of(new Release("acme", "a")));
        lifetimes.note(10 * SECOND, end, state.apply(position++, end), state.takeChanges());
        // One of three ended after 10 s, when two had run as long. By the mean all would run 10 s.
        assertThat(lifetimes.estimate(99, 0)).isEqualTo(10 * SECOND);
        // At 100 s the second ends: a third ran 10 s, the others 100 s and more.
        Batch later = new Batch(ServiceState.VERSION, 1, position, 100 * SECOND, List.of(new Release("acme", "b")));
        lifetimes.note(100 * SECOND, later, state.apply(position++, later), state.takeChanges());
        int few = 0;
        for (int number = 0; number < 9_000; number++) {
            long nanos = lifetimes.estimate(number, 0);
            assertThat(nanos).isIn(10 * SECOND, 100 * SECOND);
            few += nanos == 10 * SECOND ? 1 : 0;
        }
        // Within four standard deviations of a third.
        assertThat(few).isBetween(3_000 - 179, 3_000 + 179);
        assertThat(lifetimes.estimate(7, 20 * SECOND)).isEqualTo(100 * SECOND);
    }

    @Test
    void whatIsPlacedLaterEndsLater() {
        begin(PolicySpec.of("first-fit", Map.of("when-full", "queue")));
        // A server of its own: there one was lost, so b must wait there.
        apply(0, large("a", -1));
        ReplayedPolicy tried = replayed(PolicySpec.of("fifo-ff"));
        apply(0, large("b", -1), large("c", -1));
        apply(5 * SECOND, new Release("acme", "a"));
        // c was placed at 5 in both, and is released after 7 s.
        apply(12 * SECOND, new Release("acme", "c"));
        assertThat(tried.figures().running()).isEqualTo(1);
        apply(13 * SECOND, new Release("acme", "b"));
        assertThat(tried.figures().running()).isZero();
        assertThat(tried.figures().waiting()).isZero();
    }

    @Test
    void aGangIsReleasedWhereItWasReleased() {
        begin(PolicySpec.of("first-fit", Map.of("when-full", "queue")));
        ReplayedPolicy tried = replayed(PolicySpec.of("fifo-ff"));
        // 2 and 7 are free: x waits in both, and there the gang waits behind it.
        apply(0, large("a", -1), ServiceStateTest.submit("b", "small", -1), large("x", -1));
        apply(
                SECOND,
                new Operation.Gang(List.of(
                        ServiceStateTest.submit("g1", "small", -1), ServiceStateTest.submit("g2", "small", -1))));
        assertThat(tried.figures().waiting()).isEqualTo(3);
        assertThat(state.world().find("acme", "g2").state()).isEqualTo(Request.State.RUNNING);
        apply(2 * SECOND, new Change("lost", "ann", "", Command.plain(Command.Kind.LOSE, 0, 1)));
        assertThat(state.world().find("acme", "g2").state()).isEqualTo(Request.State.WAITING);
        assertThat(tried.figures().waiting()).isEqualTo(4);
        // The node that was asked did not know g1 yet.
        apply(3 * SECOND, new Release("acme", "g1", true));
        assertThat(state.world().find("acme", "g2").state()).isEqualTo(Request.State.WAITING);
        assertThat(tried.figures().waiting()).isEqualTo(3);
        assertThat(tried.figures().failure()).isEmpty();
    }

    /** All that was decided was put down to the policy that decides now. */
    @Test
    void whatWasRecordedNamesThePoliciesThatDecidedIt() {
        begin(PolicySpec.of("best-fit"));
        ReplayedPolicy recorded = replayed(null);
        ReplayedPolicy tried = replayed(PolicySpec.of("fifo-ff"));
        apply(0, large("a", -1));
        assertThat(recorded.figures().policy()).isEqualTo("best-fit");
        PolicySpec queue = PolicySpec.of("first-fit", Map.of("when-full", "queue"));
        apply(10 * SECOND, Change.policy("p", "ann", queue));
        apply(20 * SECOND, Change.policy("same", "ann", queue), large("b", -1));
        assertThat(recorded.figures().policy())
                .isEqualTo("best-fit, then first-fit:when-full=queue from 1970-01-01T00:00:10Z");
        assertThat(replayed(null).figures().policy()).isEqualTo("first-fit:when-full=queue");
        assertThat(tried.figures().policy()).isEqualTo("fifo-ff");
    }

    @Test
    void theSamePolicyDoesTheSame() {
        for (long seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            ReplayedPolicyTest one = new ReplayedPolicyTest();
            one.run(random, "seed " + seed);
        }
    }

    private void run(Random random, String seed) {
        List<PolicySpec> policies = List.of(
                PolicySpec.of("fifo-ff"),
                PolicySpec.of("best-fit"),
                PolicySpec.of("first-fit", Map.of("when-full", "queue")),
                PolicySpec.of("bf-js"));
        begin(policies.get(random.nextInt(policies.size())));
        ReplayedPolicy same = replayed(null);
        ReplayedPolicy late = same;
        ReplayedPolicy other = replayed(policies.get(random.nextInt(policies.size())));
        long at = 0;
        for (int step = 0; step < 150; step++) {
            if (step == 70) {
                late = replayed(null);
            }
            at += random.nextInt(60);
            List<Operation> operations = new ArrayList<>();
            for (int n = random.nextInt(4); n >= 0; n--) {
                operations.add(random(random, policies));
            }
            apply(at, operations.toArray(Operation[]::new));
            World world = state.world();
            for (ReplayedPolicy tried : List.of(same, late)) {
                Figures figures = tried.figures();
                assertThat(figures.failure()).as(seed).isEmpty();
                assertThat(figures.digest())
                        .as("%s step %s", seed, step)
                        .isEqualTo(world.engine().digest());
                assertThat(figures.running() + figures.waiting()).isEqualTo(world.live());
                assertThat(figures.policy()).contains(world.engine().policy().toString());
            }
            assertThat(other.figures().failure()).as(seed).isEmpty();
        }
    }

    private static Operation random(Random random, List<PolicySpec> policies) {
        String id = "r" + random.nextInt(60);
        return switch (random.nextInt(12)) {
            case 0, 1, 2, 3 ->
                ServiceStateTest.submit(id, random.nextBoolean() ? "small" : "large", random.nextInt(200) - 50);
            case 4, 5, 6, 7, 8 -> new Release("acme", id);
            case 9 -> new Operation.Tick();
            case 10 -> {
                String change = "c" + random.nextInt(1000);
                Command.Kind kind = List.of(
                                Command.Kind.DRAIN, Command.Kind.RETURN, Command.Kind.LOSE, Command.Kind.REMOVE)
                        .get(random.nextInt(4));
                yield random.nextInt(6) == 0
                        ? Change.site(change, "ann", random.nextInt(4) == 0 ? "nowhere" : "here", kind)
                        : new Change(change, "ann", "", Command.plain(kind, 0, random.nextInt(4)));
            }
            default ->
                random.nextInt(4) == 0
                        ? Change.policy(
                                "p" + random.nextInt(1000), "ann", policies.get(random.nextInt(policies.size())))
                        : new Change("d" + random.nextInt(1000), "ann", "", Command.addServer(0, 0, List.of(10L)));
        };
    }
}
