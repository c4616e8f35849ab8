package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import org.junit.jupiter.api.Test;

class ServersTest {
    private static final long[] NONE = {};

    /** Two sites with a pool of 10 and 3; servers of 4, 8 and 4 in the first and of 8 in the second. */
    private static Servers servers() {
        Servers servers = new Servers(1, 1);
        servers.addSite(new long[] {10});
        servers.addSite(new long[] {3});
        servers.add(0, new long[] {4});
        servers.add(0, new long[] {8});
        servers.add(0, new long[] {4});
        servers.add(1, new long[] {8});
        return servers;
    }

    private static int[] classes(Servers servers) {
        int[] classes = new int[servers.count()];
        for (int server = 0; server < classes.length; server++) {
            classes[server] = servers.capacityClass(server);
        }
        return classes;
    }

    @Test
    void classesAreSiteAndCapacityNumberedByAppearance() {
        Servers servers = servers();
        assertThat(classes(servers)).containsExactly(0, 1, 0, 2);
        assertThat(servers.classCount()).isEqualTo(3);
        assertThat(servers.classSite(2)).isEqualTo(1);
        assertThat(servers.classCapacity(1, 0)).isEqualTo(8);
        assertThat(servers.site(3)).isEqualTo(1);
    }

    @Test
    void couldHoldLooksAtServerAndPoolTogether() {
        Servers servers = servers();
        assertThat(servers.couldHold(new long[] {8}, new long[] {10})).isTrue();
        assertThat(servers.couldHold(new long[] {9}, new long[] {0})).isFalse();
        assertThat(servers.couldHold(new long[] {1}, new long[] {11})).isFalse();
        servers.setStatus(1, ServerStatus.GONE);
        // Capacity 8 is left only in the second site, whose pool is 3.
        assertThat(servers.couldHold(new long[] {8}, new long[] {3})).isTrue();
        assertThat(servers.couldHold(new long[] {8}, new long[] {4})).isFalse();
        servers.setStatus(1, ServerStatus.UP);
        assertThat(servers.couldHold(new long[] {8}, new long[] {4})).isTrue();
        servers.setStatus(1, ServerStatus.DRAINING);
        assertThat(servers.couldHold(new long[] {8}, new long[] {4})).isTrue();
    }

    @Test
    void restoredServersAreTheSameAndGrow() {
        Servers servers = servers();
        servers.take(1, 0, 5);
        servers.takePooled(1, 0, 2);
        servers.addRunning(1, 1);
        servers.setStatus(0, ServerStatus.GONE);
        servers.setStatus(2, ServerStatus.DRAINING);
        StateWriter out = new StateWriter();
        servers.save(out);
        Servers copy = new Servers(1, 1);
        copy.restore(new StateReader(out.toByteArray()), false);
        assertThat(classes(copy)).isEqualTo(classes(servers));
        assertThat(copy.free(1, 0)).isEqualTo(3);
        assertThat(copy.pooledFree(1, 0)).isEqualTo(1);
        assertThat(copy.running(1)).isEqualTo(1);
        assertThat(copy.status(0)).isEqualTo(ServerStatus.GONE);
        assertThat(copy.status(2)).isEqualTo(ServerStatus.DRAINING);
        assertThat(copy.isUp(3)).isTrue();
        assertThat(copy.add(1, new long[] {4})).isEqualTo(4);
        assertThat(copy.capacityClass(4)).isEqualTo(3);
        assertThat(copy.couldHold(new long[] {9}, new long[] {0})).isFalse();
    }

    @Test
    void aClassWithoutServersHoldsNothing() {
        Servers servers = new Servers(1, 0);
        servers.addSite(NONE);
        assertThat(servers.couldHold(new long[] {0}, NONE)).isFalse();
        servers.add(0, new long[] {0});
        assertThat(servers.couldHold(new long[] {0}, NONE)).isTrue();
        servers.setStatus(0, ServerStatus.GONE);
        assertThat(servers.couldHold(new long[] {0}, NONE)).isFalse();
    }
}
