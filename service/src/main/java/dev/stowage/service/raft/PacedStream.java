package dev.stowage.service.raft;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Writes a large file beside a log that syncs all the time: synced piece by piece, so that no sync of the log has to
 * wait for much of it, with a pause after each piece that is longer than its writing took. If somebody waits for the
 * file, there are no pauses.
 */
final class PacedStream extends OutputStream {
    private static final int PIECE = 1 << 20;
    /** Length of a pause in multiples of the writing time. */
    private static final int REST = 3;

    private final FileChannel channel;
    private final BooleanSupplier awaited;
    private long begun = System.nanoTime();
    private int written;

    /**
     * A stream to a file.
     *
     * @param awaited whether somebody waits for it
     */
    PacedStream(FileChannel channel, BooleanSupplier awaited) {
        this.channel = channel;
        this.awaited = awaited;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        for (ByteBuffer buffer = ByteBuffer.wrap(bytes, from, length); buffer.hasRemaining(); ) {
            written += channel.write(buffer);
        }
        if (written >= PIECE) {
            written = 0;
            channel.force(false);
            rest(REST * (System.nanoTime() - begun));
            begun = System.nanoTime();
        }
    }

    private void rest(long nanos) throws IOException {
        try {
            if (!awaited.getAsBoolean()) {
                TimeUnit.NANOSECONDS.sleep(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a file was written");
        }
    }
}
