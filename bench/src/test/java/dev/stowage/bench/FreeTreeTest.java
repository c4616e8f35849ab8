package dev.stowage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FreeTreeTest {
    private static final int[] CPU_LEVELS = {0, 1, 2, 5, 11, 20, 21};

    @Test
    void findsTheSameServerAsAScan() {
        for (long seed = 0; seed < 200; seed++) {
            KeyedRandom random = new KeyedRandom().key(seed, 0, 0);
            int servers = 1 + random.nextInt(40);
            FreeTree tree = new FreeTree(servers, 20, 20, CPU_LEVELS);
            int[] cpu = new int[servers];
            int[] mem = new int[servers];
            Arrays.fill(cpu, 20);
            Arrays.fill(mem, 20);
            for (int i = 0; i < 300; i++) {
                int server = random.nextInt(servers);
                int cpuMore = random.nextInt(21) - cpu[server];
                int memMore = random.nextInt(21) - mem[server];
                tree.add(server, cpuMore, memMore);
                cpu[server] += cpuMore;
                mem[server] += memMore;
                int cpuNeed = CPU_LEVELS[random.nextInt(CPU_LEVELS.length)];
                int memNeed = random.nextInt(22);
                assertThat(tree.firstFit(cpuNeed, memNeed))
                        .as("seed %d step %d", seed, i)
                        .isEqualTo(scan(cpu, mem, cpuNeed, memNeed));
            }
        }
    }

    private static int scan(int[] cpu, int[] mem, int cpuNeed, int memNeed) {
        for (int i = 0; i < cpu.length; i++) {
            if (cpu[i] >= cpuNeed && mem[i] >= memNeed) {
                return i;
            }
        }
        return -1;
    }
}
