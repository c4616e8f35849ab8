package dev.stowage.service.raft;

import dev.stowage.service.directory.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.NetUtils;
import org.jspecify.annotations.Nullable;

/**
 * The group as a member sees it, which may have to take its leader's place. Empty until there is a {@link
 * Membership}.
 */
final class RatisFollower implements Following.Group, Confirmations.Group, AutoCloseable {
    private static final TermIndex NOTHING = TermIndex.valueOf(-1, -1);

    private final ExecutorService asking = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "stowage-last-entries");
        thread.setDaemon(true);
        return thread;
    });
    private final long askMillis;
    private volatile @Nullable Membership membership;

    /**
     * A follower of nobody.
     *
     * @param electionMillis the election timeout: if it has to be long, others may take long to answer
     */
    RatisFollower(long electionMillis) {
        askMillis = electionMillis / 5;
    }

    void of(Membership present) {
        membership = present;
    }

    private @Nullable Ratis ratis() {
        Membership present = membership;
        return present == null || present.out() != null ? null : present.ratis();
    }

    @Override
    public String self() {
        Ratis ratis = ratis();
        return ratis == null ? "" : ratis.member();
    }

    @Override
    public @Nullable String leader() {
        Ratis ratis = ratis();
        String leader = ratis == null ? null : ratis.leader();
        return ratis == null || ratis.member().equals(leader) ? null : leader;
    }

    @Override
    public List<String> members() {
        Ratis ratis = ratis();
        return ratis == null
                ? List.of()
                : ratis.members().stream().map(Member::id).toList();
    }

    /** Where a member listens, or null if it is not a member. */
    @Nullable
    InetSocketAddress address(String id) {
        Ratis ratis = ratis();
        return ratis == null
                ? null
                : ratis.members().stream()
                        .filter(member -> member.id().equals(id))
                        .map(member -> NetUtils.createSocketAddr(member.address()))
                        .findFirst()
                        .orElse(null);
    }

    @Override
    public TermIndex last() {
        Ratis ratis = ratis();
        return ratis == null ? NOTHING : ratis.lastOrNothing();
    }

    @Override
    public long toApply() {
        Membership present = membership;
        return present == null ? 0 : Math.max(0, last().getIndex() - present.applied());
    }

    @Override
    public Following.@Nullable Silence silence() {
        Ratis ratis = ratis();
        FollowerInfoProto info = ratis == null ? null : ratis.followerInfo();
        return info == null
                ? null
                : new Following.Silence(
                        info.getOutstandingOp(), info.getLeaderInfo().getLastRpcElapsedTimeMs());
    }

    @Override
    public Map<String, TermIndex> lastEntries(List<String> of) {
        Map<String, CompletableFuture<@Nullable TermIndex>> asked = new TreeMap<>();
        for (String member : of) {
            asked.put(
                    member,
                    CompletableFuture.<@Nullable TermIndex>supplyAsync(() -> lastEntry(member), asking)
                            .completeOnTimeout(null, askMillis, TimeUnit.MILLISECONDS)
                            .exceptionally(unreachable -> null));
        }
        Map<String, TermIndex> said = new TreeMap<>();
        asked.forEach((member, answer) -> {
            TermIndex last = answer.join();
            if (last != null) {
                said.put(member, last);
            }
        });
        return said;
    }

    private @Nullable TermIndex lastEntry(String of) {
        Ratis ratis = ratis();
        try {
            return ratis == null ? null : ratis.lastEntry(of);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long term() {
        Ratis ratis = ratis();
        return ratis == null ? -1 : ratis.term();
    }

    @Override
    public long term(String of) throws IOException {
        Ratis ratis = ratis();
        if (ratis == null) {
            throw new IOException("this node takes no part in its group");
        }
        return ratis.term(of);
    }

    @Override
    public boolean startElection(String leader) throws IOException {
        Ratis ratis = ratis();
        return ratis != null && ratis.startElection(leader);
    }

    @Override
    public void close() {
        asking.shutdown();
    }
}
