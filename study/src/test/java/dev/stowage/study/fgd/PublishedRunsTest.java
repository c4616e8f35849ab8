package dev.stowage.study.fgd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.core.model.NewRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The published runs, where the files are; all of them: {@code stowage reproduce fgd}. */
final class PublishedRunsTest {
    private static GpuLists files() {
        for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
            Path data = dir.resolveSibling("shared").resolve("data");
            if (GpuLists.present(data)) {
                return new GpuLists(data);
            }
        }
        System.out.println("skipped: no ../shared/data/" + GpuLists.NODES);
        assumeTrue(false, "skipped: no ../shared/data/" + GpuLists.NODES);
        throw new IllegalStateException("not reached");
    }

    @Test
    void areRepeatedAtEveryPoint() {
        GpuLists files = files();
        Map<String, double[]> published = files.published();
        for (String list : List.of("multigpu50", "gpuspec33")) {
            List<NewRequest> requests = files.requests(list);
            for (GpuPolicies policy : GpuPolicies.values()) {
                double[] theirs = published.get(list + " " + policy.published().orElse("") + " 43");
                if (theirs != null && policy != GpuPolicies.RANDOM) {
                    GpuRun run = policy.run(GpuSequence.of(requests, files.servers(), 43));
                    assertThat(GpuStudy.differing(run.points(), theirs))
                            .as(list + " " + policy.key())
                            .isZero();
                }
            }
        }
    }

    /** Ours is above both others on a list and seed, whichever way ties go. */
    @Test
    void fillIsAbove() {
        GpuLists files = files();
        List<NewRequest> requests = files.requests("default");
        double others = Math.max(
                GpuPolicies.FGD
                        .run(GpuSequence.of(requests, files.servers(), 42))
                        .allocated(),
                GpuPolicies.FIRST_FIT
                        .run(GpuSequence.of(requests, files.servers(), 42))
                        .allocated());
        for (GpuPolicies ours : List.of(GpuPolicies.FILL, GpuPolicies.FILL_LAST)) {
            assertThat(ours.run(GpuSequence.of(requests, files.servers(), 42)).allocated())
                    .isGreaterThan(others + 0.5);
        }
    }
}
