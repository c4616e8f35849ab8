package dev.stowage.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports of the loopback address for programs that a test starts.
 *
 * <p>A port that the system itself hands out (port 0) may go to somebody's call as soon as it is given back, before the
 * program has it. These are below those that systems usually hand out, never twice the same in a process, and each
 * process begins elsewhere.
 */
public final class FreePorts {
    private static final int FIRST = 10_000;
    private static final int END = 32_000;
    private static int next = FIRST + (int) (ProcessHandle.current().pid() * 128 % (END - FIRST));

    private FreePorts() {}

    /** A port that is free. */
    public static int one() {
        return inRow(1);
    }

    /** The first of {@code count} ports in a row that are all free. */
    public static synchronized int inRow(int count) {
        int found = 0;
        for (int tried = FIRST; tried < END; tried++) {
            if (next >= END) {
                next = FIRST;
                found = 0;
            }
            found = isFree(next++) ? found + 1 : 0;
            if (found == count) {
                return next - count;
            }
        }
        throw new IllegalStateException(count + " ports in a row are not free, from " + FIRST + " to " + (END - 1));
    }

    /** Ports that are free. */
    public static List<Integer> some(int count) {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ports.add(one());
        }
        return ports;
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
