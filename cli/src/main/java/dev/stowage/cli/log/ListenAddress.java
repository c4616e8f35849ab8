package dev.stowage.cli.log;

import dev.stowage.cli.text.BadInputException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address that a process listens on, as {@code --listen ADDRESS:PORT} gives it. */
public final class ListenAddress {
    private static final Pattern FORM = Pattern.compile("(.+):(\\d{1,5})");
    private static final int LARGEST_PORT = 65_535;

    private ListenAddress() {}

    /**
     * Reads it.
     *
     * @throws BadInputException if it is not an address of this form
     */
    public static InetSocketAddress parse(String listen) {
        Matcher parts = FORM.matcher(listen);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > LARGEST_PORT) {
            throw new BadInputException("--listen " + listen + " must be ADDRESS:PORT, such as 127.0.0.1:8000 or"
                    + " 0.0.0.0:8000 (all addresses)");
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(parts.group(1)), Integer.parseInt(parts.group(2)));
        } catch (UnknownHostException e) {
            throw new BadInputException("--listen " + listen + ": no such address", e);
        }
    }

    /** The URL of what really listens there, whose port may be another than the one asked for (0). */
    public static String url(InetSocketAddress asked, int port) {
        InetAddress address = asked.getAddress();
        String text = address.getHostAddress();
        return "http://" + (address instanceof Inet6Address ? "[" + text + "]" : text) + ":" + port;
    }
}
