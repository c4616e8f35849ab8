package dev.stowage.spark;

import dev.stowage.sim.remote.MachinesRefusedException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of a Spark master, as Spark writes it. */
final class MasterAddress {
    private static final int PATIENCE_MILLIS = 5000;
    private static final Pattern LOCAL = Pattern.compile("local(\\[(\\*|[1-9]\\d{0,3})(,\\d{1,3})?\\])?");
    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[^:\\s/]+):(\\d{1,5})");
    private static final String STANDALONE = "spark://";

    private MasterAddress() {}

    /**
     * Checks whether somebody listens there; Spark itself would notice only after a minute and a half.
     *
     * @throws MachinesRefusedException if nobody does, or it is not an address
     */
    static void check(String master) {
        if (LOCAL.matcher(master).matches() || master.equals("yarn") || master.startsWith("k8s://")) {
            return;
        }
        if (!master.startsWith(STANDALONE)) {
            throw new MachinesRefusedException(
                    "--on " + master
                            + ": is not the address of a Spark master: spark://HOST:7077 (several: spark://A:7077,B:7077),"
                            + " yarn, k8s://HOST:PORT, or local[2] to try it",
                    null);
        }
        List<String> silent = new ArrayList<>();
        for (String each : master.substring(STANDALONE.length()).split(",", -1)) {
            Matcher address = HOST_AND_PORT.matcher(each);
            if (!address.matches() || Integer.parseInt(address.group(2)) > 65_535) {
                throw new MachinesRefusedException(
                        "--on " + master + ": '" + each + "' must be HOST:PORT; the port is usually 7077", null);
            }
            String problem = problem(address.group(1), Integer.parseInt(address.group(2)));
            if (problem.isEmpty()) {
                return;
            }
            silent.add(each + ": " + problem);
        }
        throw new MachinesRefusedException(
                "--on " + master + ": no Spark master answers (" + String.join("; ", silent)
                        + "). Is it running, and is this the port in the title of its web page (spark://...), not the"
                        + " port of that page?",
                null);
    }

    private static String problem(String host, int port) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            return "no machine has this name";
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, PATIENCE_MILLIS);
            return "";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
