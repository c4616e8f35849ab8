package dev.stowage.service.state;

import dev.stowage.core.engine.DeadlineHeap;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a state between two entries, for those who must not wait for it: health, status, metrics. Immutable.
 *
 * @param position log position
 * @param now time of the last entry, nanoseconds since 1970
 * @param digest hash of all that was decided
 * @param checked last position at which the digest was the leader's, or -1
 * @param halted why nothing more is applied, or null
 * @param diverged whether the state differs from the leader's
 * @param world what it consists of, or null before the first entry
 */
public record Glance(
        long position,
        long now,
        long digest,
        long checked,
        @Nullable String halted,
        boolean diverged,
        @Nullable Totals world) {
    /**
     * What the service consists of.
     *
     * @param deviceResource the resource that comes in devices, empty for none
     * @param deviceAmount amount of one device, 0 for none
     * @param live requests in the system
     * @param running on a server
     * @param waiting in a queue
     * @param waitingSince since when the one waits that has waited longest, {@link DeadlineHeap#NEVER} if none waits
     * @param unconfirmed with a change that no agent has confirmed
     * @param arrived accepted ever
     * @param left ended ever
     * @param rejected turned away by the policy ever
     * @param finished ended, and known still
     * @param finishedBytes that those take
     * @param occupied servers with a request
     * @param sites per site, in order
     */
    public record Totals(
            PolicySpec policy,
            List<String> resources,
            String deviceResource,
            long deviceAmount,
            List<String> types,
            long live,
            long running,
            long waiting,
            long waitingSince,
            long unconfirmed,
            long arrived,
            long left,
            long rejected,
            long finished,
            long finishedBytes,
            long occupied,
            List<SiteTotals> sites) {
        /** Servers with a status. */
        public long servers(ServerStatus status) {
            return sites.stream().mapToLong(site -> site.servers(status)).sum();
        }

        /** Those that are gone as their agent is silent; the others were removed or reported lost. */
        public long silent() {
            return sites.stream().mapToLong(SiteTotals::silent).sum();
        }

        /** Servers that can hold requests, whether they take new ones or not: all that are not gone. */
        public long present() {
            return sites.stream()
                            .flatMapToLong(site -> Arrays.stream(site.byStatus()))
                            .sum()
                    - servers(ServerStatus.GONE);
        }
    }

    /**
     * A site.
     *
     * @param byStatus servers per status, in the order of {@link ServerStatus}
     * @param silent those that are gone as their agent is silent
     * @param occupied servers with a request
     * @param capacity per resource, of the servers that are not gone
     * @param used what is held of it
     */
    public record SiteTotals(String name, long[] byStatus, long silent, long occupied, long[] capacity, long[] used) {
        /** Servers with a status. */
        public long servers(ServerStatus status) {
            return byStatus[status.ordinal()];
        }
    }

    /** Of a state. O(sites x resources). */
    public static Glance of(ServiceState state) {
        World world = state.world();
        return new Glance(
                state.position(),
                state.now(),
                state.digest(),
                state.lastChecked(),
                state.halted(),
                state.diverged(),
                world == null ? null : figures(world));
    }

    private static Totals figures(World world) {
        ServerTotals servers = world.servers();
        List<SiteTotals> sites = IntStream.range(0, world.sites().size())
                .mapToObj(site -> site(world, site))
                .toList();
        return new Totals(
                world.engine().policy(),
                world.resources(),
                world.deviceResource(),
                world.engine().view().deviceAmount(),
                world.types().stream().map(type -> type.name()).toList(),
                world.live(),
                world.running(),
                world.waiting(),
                world.table().waitingSince(),
                world.unconfirmed(),
                // Not the engine's numbers, which count what only holds room.
                world.admission().nextNumber(),
                world.admission().nextNumber() - world.live() - world.engine().rejected(),
                world.engine().rejected(),
                world.table().finishedCount(),
                world.table().finishedBytes(),
                servers.occupied(),
                sites);
    }

    private static SiteTotals site(World world, int site) {
        ServerTotals servers = world.servers();
        long[] byStatus = new long[ServerStatus.values().length];
        for (ServerStatus status : ServerStatus.values()) {
            byStatus[status.ordinal()] = servers.servers(site, status);
        }
        int resources = world.resources().size();
        long[] capacity = new long[resources];
        long[] used = new long[resources];
        for (int r = 0; r < resources; r++) {
            capacity[r] = servers.capacity(site, r);
            used[r] = servers.used(site, r);
        }
        return new SiteTotals(
                world.sites().get(site), byStatus, servers.silent(site), servers.occupied(site), capacity, used);
    }
}
