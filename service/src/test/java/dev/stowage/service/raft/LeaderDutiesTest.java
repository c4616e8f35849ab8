package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class LeaderDutiesTest implements LeaderDuties.Node {
    private final LeaderClock clock = new LeaderClock(() -> 0, () -> 0);
    private final LeaderDuties duties = new LeaderDuties(
            this,
            clock,
            new Setting(Cluster.single(1, 10), PolicySpec.of("first-fit"), 1, 1000, new TreeMap<>()),
            Long.MAX_VALUE,
            () -> 0);
    private final List<Operation> written = new ArrayList<>();
    private boolean open = true;
    private long applied = 3;
    private int tells;

    @Override
    public boolean leads() {
        return true;
    }

    @Override
    public boolean open() {
        return open;
    }

    @Override
    public long applied() {
        return applied;
    }

    @Override
    public long nextDeadline() {
        return Long.MAX_VALUE;
    }

    @Override
    public <T> T look(Function<ServiceState, T> reader) {
        return reader.apply(new ServiceState(new Policies()));
    }

    @Override
    public CompletableFuture<Outcome> write(Operation operation) {
        written.add(operation);
        return new CompletableFuture<>();
    }

    @Override
    public void tellFollowers() {
        tells++;
    }

    private List<Integer> toldAt(int steps) {
        List<Integer> told = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            int before = tells;
            duties.step();
            if (tells > before) {
                told.add(step);
            }
        }
        return told;
    }

    @Test
    void followersAreToldOnceOfAnEntryThatNoneFollows() {
        assertThat(toldAt(40)).containsExactly(1);
        applied++;
        assertThat(toldAt(6)).containsExactly(1);
    }

    /** After a restart all leases had run out before an agent could reach the node. */
    @Test
    void nothingIsDueUntilCallersCanReachTheNodeAndThenTimeIsSetAnew() {
        open = false;
        duties.step();
        long before = clock.read().settings();
        duties.step();
        assertThat(written).isEmpty();
        assertThat(clock.read().settings()).isEqualTo(before);
        open = true;
        duties.step();
        assertThat(written).hasSize(1);
        assertThat(clock.read().settings()).isEqualTo(before + 1);
        duties.step();
        assertThat(clock.read().settings()).isEqualTo(before + 1);
    }

    @Test
    void whereEntriesFollowNobodyIsTold() {
        for (int entry = 0; entry < 10; entry++) {
            applied++;
            assertThat(toldAt(1)).isEmpty();
        }
    }
}
