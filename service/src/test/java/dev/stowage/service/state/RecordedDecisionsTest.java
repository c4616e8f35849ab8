package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Operation.Attempt;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Submit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A log replays under its own policy to its own decisions, whatever is in it: every kind of operation, every kind of
 * report of an agent and every kind of change, each done at least once.
 */
final class RecordedDecisionsTest {
    private static final List<PolicySpec> POLICIES = List.of(
            PolicySpec.of("fifo-ff"),
            PolicySpec.of("best-fit"),
            PolicySpec.of("first-fit", Map.of("when-full", "queue")),
            PolicySpec.of("bf-js"),
            PolicySpec.of("restless-move"));
    private static final Set<Command.Kind> TOLD =
            EnumSet.of(Command.Kind.STARTED, Command.Kind.START_FAILED, Command.Kind.STOPPED);
    private static final Set<Command.Kind> CHANGES = EnumSet.of(
            Command.Kind.ADD_SERVER,
            Command.Kind.RESIZE,
            Command.Kind.LABEL,
            Command.Kind.ADD_SITE,
            Command.Kind.DRAIN,
            Command.Kind.DRAIN_MOVING,
            Command.Kind.RETURN,
            Command.Kind.REMOVE,
            Command.Kind.LOSE,
            Command.Kind.EVICT,
            Command.Kind.SET_POLICY);

    private final Set<Class<?>> done = new HashSet<>();
    private final Set<Command.Kind> doneTold = EnumSet.noneOf(Command.Kind.class);
    private final Set<Command.Kind> doneChanges = EnumSet.noneOf(Command.Kind.class);

    @Test
    void everyKindOfOperationReplaysToTheRecordedDigests() {
        for (long seed = 0; seed < 60; seed++) {
            new Run(seed).run();
        }
        assertThat(done).containsExactlyInAnyOrder(Operation.class.getPermittedSubclasses());
        assertThat(doneTold).isEqualTo(TOLD);
        assertThat(doneChanges).isEqualTo(CHANGES);
    }

    private final class Run {
        private final String name;
        private final Random random;
        private final ServiceState state = new ServiceState(Restless.factory());
        private final Map<String, Request> known = new HashMap<>();
        private final List<ReplayedPolicy> replayed = new ArrayList<>();
        private long position;
        private long at;
        private int changes;

        Run(long seed) {
            name = "seed " + seed;
            random = new Random(seed);
            apply(new Operation.Begin(ServiceStateTest.setting(POLICIES.get((int) seed % POLICIES.size()))));
        }

        void run() {
            ReplayedPolicy other = ReplayedPolicy.of(state, POLICIES.get(random.nextInt(4)), Restless.factory());
            replayed.add(other);
            for (int step = 0; step < 200; step++) {
                if (step == 0 || step == 90) {
                    replayed.add(ReplayedPolicy.of(state, null, Restless.factory()));
                }
                at += random.nextInt(60);
                List<Operation> operations = new ArrayList<>();
                if (random.nextInt(20) == 0) {
                    operations.add(new Operation.ClockSet());
                }
                for (int n = random.nextInt(4); n >= 0; n--) {
                    operations.add(next());
                }
                apply(operations.toArray(Operation[]::new));
                World world = state.world();
                for (ReplayedPolicy same : replayed.subList(1, replayed.size())) {
                    Figures figures = same.figures();
                    String where = name + ", step " + step + ": " + operations;
                    assertThat(figures.failure()).as(where).isEmpty();
                    assertThat(figures.digest())
                            .as(where)
                            .isEqualTo(world.engine().digest());
                    assertThat(figures.running()).as(where).isEqualTo(world.running());
                }
                assertThat(other.figures().failure()).as(name).isEmpty();
            }
        }

        private void apply(Operation... operations) {
            byte[] entry = new Batch(ServiceState.VERSION, 1, position, at, List.of(operations)).encode();
            Batch batch = Batch.decode(entry);
            List<Outcome> outcomes = state.apply(position++, batch);
            assertThat(state.halted()).as(name).isNull();
            List<Request> changed = state.takeChanges();
            changed.forEach(request -> known.put(request.id(), request));
            replayed.forEach(one -> one.apply(state.now(), batch, outcomes, changed));
            for (int i = 0; i < outcomes.size(); i++) {
                if (outcomes.get(i).kind() == Outcome.Kind.DONE) {
                    note(batch.operations().get(i));
                }
            }
        }

        private void note(Operation operation) {
            done.add(operation.getClass());
            if (operation instanceof Operation.Told told) {
                doneTold.add(told.what());
            } else if (operation instanceof Change change) {
                doneChanges.add(change.command().kind());
            }
        }

