package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.random.KeyedRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChainsTest {
    private static List<Integer> list(Chains chains, Jobs jobs, int list) {
        List<Integer> found = new ArrayList<>();
        for (int job = chains.head(list); job != -1; job = jobs.next(job)) {
            found.add(job);
        }
        return found;
    }

    private static Jobs jobs(int count) {
        Jobs jobs = new Jobs(1, 0, false, new ConstraintTable(new Servers(1, 0)));
        for (int job = 0; job < count; job++) {
            jobs.create(JobState.PENDING, job, -1, 0, job, 0);
        }
        return jobs;
    }

    @Test
    void firstInFirstOutAndOutFromTheMiddle() {
        Jobs jobs = jobs(3);
        Chains chains = new Chains(jobs);
        chains.growTo(1);
        assertThat(chains.head(0)).isEqualTo(-1);
        chains.append(0, 2);
        chains.append(0, 0);
        chains.append(0, 1);
        chains.remove(0, 0);
        assertThat(list(chains, jobs, 0)).containsExactly(2, 1);
        chains.remove(0, 1);
        chains.append(0, 0);
        assertThat(list(chains, jobs, 0)).containsExactly(2, 0);
        assertThat(chains.length(0)).isEqualTo(2);
    }

    @Test
    void agreesWithListsOnRandomMoves() {
        for (long seed = 1; seed <= 30; seed++) {
            KeyedRandom random = new KeyedRandom().key(seed, 0, 0);
            Jobs jobs = jobs(40);
            Chains chains = new Chains(jobs);
            List<List<Integer>> reference = new ArrayList<>();
            int[] where = new int[40];
            java.util.Arrays.fill(where, -1);
            for (int step = 0; step < 500; step++) {
                if (reference.isEmpty() || random.nextInt(60) == 0) {
                    reference.add(new ArrayList<>());
                    chains.growTo(reference.size());
                }
                int job = random.nextInt(40);
                if (where[job] >= 0) {
                    chains.remove(where[job], job);
                    reference.get(where[job]).remove((Integer) job);
                    where[job] = -1;
                } else {
                    where[job] = random.nextInt(reference.size());
                    chains.append(where[job], job);
                    reference.get(where[job]).add(job);
                }
                if (random.nextInt(50) == 0) {
                    chains = restored(chains, jobs);
                }
                for (int list = 0; list < reference.size(); list++) {
                    assertThat(list(chains, jobs, list)).as("seed %d", seed).isEqualTo(reference.get(list));
                    assertThat(chains.length(list))
                            .isEqualTo(reference.get(list).size());
                }
            }
        }
    }

    private static Chains restored(Chains chains, Jobs jobs) {
        StateWriter out = new StateWriter();
        chains.save(out);
        Chains copy = new Chains(jobs);
        copy.restore(new StateReader(out.toByteArray()));
        return copy;
    }
}
