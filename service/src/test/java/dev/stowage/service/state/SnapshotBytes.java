package dev.stowage.service.state;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** A snapshot in memory. */
public final class SnapshotBytes implements Snapshot.Content {
    private final byte[] bytes;

    public SnapshotBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public InputStream open() {
        return new ByteArrayInputStream(bytes);
    }

    @Override
    public long size() {
        return bytes.length;
    }
}
