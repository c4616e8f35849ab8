package dev.stowage.service.raft;

import dev.stowage.service.directory.Identity;
import java.util.List;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** The settings of Ratis that differ from its defaults. */
public final class RatisSettings {
    /** A group of one has no rivals, so its leader need not wait for them. */
    private static final int ALONE_MILLIS = 150;
    /** Time until the first election of starting nodes, when there cannot be a leader yet. */
    private static final int FIRST_MILLIS = 1000;

    private static final SizeInBytes MESSAGE = SizeInBytes.valueOf("64MB");
    private static final SizeInBytes APPEND = SizeInBytes.valueOf("16MB");
    private static final int OUTSTANDING = 4096;
    /**
     * Entries in memory cost time in every garbage collection; for a node that is farther behind they are read from the
     * files.
     */
    private static final int CACHED_SEGMENTS = 2;

    private static final TimeDuration STAGING = TimeDuration.valueOf(20, java.util.concurrent.TimeUnit.SECONDS);

    private RatisSettings() {}

    /**
     * Settings of a node that listens there.
     *
     * @param founding whether it makes the group, in which case it has no rivals in its first election
     */
    static RaftProperties of(NodeSettings settings, String host, int port, boolean founding) {
        RaftProperties all = new RaftProperties();
        boolean alone = settings.alone();
        int election =
                alone ? ALONE_MILLIS : (int) settings.log().electionTimeout().toMillis();
        int first = alone || founding ? ALONE_MILLIS : FIRST_MILLIS;
        RaftServerConfigKeys.setStorageDir(
                all, List.of(Identity.raft(settings.data()).toFile()));
        RaftServerConfigKeys.Rpc.setTimeoutMin(all, millis(election));
        RaftServerConfigKeys.Rpc.setTimeoutMax(all, millis(election + election / 2));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(all, millis(first / 2));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(all, millis(first));
        // Snapshots are started by the node's own clock thread, so that they are counted from the last one begun.
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(all, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(all, false);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(all, 2);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(all, true);
        RaftServerConfigKeys.Log.setPurgeGap(all, 1);
        RaftServerConfigKeys.Log.setUnsafeFlushEnabled(all, false);
        RaftServerConfigKeys.Log.setAsyncFlushEnabled(all, false);
        // Ratis 3.3 would otherwise mistake a batch of entries for a shorter one under way that begins with the same
        // entry, and acknowledge entries that it does not have: the leader may count them as committed, and the node
        // never gets them.
        RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(all, false);
        // This would write an entry for every commit, so that a group that loses most of its nodes still knows what was
        // committed: it doubles messages and syncs, and such a group cannot answer anyway. The leader sends the others
        // what is committed with the next entry, or by LeaderDuties.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(all, false);
        RaftServerConfigKeys.Log.setCorruptionPolicy(all, RaftServerConfigKeys.Log.CorruptionPolicy.WARN_AND_RETURN);
        RaftServerConfigKeys.Log.setSegmentSizeMax(all, SizeInBytes.valueOf("32MB"));
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(all, CACHED_SEGMENTS);
        RaftServerConfigKeys.Log.setWriteBufferSize(all, SizeInBytes.valueOf("17MB"));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(all, APPEND);
        // A joining member gets a snapshot first; if it dies meanwhile, it must not prevent others from joining.
        RaftServerConfigKeys.setStagingTimeout(all, STAGING);
        RaftServerConfigKeys.Read.setOption(all, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        // A lease counts on nobody being elected within an election timeout, but LeaderWatch has the others elect at
        // once when the leader's connections end, which need not be the leader's end.
        RaftServerConfigKeys.Read.setLeaderLeaseEnabled(all, false);
        RaftServerConfigKeys.RetryCache.setExpiryTime(
                all, TimeDuration.valueOf(2, java.util.concurrent.TimeUnit.MINUTES));
        RaftServerConfigKeys.Write.setElementLimit(all, OUTSTANDING);
        RaftClientConfigKeys.Async.setOutstandingRequestsMax(all, OUTSTANDING);
        GrpcConfigKeys.setMessageSizeMax(all, MESSAGE);
        GrpcConfigKeys.Server.setHost(all, host);
        GrpcConfigKeys.Server.setPort(all, port);
        return all;
    }

    private static TimeDuration millis(int value) {
        return TimeDuration.valueOf(value, java.util.concurrent.TimeUnit.MILLISECONDS);
    }
}
