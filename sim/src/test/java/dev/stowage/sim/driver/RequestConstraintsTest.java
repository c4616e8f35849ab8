package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.sim.workload.RecordedOrigins;
import dev.stowage.sim.workload.RequestOrigin;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RequestConstraintsTest {
    private static final ConstraintWords FAST =
            new ConstraintWords(List.of("gpu=fast"), List.of("b1", "a0"), List.of("db:1"));
    /** Servers 0 and 1 without a name, then a0, b0 and b1. */
    private static final Cluster CLUSTER = new Cluster(
            List.of(Resource.of("cpu")),
            List.of(),
            List.of(
                    Site.of("a", new ServerBlock(2, Amounts.of(10)), ServerBlock.named("a0", Labels.NONE, 10)),
                    Site.of("b", new ServerBlock(2, Amounts.of(10), List.of("b0", "b1"), Labels.NONE))),
            List.of());

    private static final Workload WORKLOAD = new Workload() {
        @Override
        public List<String> resources() {
            return List.of("cpu");
        }

        @Override
        public List<String> types() {
            return List.of("plain", "fast");
        }

        @Override
        public ConstraintWords typeConstraints(int type) {
            return type == 1 ? FAST : ConstraintWords.NONE;
        }

        @Override
        public RequestStream open(long seed) {
            throw new UnsupportedOperationException("no request is asked for");
        }
    };

    @Test
    void namesAreByNumber() {
        assertThat(RequestConstraints.names(CLUSTER)).containsExactly("", "", "a0", "b0", "b1");
    }

    /** The type's constraints at the sites of the origin; servers by number; equal constraints are the same object. */
    @Test
    void aTypeWithinAnOrigin() {
        RequestConstraints constraints = new RequestConstraints(
                CLUSTER,
                WORKLOAD,
                new RecordedOrigins(
                        List.of(new RequestOrigin("any", Constraints.NONE), new RequestOrigin("north", List.of(1))),
                        new int[] {0, 1}));
        assertThat(constraints.of(0, 0)).isEqualTo(Constraints.NONE);
        assertThat(constraints.of(1, 0)).isEqualTo(Constraints.sites(1));
        for (int origin = 0; origin < 2; origin++) {
            Constraints both = constraints.of(origin, 1);
            assertThat(both).isEqualTo(FAST.meaning(origin == 0 ? List.of() : List.of(1), List.of(4, 2)));
            assertThat(constraints.of(origin, 1)).isSameAs(both);
        }
    }
}
