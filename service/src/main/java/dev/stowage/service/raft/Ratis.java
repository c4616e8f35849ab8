package dev.stowage.service.raft;

import dev.stowage.service.directory.Identity;
import dev.stowage.service.directory.Member;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.ServerTransportFilter;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.NetUtils;
import org.apache.ratis.util.ProtoUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Raft server of a node, running as one member of one group or without a group. No other class uses Ratis' server.
 */
final class Ratis implements AutoCloseable, CatchingUp.Group {
    private static final long TRANSFER_MILLIS = 10_000;
    private static final long IDLE_SECONDS = 10;
    /** gRPC waits for its last connection without a limit, sometimes for ever. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private static final Duration CLOSE_LIMIT_OF_MEMBER = Duration.ofSeconds(30);
    private static final Logger LOG = LoggerFactory.getLogger(Ratis.class);
    private static final TermIndex NOTHING = TermIndex.valueOf(-1, -1);

    /**
     * What a leader knows about another member.
     *
     * @param member its id
     * @param committed last entry that it is known to have as committed, or -1
     * @param matched last entry that the leader counts it as having, or -1
     * @param silentMillis since it answered last
     */
    record Followed(String member, long committed, long matched, long silentMillis) {}

    private final NodeSettings settings;
    private final RaftPeerId self;
    private final @Nullable RaftGroupId group;
    private final RaftServer server;
    private final Addressee addressee;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();

    private Ratis(
            NodeSettings settings,
            RaftPeerId self,
            @Nullable RaftGroupId group,
            RaftServer server,
            Addressee addressee) {
        this.settings = settings;
        this.self = self;
        this.group = group;
        this.server = server;
        this.addressee = addressee;
    }

    /**
     * Starts as a member of a group.
     *
     * @param members the group's members as long as its log does not name them; may be empty
     * @param fresh whether there are no files yet
     * @throws IOException if the port is taken or the files cannot be read
     */
    static Ratis start(
            NodeSettings settings,
            Identity identity,
            List<Member> members,
            boolean fresh,
            ReplicatedState machine,
            ServerTransportFilter watch)
            throws IOException {
        RaftGroupId group = RaftGroupId.valueOf(identity.group());
        RaftPeerId self = RaftPeerId.valueOf(identity.member());
        Addressee addressee = new Addressee(identity.member());
        RaftServer server = RaftServer.newBuilder()
                .setServerId(self)
                .setGroup(RaftGroup.valueOf(group, peers(members)))
                .setProperties(properties(settings, identity.stage() == Identity.Stage.FOUNDING))
                .setParameters(parameters(settings, watch, machine.votes(), addressee))
                .setStateMachine(machine)
                .setOption(fresh ? StartupOption.FORMAT : StartupOption.RECOVER)
                .build();
        return new Ratis(settings, self, group, listen(settings, server), addressee);
    }

    /** Starts without a group: other nodes that ask get the answer that there is none here. */
    static Ratis withoutGroup(NodeSettings settings, StateMachine machine, ServerTransportFilter watch)
            throws IOException {
        RaftPeerId self = RaftPeerId.valueOf(settings.id());
        Addressee addressee = new Addressee(null);
        RaftServer server = RaftServer.newBuilder()
                .setServerId(self)
                .setProperties(properties(settings, false))
                .setParameters(parameters(settings, watch, addressee))
                .setStateMachine(machine)
                .build();
        return new Ratis(settings, self, null, listen(settings, server), addressee);
    }

    private static RaftServer listen(NodeSettings settings, RaftServer server) throws IOException {
        // Ratis would end the process if it cannot listen, and that exit would wait for this thread.
        ExitUtils.disableSystemExit();
        try {
            server.start();
        } catch (ExitUtils.ExitException e) {
            ExitUtils.clear();
            server.close();
            throw new IOException("cannot listen on " + settings.address() + ": " + root(e).getMessage(), e);
        } catch (CompletionException e) {
            server.close();
            throw new IOException(root(e).getMessage(), e);
        }
        return server;
    }

    /** The root cause. */
    static Throwable root(Throwable thrown) {
        Throwable root = thrown;
        for (Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
            root = cause;
        }
        return root;
    }

    /** Whether two texts of host and port lead to one place. */
    static boolean sameAddress(String one, String other) {
        return one.equals(other) || NetUtils.createSocketAddr(one).equals(NetUtils.createSocketAddr(other));
    }

    static List<RaftPeer> peers(List<Member> members) {
        return members.stream()
                .map(member -> RaftPeer.newBuilder()
                        .setId(member.id())
                        .setAddress(member.address())
                        .build())
                .toList();
    }

