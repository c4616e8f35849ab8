package dev.stowage.sim.trace;

import java.util.List;

/** The registry of server list formats. The first that recognises a file reads it. */
public final class ServerFormats {
    private static final List<ServerFormat> ALL = List.of(
            new SwfServersFormat(),
            new OpenbNodesFormat(),
            new PaiMachinesFormat(),
            new GoogleMachinesFormat(),
            new CanonicalServersFormat(),
            new OwnServersFormat());

    private ServerFormats() {}

    /** All formats, in the order in which they are tried. */
    public static List<ServerFormat> all() {
        return ALL;
    }
}
