package dev.stowage.service.raft;

import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of a node's data directory. Ratis looks up the newest one for every message between nodes, and would
 * read the directory each time as long as there is none; this class remembers that.
 */
final class Snapshots extends SimpleStateMachineStorage {
    private volatile @Nullable SingleFileSnapshotInfo newest;

    @Override
    public @Nullable SingleFileSnapshotInfo getLatestSnapshot() {
        return newest;
    }

    @Override
    public @Nullable SingleFileSnapshotInfo loadLatestSnapshot() {
        newest = super.loadLatestSnapshot();
        return newest;
    }

    @Override
    public SingleFileSnapshotInfo updateLatestSnapshot(SingleFileSnapshotInfo info) {
        newest = super.updateLatestSnapshot(info);
        return newest;
    }
}
