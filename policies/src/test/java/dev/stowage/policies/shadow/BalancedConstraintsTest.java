package dev.stowage.policies.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Requirement;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.model.Spread;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Load balancing with constraints, case by case: two sites of one server with room for two requests each. */
class BalancedConstraintsTest {
    private static final Constraints ALONE = Constraints.spread(new Spread("g", 1, ""));

    private Engine engine = start(Steps.COMMANDS);

    private static Engine start(Steps steps) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("r")),
                List.of(),
                List.of(
                        Site.of("a", new ServerBlock(1, Amounts.of(2), List.of(), Labels.parse("k=a"))),
                        Site.of("b", new ServerBlock(1, Amounts.of(2), List.of(), Labels.parse("k=b")))),
                List.of(RequestType.of("t", 1)));
        return Engine.start(cluster, PolicySpec.of("load-balancing"), new Policies(), steps, 1, 0, Effects.NONE);
    }

    private void arrive(long id, Constraints constraints) {
        engine.arrive(0, id, 0, new long[] {1}, new long[0], 0, constraints);
    }

    private int server(long id) {
        return engine.view().server(engine.find(id));
    }

    private int queue(long id) {
        return engine.view().queue(engine.find(id));
    }

    private static Constraints labelled(String value) {
        return Constraints.labels(Requirement.parse("k=" + value));
    }

    @Test
    void goesToAnAdmittedServerAlsoWhereAnotherSiteIsEmptier() {
        arrive(1, labelled("b"));
        arrive(2, labelled("b"));
        assertThat(server(1)).isEqualTo(1);
        assertThat(server(2)).isEqualTo(1);
    }

    @Test
    void oneThatWaitsHoldsUpOnlyThoseWithTheSameConstraints() {
        arrive(1, labelled("a"));
        arrive(2, labelled("a"));
        // Site a is full, and this one may run nowhere else.
        arrive(3, labelled("a"));
        assertThat(queue(3)).isEqualTo(1);
        // The site whose utilization is least is b.
        arrive(4, Constraints.NONE);
        assertThat(server(4)).isEqualTo(1);
        engine.leave(1, 1);
        assertThat(server(3)).isZero();
    }

    @Test
    void whoIsExcludedEverywhereIsRoutedWhenOneOfItsGroupLeaves() {
        arrive(1, ALONE);
        arrive(2, ALONE);
        arrive(3, ALONE);
        assertThat(queue(3)).isZero();
        engine.leave(1, 2);
        assertThat(server(3)).isEqualTo(1);
    }

    @Test
    void whoWaitsWhereItIsExcludedByNowIsRoutedAgain() {
        for (long id = 1; id <= 4; id++) {
            arrive(id, Constraints.NONE);
        }
        // Both sites are full and equally used, so both wait at site a.
        arrive(5, ALONE);
        arrive(6, ALONE);
        assertThat(queue(5)).isEqualTo(1);
        assertThat(queue(6)).isEqualTo(1);
        long atA = server(1) == 0 ? 1 : 2;
        engine.leave(1, atA);
        assertThat(server(5)).isZero();
        // Site a has one of the group: the other one waits at b now.
        assertThat(queue(6)).isEqualTo(2);
        long atB = server(3) == 1 ? 3 : 4;
        engine.leave(2, atB);
        assertThat(server(6)).isEqualTo(1);
    }

    @Test
    void whoCameFirstIsRoutedFirstAlsoIfTheyArriveInTheSlotInWhichOneLeaves() {
        engine = start(Steps.SLOTS);
        arrive(1, ALONE);
        arrive(2, ALONE);
        arrive(3, ALONE);
        engine.round(1);
        engine.leave(2, 1);
        engine.arrive(2, 4, 0, new long[] {1}, new long[0], 0, ALONE);
        engine = Engine.restore(engine.save(), new Policies(), Effects.NONE);
        engine.round(2);
        assertThat(server(3)).isZero();
        assertThat(server(4)).isEqualTo(View.NONE);
    }
}