    static RaftProperties properties(NodeSettings settings, boolean founding) {
        InetSocketAddress socket = NetUtils.createSocketAddr(settings.address());
        return RatisSettings.of(settings, socket.getHostString(), socket.getPort(), founding);
    }

    private static Parameters parameters(
            NodeSettings settings, ServerTransportFilter watch, ServerInterceptor... interceptors) {
        Parameters parameters = tls(settings);
        GrpcConfigKeys.Server.setServicesCustomizer(parameters, (builder, types) -> {
            for (ServerInterceptor interceptor : interceptors) {
                builder.intercept(interceptor);
            }
            return builder.addTransportFilter(watch).maxConnectionIdle(IDLE_SECONDS, TimeUnit.SECONDS);
        });
        return parameters;
    }

    /** TLS parameters for asking other nodes. */
    static Parameters tls(NodeSettings settings) {
        Parameters parameters = new Parameters();
        Tls tls = settings.tls();
        if (tls != null) {
            GrpcConfigKeys.TLS.setConf(
                    parameters,
                    new GrpcTlsConfig(
                            tls.key().toFile(),
                            tls.certificate().toFile(),
                            tls.authority().toFile(),
                            true));
        }
        return parameters;
    }

    /** The member that runs here. */
    String member() {
        return self.toString();
    }

    /** The group, or null. */
    @Nullable
    UUID group() {
        return group == null ? null : group.getUuid();
    }

    /** The group, as a client of it needs it. */
    RaftGroup asClient() {
        return RaftGroup.valueOf(group, peers(members()));
    }

    private RaftServer.@Nullable Division division() {
        try {
            return group == null ? null : server.getDivision(group);
        } catch (IOException e) {
            return null;
        }
    }

    /** The status of its part of the group, or null if that does not run. */
    @Nullable
    DivisionInfo info() {
        RaftServer.Division division = division();
        DivisionInfo info = division == null ? null : division.getInfo();
        return info != null && info.isAlive() ? info : null;
    }

    /** Whether it leads, and the first entry of its term is applied. */
    boolean leads() {
        DivisionInfo info = info();
        return info != null && info.isLeaderReady();
    }

    /** The member that leads, or null. */
    @Nullable
    String leader() {
        DivisionInfo info = info();
        if (info == null || info.getLeaderId() == null) {
            return null;
        }
        String id = info.getLeaderId().toString();
        return id.isEmpty() ? null : id;
    }

    /** The members that this node knows, by their id, including those that are about to be replaced. */
    @Override
    public List<Member> members() {
        RaftServer.Division division = division();
        List<Member> members = new ArrayList<>();
        if (division != null && division.getRaftConf() != null) {
            TreeMap<String, Member> all = new TreeMap<>();
            division.getRaftConf()
                    .getAllPeers()
                    .forEach(peer -> all.put(
                            peer.getId().toString(), new Member(peer.getId().toString(), peer.getAddress())));
            members.addAll(all.values());
        }
        return members;
    }

    /** The port that it listens on. */
    int port() {
        return server.getServerRpc().getInetSocketAddress().getPort();
    }

    /** The last entry of its log, or null if there is none, or no log because it closes. */
    @Nullable
    TermIndex lastEntry() {
        RaftServer.Division division = division();
        try {
            return division == null ? null : division.getRaftLog().getLastEntryTermIndex();
        } catch (IllegalStateException e) {
            return null;
        }
    }

    /** Index of the last entry known to be committed, or -1. */
    @Override
    public long committed() {
        RaftServer.Division division = division();
        return division == null ? -1 : division.getRaftLog().getLastCommittedIndex();
    }

    /** What this node knows about the others, if it leads. */
    @Override
    public List<Followed> followed() {
        RaftServer.Division division = division();
        return division == null ? List.of() : followed(division);
    }

    static List<Followed> followed(RaftServer.Division division) {
        DivisionInfo info = division.getInfo();
        List<ServerRpcProto> others = info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
        long[] matches = info.getFollowerMatchIndices();
        Map<String, Long> commits = new TreeMap<>();
        for (CommitInfoProto commit : division.getCommitInfos()) {
            commits.put(commit.getServer().getId().toStringUtf8(), commit.getCommitIndex());
        }
        List<Followed> all = new ArrayList<>();
        for (int i = 0; i < others.size(); i++) {
            String id = others.get(i).getId().getId().toStringUtf8();
            // In the order of the same list, unless that is changing just now.
            long matched = matches != null && matches.length == others.size() ? matches[i] : -1;
            all.add(new Followed(
                    id, commits.getOrDefault(id, -1L), matched, others.get(i).getLastRpcElapsedTimeMs()));
        }
        all.sort(Comparator.comparing(Followed::member));
        return all;
    }

