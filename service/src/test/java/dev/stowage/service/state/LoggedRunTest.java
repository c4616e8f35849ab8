package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long requests ran, on two servers of 10, with the changes that the service itself makes. */
class LoggedRunTest {
    private final ServiceState state = new ServiceState(new Policies());
    private final LoggedRun run = new LoggedRun();
    private long position;

    private Outcome one(long at, Operation operation) {
        byte[] entry = new Batch(ServiceState.VERSION, 1, position, at, List.of(operation)).encode();
        Outcome outcome = state.apply(position++, Batch.decode(entry)).get(0);
        state.takeChanges().stream()
                .filter(request -> request.id().equals("watched"))
                .forEach(run::changed);
        return outcome;
    }

    private void begin(String policy) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(2, Amounts.of(10)))),
                List.of());
        one(0, new Operation.Begin(new Setting(cluster, PolicySpec.of(policy), 1, 1000)));
    }

    private void submit(long at, String id) {
        one(at, Submits.of("acme", id, "", new long[] {10}, new long[0], Operation.TYPE_REWARD, Operation.ANY_WAIT));
    }

    private void lose(long at, int server) {
        one(at, new Operation.Change("lose" + at, "ann", "", Command.plain(Command.Kind.LOSE, 0, server)));
    }

    @Test
    void theTimeOnALostServerDoesNotCount() {
        begin("fifo-ff");
        submit(1, "other");
        submit(2, "watched");
        assertThat(run.nanos(5)).isEqualTo(3);
        lose(5, 1);
        assertThat(run.nanos(7)).isEqualTo(-1);
        one(9, new Operation.Release("acme", "other"));
        assertThat(run.nanos(11)).isEqualTo(2);
        assertThat(run.isOver()).isFalse();
        one(12, new Operation.Release("acme", "watched"));
        assertThat(run.nanos(20)).isEqualTo(3);
        assertThat(run.isOver()).isTrue();
    }

    @Test
    void aRequestThatIsRejectedAfterItLostItsServerDoesNotRunOn() {
        begin("best-fit");
        submit(1, "other");
        submit(2, "watched");
        lose(5, 1);
        assertThat(run.nanos(100)).isEqualTo(-1);
        assertThat(run.isOver()).isFalse();
    }

    @Test
    void aRequestThatNeverRanHasNoTime() {
        begin("fifo-ff");
        submit(1, "one");
        submit(1, "two");
        submit(2, "watched");
        one(4, new Operation.Release("acme", "watched"));
        assertThat(run.nanos(5)).isEqualTo(-1);
        assertThat(run.isOver()).isFalse();
    }
}
