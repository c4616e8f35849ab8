package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.study.TestExperiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HindsightTest {
    @TempDir
    private Path directory;

    private Experiment trace(String rows) throws IOException {
        Files.writeString(directory.resolve("t.csv"), "arrival_s,duration_s,cpu_milli,mem_mib\n" + rows);
        return TestExperiments.of("""
                cluster: {servers: {count: 1, cpu: 4, memory: 4 GiB}}
                workload: {trace: {file: t.csv}}
                policies: [first-fit]
                """, directory);
    }

    private static Optional<Long> schedule(Sizing sizing, long needed) {
        return sizing.hindsight(needed).map(Sizing.Schedule::servers);
    }

    private static long first(Experiment point, Sizing sizing) {
        return sizing.need(point.policies().get(0).spec()).servers().get(0);
    }

    /**
     * Two long and two short requests of half a server, then one of a whole: first fit puts a long one on either of two
     * servers and needs a third. Who knows the end puts the long ones together.
     */
    @Test
    void whoKnowsTheEndNeedsFewer() throws IOException {
        Experiment point = trace("0,100,2000,1\n0,4,2000,1\n0,100,2000,1\n0,4,2000,1\n5,50,4000,1\n");
        Sizing sizing = new Sizing(point, SizeTarget.parse("rejected <= 0"), new Policies());
        assertThat(first(point, sizing)).isEqualTo(3);
        assertThat(sizing.least()).containsExactly(2L);
        assertThat(schedule(sizing, 3)).contains(2L);
    }

    /**
     * One of six may miss, and the whole server's request is the one to leave out. Or it goes first, until 6 s, and the
     * two halves wait for it: that takes six seconds.
     */
    @Test
    void missesAndWaits() throws IOException {
        String rows = "0,10,2000,1\n0,10,2000,1\n1,5,4000,1\n20,1,1000,1\n30,1,1000,1\n40,1,1000,1\n";
        Experiment point = trace(rows);
        Sizing misses = new Sizing(point, SizeTarget.parse("rejected <= 20 %"), new Policies());
        assertThat(schedule(misses, 2)).contains(1L);
        Sizing waits = new Sizing(point, SizeTarget.parse("wait max <= 7 s"), new Policies());
        assertThat(schedule(waits, 2)).contains(1L);
        Sizing less = new Sizing(point, SizeTarget.parse("wait max <= 5 s"), new Policies());
        assertThat(schedule(less, 2)).contains(2L);
        assertThat(new Sizing(point, SizeTarget.parse("wait mean <= 1 s"), new Policies()).hindsight(2))
                .isEmpty();
    }

    /** Between the bound and what first fit needs, on random traces; fewer than first fit on some. */
    @Test
    void liesBetweenBoundAndPolicy() throws IOException {
        SplittableRandom random = new SplittableRandom(4);
        int fewer = 0;
        for (int trial = 0; trial < 20; trial++) {
            StringBuilder rows = new StringBuilder();
            for (int i = 0; i < 80; i++) {
                rows.append(i / 4)
                        .append(',')
                        .append(random.nextInt(1, 20))
                        .append(',')
                        .append(500 * random.nextInt(1, 8))
                        .append(',')
                        .append(512 * random.nextInt(1, 8))
                        .append('\n');
            }
            Experiment point = trace(rows.toString());
            Sizing sizing = new Sizing(point, SizeTarget.parse("rejected <= 3 %"), new Policies());
            long needed = first(point, sizing);
            long found = schedule(sizing, needed).orElseThrow();
            assertThat(found).isBetween(sizing.least().get(0), needed);
            fewer += found < needed ? 1 : 0;
        }
        assertThat(fewer).isGreaterThan(5);
    }
}
