package dev.stowage.service.api;

import dev.stowage.core.policy.View;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.World;
import java.util.Arrays;

/**
 * Sites and names of servers, without waiting for an entry being applied: both never change, so only new ones are
 * looked up.
 */
final class KnownServers {
    private record Known(String[] sites, String[] names) {}

    private final RaftNode node;
    private volatile Known known = new Known(new String[0], new String[0]);

    KnownServers(RaftNode node) {
        this.node = node;
    }

    /** Site of a server; empty for none. */
    String site(int server) {
        return server < 0 ? "" : with(server).sites()[server];
    }

    /** Name of a server; empty for no server, one that there is not, or if it has no name. */
    String name(int server) {
        if (server < 0) {
            return "";
        }
        String[] names = with(server).names();
        return server < names.length ? names[server] : "";
    }

    private Known with(int server) {
        Known now = known;
        if (server >= now.sites().length) {
            now = node.look(state -> more(Calls.begun(state)));
            known = now;
        }
        return now;
    }

    private Known more(World world) {
        View view = world.engine().view();
        Known before = known;
        int from = before.sites().length;
        int count = Math.max(from, view.servers());
        String[] sites = Arrays.copyOf(before.sites(), count);
        String[] names = Arrays.copyOf(before.names(), count);
        for (int at = from; at < count; at++) {
            sites[at] = Messages.site(world, at);
            names[at] = view.serverName(at);
        }
        return new Known(sites, names);
    }
}
