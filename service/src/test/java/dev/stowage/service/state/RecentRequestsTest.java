package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Beside a plain list of all arrivals, through all sizes of the ring and twice around it. */
class RecentRequestsTest {
    private static final int SERVERS = 2_000;

    /** An arrival as the reference implementation has it. */
    private record Arrival(Request request, Operation operation, LoggedRun run) {}

    private final ServiceState state = new ServiceState(new Policies());
    private final RecentRequests recent = new RecentRequests();
    private final List<Arrival> all = new ArrayList<>();
    private final Random random = new Random(20260907);
    private long position;
    private long now = 1_000;
    private int ids;

    private List<Outcome> entry(List<Operation> operations) {
        now += random.nextInt(5);
        byte[] bytes = new Batch(ServiceState.VERSION, 1, position, now, operations).encode();
        Batch batch = Batch.decode(bytes);
        List<Outcome> outcomes = state.apply(position++, batch);
        List<Request> changes = state.takeChanges();
        recent.arrived(now, batch, outcomes);
        recent.changed(changes);
        for (int i = 0; i < outcomes.size(); i++) {
            Operation operation = batch.operations().get(i);
            Outcome outcome = outcomes.get(i);
            if (outcome.kind() == Outcome.Kind.DONE && operation instanceof Operation.Submit) {
                all.add(new Arrival(outcome.request(), operation, new LoggedRun()));
            } else if (outcome.kind() == Outcome.Kind.DONE && operation instanceof Operation.Gang) {
                for (int member = 0; member < outcome.requests().size(); member++) {
                    Operation its = member == 0 ? operation : null;
                    all.add(new Arrival(outcome.requests().get(member), its, new LoggedRun()));
                }
            }
        }
        for (Request change : changes) {
            // From the end, because what changes is mostly young.
            for (int i = all.size() - 1; i >= Math.max(0, all.size() - RecentRequests.MOST); i--) {
                if (all.get(i).request().number() == change.number()) {
                    all.get(i).run().changed(change);
                    break;
                }
            }
        }
        return outcomes;
    }

    private Operation.Submit submit() {
        long[] demand = {1 + random.nextInt(3)};
        return Submits.of("acme", "r" + ids++, "", demand, new long[0], Operation.TYPE_REWARD, Operation.ANY_WAIT);
    }

    private Operation any() {
        int kind = random.nextInt(20);
        if (kind == 0) {
            return new Operation.Gang(List.of(submit(), submit(), submit()));
        } else if (kind == 1 && ids > 0) {
            // Known already: the answer again, no arrival.
            return new Operation.Release("acme", "r" + random.nextInt(ids));
        } else if (kind < 11 && ids > 60) {
            return new Operation.Release("acme", "r" + (ids - 1 - random.nextInt(60)));
        }
        return submit();
    }

    private void compare() {
        int from = Math.max(0, all.size() - RecentRequests.MOST);
        RecentRequests.Past past = recent.past(now);
        assertThat(past.requests()).hasSize(all.size() - from);
        for (int i = 0; i < past.requests().size(); i++) {
            Arrival arrival = all.get(from + i);
            RecentRequests.Known known = past.requests().get(i);
            assertThat(known.request()).isSameAs(arrival.request());
            assertThat(known.operation()).isSameAs(arrival.operation());
            assertThat(known.ranNanos()).isEqualTo(arrival.run().nanos(now));
            assertThat(known.ended()).isEqualTo(arrival.run().isOver());
        }
        assertThat(past.until()).isEqualTo(now);
        long oldest = from > 0 ? all.get(from).request().arrivedAt() : past.since();
        assertThat(past.since()).isEqualTo(oldest).isLessThanOrEqualTo(now);
        for (int i = Math.max(0, from - 100); i < all.size(); i++) {
            Request kept = recent.find(all.get(i).request().number());
            assertThat(kept).isSameAs(i < from ? null : all.get(i).request());
        }
        assertThat(recent.find(-1)).isNull();
        assertThat(recent.find(Long.MAX_VALUE)).isNull();
    }

    @Test
    void itIsTheEndOfTheListOfAllArrivals() {
        assertThat(recent.past(now).requests()).isEmpty();
        assertThat(recent.find(0)).isNull();
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(SERVERS, Amounts.of(10)))),
                List.of());
        entry(List.of(new Operation.Begin(new Setting(cluster, PolicySpec.of("first-fit"), 1, 1000))));
        int compared = 0;
        while (all.size() < 2 * RecentRequests.MOST + 3_000) {
            List<Operation> operations = new ArrayList<>();
            for (int n = 1 + random.nextInt(8); n > 0; n--) {
                operations.add(any());
            }
            entry(operations);
            if (all.size() < 100 || all.size() > compared + 997) {
                compare();
                compared = all.size();
            }
        }
        compare();
        long gangs = all.stream()
                .filter(one -> one.operation() instanceof Operation.Gang)
                .count();
        assertThat(gangs).isPositive();
        assertThat(all.stream().filter(one -> one.run().isOver()).count()).isGreaterThan(1_000);
    }
}