        private Operation next() {
            return switch (random.nextInt(20)) {
                case 0, 1, 2, 3 -> submit("r" + random.nextInt(150));
                case 4 -> gang("g" + random.nextInt(100));
                case 5 -> new Operation.Adopt(submit("f" + random.nextInt(100)), server());
                case 6, 7 -> new Operation.Heartbeat(server(), 1 + random.nextInt(3), 200, 100);
                case 8, 9 -> report();
                case 10, 11, 12 -> told();
                case 13, 14 -> release();
                case 15, 16 -> change("c" + changes++);
                case 17 -> confirm();
                case 18 -> new Operation.SetQuota("q" + changes++, "ann", "else", new Quota(2, new long[] {Quota.ANY}));
                default -> rare();
            };
        }

        private String server() {
            return Integer.toString(random.nextInt(4));
        }

        private Submit submit(String id) {
            long wait = random.nextInt(3) == 0 ? random.nextInt(200) : Operation.ANY_WAIT;
            return Submits.living(
                    ServiceStateTest.submit(id, random.nextBoolean() ? "small" : "large", wait),
                    0,
                    random.nextInt(3) > 0);
        }

        private Operation gang(String id) {
            long wait = random.nextBoolean() ? random.nextInt(100) : Operation.ANY_WAIT;
            return new Operation.Gang(List.of(
                    Submits.living(ServiceStateTest.submit(id + ".0", "small", wait), 0, random.nextBoolean()),
                    Submits.living(ServiceStateTest.submit(id + ".1", "small", wait), 0, random.nextBoolean())));
        }

        /** Some that is known, mostly one that has not ended. */
        private Request some() {
            List<Request> in = state.world().requests();
            List<Request> of = in.isEmpty() || random.nextInt(8) == 0 ? List.copyOf(known.values()) : in;
            return of.isEmpty() ? null : of.get(random.nextInt(of.size()));
        }

        private static Attempt attempt(Request of) {
            return new Attempt(of.tenant(), of.id(), of.life().attempt());
        }

        private Operation told() {
            Request of = some();
            return of == null
                    ? submit("r0")
                    : new Operation.Told(attempt(of), List.copyOf(TOLD).get(random.nextInt(TOLD.size())));
        }

        private Operation release() {
            Request of = some();
            return of == null ? submit("r0") : new Operation.Release(of.tenant(), of.id());
        }

        private Operation confirm() {
            return state.world().requests().stream()
                    .filter(request -> request.unconfirmed() != null)
                    .findFirst()
                    .<Operation>map(of -> new Operation.Confirm(
                            of.tenant(),
                            of.id(),
                            of.unconfirmed().kind(),
                            of.unconfirmed().position()))
                    .orElseGet(Operation.Tick::new);
        }

        private Operation report() {
            int server = random.nextInt(4);
            List<Attempt> running = state.world().requests().stream()
                    .filter(request -> request.server() == server && random.nextInt(5) > 0)
                    .map(Run::attempt)
                    .toList();
            return new Operation.Report(Integer.toString(server), 1 + random.nextInt(3), running);
        }

        private Operation rare() {
            return switch (random.nextInt(4)) {
                case 0 -> new Operation.Note("ann", "snapshot", "");
                case 1 -> new Operation.Check(position - 1, state.digest());
                case 2 -> new Operation.Activate(ServiceState.VERSION);
                default -> new Operation.Tick();
            };
        }

        private Operation change(String id) {
            int server = random.nextInt(4);
            Command.Kind kind = List.copyOf(CHANGES).get(random.nextInt(CHANGES.size()));
            if (random.nextInt(5) == 0) {
                return Change.site(
                        id, "ann", "here", random.nextInt(3) == 0 ? Command.Kind.DRAIN : Command.Kind.RETURN);
            }
            Request of = some();
            Command command = switch (kind) {
                case ADD_SERVER -> Command.addServer(0, 0, List.of(10L));
                case RESIZE -> Command.resize(0, server, List.of(8L + random.nextInt(6)));
                case LABEL -> Command.label(0, server, Labels.parse("rack=a"));
                case ADD_SITE -> Command.addSite(0, List.of());
                case DRAIN_MOVING -> Command.drain(0, server, 50);
                case EVICT -> Command.plain(kind, 0, of == null ? 0 : of.number());
                case SET_POLICY -> Command.setPolicy(0, POLICIES.get(random.nextInt(POLICIES.size())));
                default -> Command.plain(kind, 0, server);
            };
            String named = kind == Command.Kind.ADD_SITE ? "site-" + id : kind == Command.Kind.EVICT ? "acme/x" : "";
            return new Change(id, "ann", named, command);
        }
    }
}
