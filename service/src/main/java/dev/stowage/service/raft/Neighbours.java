package dev.stowage.service.raft;

import dev.stowage.service.directory.Member;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.GroupInfoRequest;
import org.apache.ratis.protocol.GroupListReply;
import org.apache.ratis.protocol.GroupListRequest;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/** Asks the other nodes of the configuration which group they belong to. Safe for many threads. */
final class Neighbours implements AutoCloseable {
    /** Time after which a node that does not answer counts as unreachable: in election timeouts, and at least. */
    private static final int ASK_TIMEOUTS = 2;

    private static final int ASK_LEAST_MILLIS = 2000;
    /**
     * Limit for an action, in multiples of that time: only this node waits for it, and if it is given up it must start
     * again, which an overloaded machine would never finish.
     */
    private static final int DEED = 5;

    private static final RaftGroupId ANY = RaftGroupId.valueOf(new UUID(0, 1));

    private final NodeSettings settings;
    private final long askMillis;
    private final @Nullable RaftClient client;
    private final AtomicLong calls = new AtomicLong();
    private final ExecutorService asking = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "stowage-neighbours");
        thread.setDaemon(true);
        return thread;
    });

    Neighbours(NodeSettings settings) {
        this.settings = settings;
        List<RaftPeer> peers = settings.others().stream()
                .map(peer -> RaftPeer.newBuilder()
                        .setId(peer.id())
                        .setAddress(peer.address())
                        .build())
                .toList();
        RaftProperties properties = Ratis.properties(settings, false);
        askMillis = askMillis(settings);
        RaftClientConfigKeys.Rpc.setRequestTimeout(
                properties, TimeDuration.valueOf(DEED * askMillis, TimeUnit.MILLISECONDS));
        client = peers.isEmpty()
                ? null
                : RaftClient.newBuilder()
                        .setRaftGroup(RaftGroup.valueOf(ANY, peers))
                        .setProperties(properties)
                        .setParameters(Ratis.tls(settings))
                        .build();
    }

    /**
     * How long a node may take to answer. A machine on which leaders need longer election timeouts answers later, too.
     */
    static long askMillis(NodeSettings settings) {
        return Math.max(
                ASK_LEAST_MILLIS,
                ASK_TIMEOUTS * settings.log().electionTimeout().toMillis());
    }

    /** Asks all at once, and waits for them. */
    List<Joining.Said> ask() {
        return begin().join();
    }

    /** Asks all at once. Complete when all have answered or had their time. */
    CompletableFuture<List<Joining.Said>> begin() {
        List<CompletableFuture<Joining.Said>> asked = settings.others().stream()
                .sorted(Comparator.comparing(NodeSettings.Peer::id))
                .map(peer -> CompletableFuture.supplyAsync(() -> said(peer.id()), asking)
                        .completeOnTimeout(Joining.Said.nothing(peer.id()), askMillis, TimeUnit.MILLISECONDS)
                        .exceptionally(e -> Joining.Said.nothing(peer.id())))
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(done -> asked.stream().map(CompletableFuture::join).toList());
    }

    private Joining.Said said(String node) {
        try {
            GroupListReply groups = (GroupListReply)
                    send(node, id -> new GroupListRequest(rpcClient().getId(), id, ANY, calls.incrementAndGet()));
            for (RaftGroupId group : groups.getGroupIds()) {
                GroupInfoReply info = (GroupInfoReply)
                        send(node, id -> new GroupInfoRequest(rpcClient().getId(), id, group, calls.incrementAndGet()));
                return view(node, group, info);
            }
            return Joining.Said.noGroup(node);
        } catch (IOException e) {
            return Joining.Said.nothing(node);
        }
    }

    /**
     * The members from which a node has had messages within twice the shortest election timeout. A leader that has just
     * been elected counts all others as silent for the longest one, one and a half of the shortest.
     */
    private List<String> hears(RoleInfoProto role) {
        long limit = 2 * settings.log().electionTimeout().toMillis();
        List<ServerRpcProto> others = role.getRole() == RaftPeerRole.LEADER
                ? role.getLeaderInfo().getFollowerInfoList()
                : List.of(role.getFollowerInfo().getLeaderInfo());
        return others.stream()
                .filter(other -> other.getLastRpcElapsedTimeMs() < limit)
                .map(other -> other.getId().getId().toStringUtf8())
                .filter(id -> !id.isEmpty())
                .toList();
    }

    private Joining.Said view(String node, RaftGroupId group, GroupInfoReply info) {
        RoleInfoProto role = info.getRoleInfoProto();
        boolean leads = role.getRole() == RaftPeerRole.LEADER;
        List<Member> members = new ArrayList<>();
        boolean changing = false;
        if (info.getConf().isPresent()) {
            for (RaftPeerProto peer : info.getConf().get().getPeersList()) {
                members.add(new Member(peer.getId().toStringUtf8(), peer.getAddress()));
            }
            changing = info.getConf().get().getOldPeersCount() > 0;
        }
        return new Joining.Said(
                node,
                true,
                group.getUuid(),
                role.getSelf().getId().toStringUtf8(),
                leads,
                leads ? role.getLeaderInfo().getTerm() : -1,
                info.getLogInfoProto().getCommitted().getIndex(),
                changing,
                members,
                hears(role));
    }

    private RaftClient rpcClient() {
        if (client == null) {
            throw new IllegalStateException("no other nodes");
        }
        return client;
    }

    private interface Question {
        RaftClientRequest to(RaftPeerId server);
    }

    private RaftClientReply send(String node, Question request) throws IOException {
        RaftPeerId server = RaftPeerId.valueOf(node);
        RaftClientRpc rpc = rpcClient().getClientRpc();
        try {
            return rpc.sendRequest(request.to(server));
        } catch (IOException | RuntimeException e) {
            // A failed connection is opened again at once; by itself it would wait longer and longer.
            rpc.handleException(server, e, true);
            throw e instanceof IOException io ? io : new IOException(e);
        }
    }

    /**
     * Puts an entry into the log of the group that a node leads. Returns its position. It first asks whether a majority
     * gets messages from that node: a leader without one would keep an entry that it cannot commit, and in Ratis 3.3
     * would not step down as long as entries come.
     */
    long append(String leader, UUID group, byte[] entry) throws IOException {
        RaftClientReply leads =
                send(leader, id -> request(id, group, RaftClientRequest.readRequestType(), ByteString.EMPTY));
        if (!leads.isSuccess()) {
            throw new IOException(String.valueOf(leads.getException()));
        }
        RaftClientReply reply = send(
                leader, id -> request(id, group, RaftClientRequest.writeRequestType(), ByteString.copyFrom(entry)));
        if (!reply.isSuccess()) {
            throw new IOException(String.valueOf(reply.getException()));
        }
        return reply.getLogIndex();
    }

    /** Last entry that the leader counts a member as having, or -1. */
    long matched(String leader, UUID group, String member) throws IOException {
        RaftClientReply reply = send(
                leader,
                id -> request(
                        id, group, RaftClientRequest.staleReadRequestType(0), SnapshotPart.Matched.question(member)));
        if (!reply.isSuccess()) {
            return -1;
        }
        ByteBuffer answer = reply.getMessage().getContent().asReadOnlyByteBuffer();
        return answer.remaining() == Long.BYTES ? answer.getLong() : -1;
    }

    private RaftClientRequest request(RaftPeerId to, UUID group, RaftClientRequest.Type type, ByteString content) {
        return RaftClientRequest.newBuilder()
                .setClientId(rpcClient().getId())
                .setServerId(to)
                .setGroupId(RaftGroupId.valueOf(group))
                .setCallId(calls.incrementAndGet())
                .setMessage(Message.valueOf(content))
                .setType(type)
                .build();
    }

    /** Makes a leader change the members. Returns null once it is done, or why it failed. */
    @Nullable
    String change(String leader, UUID group, List<Member> from, List<Member> to) {
        try {
            RaftClientReply reply = send(
                    leader,
                    id -> new SetConfigurationRequest(
                            rpcClient().getId(),
                            id,
                            RaftGroupId.valueOf(group),
                            calls.incrementAndGet(),
                            Ratis.arguments(from, to)));
            return reply.isSuccess() ? null : Ratis.root(reply.getException()).getMessage();
        } catch (IOException e) {
            return Ratis.root(e).getMessage();
        }
    }

    @Override
    public void close() {
        asking.shutdown();
        if (client != null) {
            try {
                client.close();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }
}