    /** What Ratis knows about its leader, or null if it does not follow. */
    @Nullable
    FollowerInfoProto followerInfo() {
        DivisionInfo info = info();
        return info != null && info.isFollower() ? info.getRoleInfoProto().getFollowerInfo() : null;
    }

    String role() {
        DivisionInfo info = info();
        return info == null ? "down" : info.getCurrentRole().name().toLowerCase(java.util.Locale.ROOT);
    }

    @Override
    public boolean isLeader() {
        DivisionInfo info = info();
        return info != null && info.getCurrentRole() == RaftPeerRole.LEADER;
    }

    long term() {
        DivisionInfo info = info();
        return info == null ? -1 : info.getCurrentTerm();
    }

    /** Sends a request to this node itself. */
    CompletableFuture<RaftClientReply> request(RaftClientRequest.Type type, Message message) {
        if (group == null) {
            return CompletableFuture.failedFuture(new IOException("this node belongs to no group yet"));
        }
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(self)
                .setGroupId(group)
                .setCallId(calls.incrementAndGet())
                .setMessage(message)
                .setType(type)
                .build();
        try {
            return server.submitClientRequestAsync(request);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    CompletableFuture<RaftClientReply> transferLeadership(String to) {
        try {
            return server.transferLeadershipAsync(new TransferLeadershipRequest(
                    client, self, group, calls.incrementAndGet(), RaftPeerId.valueOf(to), TRANSFER_MILLIS));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Changes the members from those that this node, which leads, knows, to others. Answered when a majority of both
     * has it.
     */
    CompletableFuture<RaftClientReply> change(List<Member> from, List<Member> to) {
        try {
            return server.setConfigurationAsync(
                    new SetConfigurationRequest(client, self, group, calls.incrementAndGet(), arguments(from, to)));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    static SetConfigurationRequest.Arguments arguments(List<Member> from, List<Member> to) {
        return SetConfigurationRequest.Arguments.newBuilder()
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .setServersInCurrentConf(peers(from))
                .setServersInNewConf(peers(to))
                .build();
    }

    /** Makes Ratis request a snapshot, which purges the log up to the previous one. */
    void createSnapshot() {
        CompletableFuture<?> unused = server.snapshotManagementAsync(SnapshotManagementRequest.newCreate(
                        client, self, group, calls.incrementAndGet(), TRANSFER_MILLIS, 1))
                .exceptionally(e -> null);
    }

    /** The last entry of another member. */
    TermIndex lastEntry(String of) throws IOException {
        return TermIndex.valueOf(ask(of).getLastEntry());
    }

    /** The term of another member. */
    long term(String of) throws IOException {
        return ask(of).getTerm();
    }

    /** Replies to vote requests contain term and last entry, whatever the vote. This request asks for no vote. */
    private RequestVoteReplyProto ask(String of) throws IOException {
        return server.getServerRpc()
                .requestVote(RequestVoteRequestProto.newBuilder()
                        .setServerRequest(header(member(), of))
                        .setPreVote(true)
                        .build());
    }

    /**
     * Stands for election in place of a leader, in the same way as when a leader hands leadership over: without first
     * asking the others whether they still hear the leader. Returns whether it does.
     */
    boolean startElection(String leader) throws IOException {
        TermIndex last = lastEntry();
        if (last == null) {
            return false;
        }
        return server.startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                        .setServerRequest(header(leader, member()))
                        .setLeaderLastEntry(last.toProto())
                        .build())
                .getServerReply()
                .getSuccess();
    }

    private RaftRpcRequestProto.Builder header(String from, String to) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(RaftPeerId.valueOf(from).toByteString())
                .setReplyId(RaftPeerId.valueOf(to).toByteString())
                .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(group))
                .setCallId(calls.incrementAndGet());
    }

    /** The last entry, or one before all. */
    TermIndex lastOrNothing() {
        TermIndex last = lastEntry();
        return last == null ? NOTHING : last;
    }

    NodeSettings settings() {
        return settings;
    }

    /** For tests. */
    RaftServer server() {
        return server;
    }

    @Override
    public void close() throws IOException {
        addressee.close();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        server.close();
                        closed.complete(null);
                    } catch (IOException | RuntimeException e) {
                        closed.completeExceptionally(e);
                    }
                },
                "stowage-close");
        thread.setDaemon(true);
        thread.start();
        try {
            Duration limit = group == null ? CLOSE_LIMIT : CLOSE_LIMIT_OF_MEMBER;
            thread.join(limit.toMillis());
            if (thread.isAlive()) {
                LOG.warn("{}: no longer waiting for connections to close", self);
                thread.interrupt();
                thread.join(limit.toMillis());
            }
            closed.getNow(null);
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
    }
}
