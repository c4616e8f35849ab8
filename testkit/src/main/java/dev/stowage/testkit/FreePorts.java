package dev.stowage.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ports of the loopback address for programs that a test starts, or starts again.
 *
 * <p>A port that the system itself hands out (port 0) may go to somebody's call as soon as it is given back, before the
 * program has it. These are below those that systems usually hand out, never twice the same in a process, and of blocks
 * that processes beside this one leave to it: a locked file in the directory of temporary files says whose a block is.
 * So nobody takes the port of a program that is stopped for a while.
 */
public final class FreePorts {
    private static final int FIRST = 10_000;
    private static final int END = 32_000;
    private static final int BLOCK = 500;
    /** Held until the process ends. */
    private static final List<FileLock> HELD = new ArrayList<>();

    private static int block = FIRST - BLOCK;
    private static int next = FIRST;

    private FreePorts() {}

    /** A port that is free. */
    public static int one() {
        return inRow(1);
    }

    /**
     * The first of {@code count} ports in a row that are all free.
     *
     * @param count at most 500
     */
    public static synchronized int inRow(int count) {
        int found = 0;
        while (found < count) {
            if (next >= block + BLOCK) {
                nextBlock();
                found = 0;
            }
            found = isFree(next++) ? found + 1 : 0;
        }
        return next - count;
    }

    /** Ports that are free. */
    public static List<Integer> some(int count) {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ports.add(one());
        }
        return ports;
    }

    private static void nextBlock() {
        do {
            block += BLOCK;
            if (block >= END) {
                throw new IllegalStateException("no ports are left from " + FIRST + " to " + (END - 1));
            }
        } while (!isOurs());
        next = block;
    }

    private static boolean isOurs() {
        try {
            Path directory = Files.createDirectories(
                    Path.of(System.getProperty("java.io.tmpdir"), "stowage-ports-" + System.getProperty("user.name")));
            FileChannel file = FileChannel.open(
                    directory.resolve(Integer.toString(block)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            @Nullable FileLock lock = file.tryLock();
            if (lock == null) {
                file.close();
                return false;
            }
            return HELD.add(lock);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (BindException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
