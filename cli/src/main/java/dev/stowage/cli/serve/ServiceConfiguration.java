package dev.stowage.cli.serve;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.service.api.Access;
import dev.stowage.service.api.ApiLimits;
import dev.stowage.service.api.ApiSettings;
import dev.stowage.service.api.LeaseTimes;
import dev.stowage.service.api.Rates;
import dev.stowage.service.directory.HistoryFiles;
import dev.stowage.service.raft.LogSettings;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.Tls;
import dev.stowage.service.state.Setting;
import dev.stowage.sim.result.Remark;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a service.
 *
 * @param setting its setting at the first start, when there is no log
 * @param nodes all nodes of the group
 * @param data directory that holds a directory for every node
 * @param log how the log is written
 * @param limits how much the API takes
 * @param waiting how many requests may wait for a server; 0: as many as fit into a third of the heap
 * @param access who may call
 * @param tls certificates, or null; {@code {id}} in a file's name stands for the node's id
 * @param rates most requests a second by tenant
 * @param leases default leases of servers
 * @param history how much of the history of requests a node keeps on its disk
 * @param notes how the servers were read, and what of them is not counted
 */
public record ServiceConfiguration(
        Setting setting,
        List<Node> nodes,
        Path data,
        LogSettings log,
        ApiLimits limits,
        long waiting,
        Access access,
        @Nullable Tls tls,
        Map<String, Rates> rates,
        LeaseTimes leases,
        HistoryFiles.Extent history,
        List<Remark> notes) {
    /**
     * A node.
     *
     * @param id its name
     * @param api host and port of its API
     * @param raft host and port at which the others reach it
     */
    public record Node(String id, InetSocketAddress api, InetSocketAddress raft) {}

    /** A node by its id. */
    public Node node(String id) {
        return nodes.stream()
                .filter(node -> node.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new BadInputException("--node '" + id + "' is not one of the group: "
                        + nodes.stream().map(Node::id).toList()));
    }

    /** The same with other nodes. */
    ServiceConfiguration on(List<Node> others) {
        return new ServiceConfiguration(
                setting, others, data, log, limits, waiting, access, tls, rates, leases, history, notes);
    }

    /** The node's part in the group. */
    public NodeSettings raft(Node self) {
        List<NodeSettings.Peer> peers = nodes.stream()
                .map(node -> new NodeSettings.Peer(node.id(), address(node.raft())))
                .toList();
        return new NodeSettings(self.id(), peers, data.resolve(self.id()), log, tls(self), false, history, true);
    }

    /** The node's certificates, or null. */
    @Nullable
    Tls tls(Node self) {
        return tls == null
                ? null
                : new Tls(
                        named(tls.certificate(), self),
                        named(tls.key(), self),
                        named(tls.authority(), self),
                        tls.clients());
    }

    private static Path named(Path file, Node self) {
        return Path.of(file.toString().replace("{id}", self.id()));
    }

    /** The node's API. */
    public ApiSettings api(Node self) throws UnknownHostException {
        InetAddress own = InetAddress.getAllByName(self.api().getHostString())[0];
        return new ApiSettings(
                new InetSocketAddress(own, self.api().getPort()),
                addresses(),
                limits,
                access,
                tls(self),
                rates,
                leases,
                List.of(),
                List.of());
    }

    /** Where each node's API is, by its id. */
    SortedMap<String, String> addresses() {
        SortedMap<String, String> addresses = new TreeMap<>();
        nodes.forEach(node -> addresses.put(node.id(), address(node.api())));
        return addresses;
    }

    private static String address(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }
}
