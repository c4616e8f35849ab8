package dev.stowage.service.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random faults from many seeds. More seeds: {@code mvn -pl service -am test -Dtest=SimulationTest#faults
 * -Dsurefire.failIfNoSpecifiedTests=false -Dstowage.seeds=0..10000}. One again: {@code -Dstowage.seeds=17..18}.
 */
final class SimulationTest {
    private static final int SEEDS = 80;

    /** Each of these must happen, or the simulation proves less than it says. */
    private static final String[] FAULTS = {
        "bad weather",
        "bits of logs",
        "confirmations DONE",
        "Adopt DONE",
        "Change DONE",
        "Gang DONE",
        "Gang OVER_QUOTA",
        "Heartbeat DONE",
        "Report DONE",
        "SetQuota DONE",
        "Submit OVER_QUOTA",
        "Told DONE",
        "Told SUPERSEDED",
        "dry runs",
        "bits of snapshots",
        "clock jumps",
        "crashes",
        "damaged logs",
        "damaged memories",
        "damaged snapshots",
        "elections at once",
        "failed appends",
        "full disks",
        "healed",
        "leaders replaced at once",
        "led after a failed append",
        "lost votes",
        "partitions",
        "rejoined",
        "slow disks",
        "snapshots",
        "snapshots sent",
        "unanswered",
        "wiped disks"
    };

    @Test
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void faults() {
        String[] range = System.getProperty("stowage.seeds", "0.." + SEEDS).split("\\.\\.", -1);
        long from = Long.parseLong(range[0]);
        long to = Long.parseLong(range[1]);
        Map<String, Integer> counts = new TreeMap<>();
        for (long seed = from; seed < to; seed++) {
            new ServiceSimulation(seed, Mutation.NONE, counts).run();
        }
        System.out.println("seeds " + from + " to " + (to - 1) + ": " + counts);
        if (to - from >= SEEDS) {
            assertThat(counts).containsKeys(FAULTS);
        }
    }

    @Test
    void theSameSeedIsTheSameRun() {
        Map<String, Integer> first = new TreeMap<>();
        Map<String, Integer> second = new TreeMap<>();
        for (long seed = 0; seed < 5; seed++) {
            new ServiceSimulation(seed, Mutation.NONE, first).run();
            new ServiceSimulation(seed, Mutation.NONE, second).run();
            assertThat(second).isEqualTo(first);
        }
    }

    /**
     * Each mistake is found by one of the seeds that {@link Mutation} says; with {@code -Dstowage.mistakes=N} it is
     * told by how many of N seeds it is found, which first, with {@code -Dstowage.mistake=NAME} of one.
     */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void mistakesAreFound(Mutation mutation) {
        assumeTrue(mutation.name().matches(System.getProperty("stowage.mistake", ".*")));
        int wanted = Integer.getInteger("stowage.mistakes", 0);
        int found = 0;
        long first = -1;
        String how = "";
        long[] seeds = (wanted == 0 ? mutation.seeds() : LongStream.range(0, wanted)).toArray();
        for (long seed : seeds) {
            try {
                new ServiceSimulation(seed, mutation, new TreeMap<>()).run();
            } catch (BrokenLawError e) {
                first = found == 0 ? seed : first;
                how = found == 0 ? String.valueOf(e.getMessage()) : how;
                found++;
                if (wanted == 0) {
                    break;
                }
            }
        }
        if (found == 0) {
            fail(mutation + " is not found by any of " + seeds.length + " seeds");
        }
        System.out.printf(
                "%s: seed %d finds it%s: %s%n",
                mutation, first, wanted == 0 ? "" : " first, " + found + " of " + wanted + " do", how);
    }
}
