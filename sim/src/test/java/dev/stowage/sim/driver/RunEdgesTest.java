package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import dev.stowage.sim.trace.TraceBuilder;
import dev.stowage.sim.trace.TraceWorkload;
import dev.stowage.sim.workload.DrawnOrigins;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a run ends, who leaves when, computed by hand; two servers of 10. */
final class RunEdgesTest {
    private final List<String> left = new ArrayList<>();
    private final List<String> progress = new ArrayList<>();

    private RunEnd run(TraceBuilder requests, End end, ScheduledChange... changes) {
        return run(Cluster.single(2, 10), new Policies(), 1, requests, end, changes);
    }

    private RunEnd run(
            Cluster cluster,
            PolicyFactory policies,
            long speedOneShare,
            TraceBuilder requests,
            End end,
            ScheduledChange... changes) {
        Setup setup = new Setup(
                cluster,
                new TraceWorkload(requests.build()),
                DrawnOrigins.ANYWHERE,
                PolicySpec.of("fifo-ff"),
                policies,
                Steps.COMMANDS,
                0,
                1,
                end,
                List.of(changes),
                speedOneShare);
        Effects effects = new Effects() {
            @Override
            public void left(long now, int job, int server) {
                left.add(now + " from " + server);
            }
        };
        return Simulation.run(setup, effects, engine -> engine, (at, sent) -> progress.add(at + ": " + sent));
    }

    private static TraceBuilder requests(long[]... rows) {
        TraceBuilder builder = new TraceBuilder(List.of("r0"));
        for (long[] row : rows) {
            builder.add(row[0], row[1], new long[] {row[2]});
        }
        return builder;
    }

    /**
     * Requests of 6: one on each server. Server 0 is lost at 50; its request waits until the other one has left at
     * 1000, and starts anew: it does not leave at 100, when it would have.
     */
    @Test
    void whoIsDisplacedLeavesAWholeWorkAfterItsNextPlacement() {
        RunEnd end = run(
                requests(new long[] {0, 100, 6}, new long[] {0, 1000, 6}, new long[] {2000, 1, 1}),
                new End(3000, Long.MAX_VALUE, false),
                ScheduledChange.of(50, ScheduledChange.Kind.LOSE, 0, 1));
        assertThat(left).containsExactly("1000 from 1", "1100 from 1", "2001 from 1");
        assertThat(end.left()).isEqualTo(3);
    }

    /**
     * Of four requests three may arrive: the run ends with the third, before its end time; with a limit of five it ends
     * at that time.
     */
    @Test
    void aRunEndsWithItsLastRequestOrAtItsEnd() {
        long[][] rows = {{10, 5, 1}, {20, 5, 1}, {30, 5, 1}, {40, 5, 1}};
        RunEnd third = run(requests(rows), new End(1000, 3, false));
        assertThat(third.endNanos()).isEqualTo(30);
        assertThat(third.arrived()).isEqualTo(3);
        assertThat(progress.get(progress.size() - 1)).isEqualTo("30: 3");
        RunEnd all = run(requests(rows), new End(1000, 5, false));
        assertThat(all.endNanos()).isEqualTo(1000);
        assertThat(all.arrived()).isEqualTo(4);
        assertThat(progress.get(progress.size() - 1)).isEqualTo("1000: 4");
    }

    /** Three of 6 at once: the third waits until 100. With a drain the run ends then, without at the last arrival. */
    @Test
    void aRunDrainsUntilNobodyWaits() {
        long[][] rows = {{0, 100, 6}, {0, 1000, 6}, {0, 50, 6}};
        assertThat(run(requests(rows), new End(Long.MAX_VALUE, Long.MAX_VALUE, true))
                        .endNanos())
                .isEqualTo(100);
        assertThat(run(requests(rows), new End(Long.MAX_VALUE, Long.MAX_VALUE, false))
                        .endNanos())
                .isZero();
    }

    /**
     * A work of 1000 arrives at 50 and runs at speed 2 / 2 until 100, when 950 are left; then at 4 / 2, so for 475
     * more.
     */
    @Test
    void workIsSettledFromTheLastChangeOfSpeed() {
        Policy policy = new Policy() {
            @Override
            public void started(View view, Actions actions) {
                actions.timer(100, 0);
            }

            @Override
            public void arrived(int job, View view, Actions actions) {
                actions.place(job, 0, "");
                actions.allocate(job, 2);
            }

            @Override
            public void timer(long tag, View view, Actions actions) {
                actions.allocate(view.firstOn(0), 4);
            }
        };
        Cluster cluster = new Cluster(
                List.of(new Resource("r0", true)),
                List.of(),
                List.of(Site.of("site", new ServerBlock(1, Amounts.of(10)))),
                List.of());
        run(cluster, spec -> policy, 2, requests(new long[] {50, 1000, 0}), new End(2000, Long.MAX_VALUE, false));
        assertThat(left).containsExactly("575 from 0");
    }
}
