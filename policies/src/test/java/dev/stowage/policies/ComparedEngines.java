package dev.stowage.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Two engines fed with the same commands, under a policy and under its reference implementation, which must have the
 * same effects.
 */
public final class ComparedEngines {
    /** Name of the reference implementation. */
    public static final String REFERENCE = "reference";

    private static final Policies POLICIES = new Policies();

    private final List<String> fastLog = new ArrayList<>();
    private final List<String> slowLog = new ArrayList<>();
    private final Engine slow;
    private Engine fast;

    /** Starts both; {@code references} makes the reference implementation for {@link #REFERENCE}. */
    public ComparedEngines(Cluster cluster, PolicySpec policy, PolicyFactory references, Steps steps) {
        fast = Engine.start(cluster, policy, POLICIES, steps, 1, 0, new Log(fastLog));
        slow = Engine.start(cluster, PolicySpec.of(REFERENCE), references, steps, 1, 0, new Log(slowLog));
    }

    /** What there is, the same on both sides. */
    public View view() {
        return slow.view();
    }

    /** Number of jobs that have a handle, whatever became of them. */
    public int handles() {
        return slow.handles();
    }

    /** Handle of a request, negative if it is gone. */
    public int find(long id) {
        return slow.find(id);
    }

    /** Gives a command to both. */
    public void both(Consumer<Engine> command) {
        command.accept(fast);
        command.accept(slow);
    }

    /** Hands over to another policy, or back. */
    public void setPolicy(long now, PolicySpec policy, PolicySpec reference) {
        fast.setPolicy(now, policy);
        slow.setPolicy(now, reference);
    }

    /** A server that is away returns; one that is up is drained or lost. */
    public void awayOrBack(long now, int server, boolean drained) {
        if (view().status(server) != ServerStatus.UP) {
            both(engine -> engine.returnServer(now, server));
        } else if (drained) {
            both(engine -> engine.drainServer(now, server));
        } else {
            both(engine -> engine.loseServer(now, server));
        }
    }

    /**
     * Both had the same effects since the last call.
     *
     * @return how many of them were placements
     */
    public int agree(String description, Object... arguments) {
        assertThat(fastLog).as(description, arguments).isEqualTo(slowLog);
        assertThat(fast.digest()).as(description, arguments).isEqualTo(slow.digest());
        int placed =
                (int) slowLog.stream().filter(line -> line.startsWith("place")).count();
        fastLog.clear();
        slowLog.clear();
        return placed;
    }

    /** Saves and restores the fast one. */
    public void restoreFast() {
        fast = Engine.restore(fast.save(), POLICIES, new Log(fastLog));
    }

    private record Log(List<String> lines) implements Effects {
        @Override
        public void placed(long now, int job, int server, String reason) {
            lines.add("place " + job + " on " + server);
        }

        @Override
        public void queued(long now, int job, int queue, String reason) {
            lines.add("queue " + job + " in " + queue);
        }

        @Override
        public void rejected(long now, int job, String reason) {
            lines.add("reject " + job);
        }

        @Override
        public void migrated(long now, int job, int from, int to, String reason) {
            lines.add("migrate " + job + " from " + from + " to " + to);
        }
    }
}
