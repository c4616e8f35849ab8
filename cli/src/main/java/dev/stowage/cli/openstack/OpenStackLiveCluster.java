package dev.stowage.cli.openstack;

import dev.stowage.openstack.api.CloudException;
import dev.stowage.openstack.api.CloudSession;
import dev.stowage.openstack.api.ServerMoves;
import dev.stowage.openstack.snapshot.CloudReader;
import dev.stowage.openstack.translate.CloudFacts;
import dev.stowage.openstack.translate.HostFacts;
import dev.stowage.openstack.translate.ServerFacts;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.ConsolidationSettings;
import dev.stowage.study.advise.JobMover;
import dev.stowage.study.advise.LiveCluster;
import dev.stowage.study.advise.Pace;
import dev.stowage.study.advise.PatientLook;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An OpenStack cloud whose hosts are emptied. */
final class OpenStackLiveCluster implements LiveCluster, JobMover {
    private static final long POLL_NANOS = 1_000_000_000L;

    private record Begun(String server, String host) {}

    private final CloudSession session;
    private final ServerMoves moves;
    private final boolean keepLocalDisks;
    private final ConsolidationSettings settings;
    private final Pace pace;
    private final Map<String, HostFacts> hosts = new HashMap<>();
    private final Map<String, Begun> begun = new HashMap<>();
    private OpenStackState known = new OpenStackState(CloudFacts.EMPTY, false);

    OpenStackLiveCluster(CloudSession session, boolean keepLocalDisks, ConsolidationSettings settings, Pace pace) {
        this.session = session;
        moves = new ServerMoves(session);
        this.keepLocalDisks = keepLocalDisks;
        this.settings = settings;
        this.pace = pace;
    }

    /** A cloud that does not answer is asked again for as long as a step is tried. */
    @Override
    public ClusterState look() {
        CloudFacts facts = read();
        facts.hosts().forEach(host -> hosts.put(host.node(), host));
        known = new OpenStackState(facts, keepLocalDisks);
        return known.state();
    }

    private CloudFacts read() {
        return PatientLook.of(() -> CloudReader.live(session), CloudException.class, settings, pace);
    }

    /** What is to be known beside the last look. */
    List<String> notes() {
        return known.notes();
    }

    /** Waits until no server migrates any more, as a run that was killed may have left one. */
    void awaitMigrations() {
        boolean go = true;
        while (go && read().servers().stream().anyMatch(server -> server.task().equals("migrating"))) {
            go = pace.pause(POLL_NANOS);
        }
    }

    /** Hosts that have been disabled here, or by a run that could not enable them. */
    List<String> marked() {
        List<String> marked = new ArrayList<>();
        for (HostFacts host : read().hosts()) {
            if (host.disabledReason().equals(ServerMoves.MARK)) {
                hosts.put(host.node(), host);
                marked.add(host.node());
            }
        }
        return marked;
    }

    @Override
    public boolean close(String server) {
        HostFacts host = host(server);
        return moves.disable(host.service(), host.host());
    }

    @Override
    public void open(String server) {
        HostFacts host = host(server);
        moves.enable(host.service(), host.host());
    }

    private HostFacts host(String node) {
        HostFacts host = hosts.get(node);
        if (host == null) {
            throw new CloudException("host " + node + " is not known");
        }
        return host;
    }

    @Override
    public String begin(String job, String to) {
        ServerFacts server = known.server(job);
        if (server == null) {
            return "it is not there any more";
        }
        try {
            moves.begin(server.id(), host(to).host());
        } catch (CloudException e) {
            return String.valueOf(e.getMessage());
        }
        begun.put(job, new Begun(server.id(), host(to).host()));
        return "";
    }

    @Override
    public Said ask(String job) {
        Begun move = java.util.Objects.requireNonNull(begun.get(job));
        return switch (PatientLook.of(
                () -> moves.of(move.server(), move.host()), CloudException.class, settings, pace)) {
            case UNDER_WAY -> new Said(Fate.MOVES, "");
            case ARRIVED -> new Said(Fate.ARRIVED, "");
            case FAILED -> new Said(Fate.FAILED, moves.why(move.server()));
        };
    }
}
