package dev.stowage.kube.translate;

/**
 * A port of the node that a container takes.
 *
 * @param address address of the node; {@code 0.0.0.0} for all
 * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}
 * @param port number
 */
public record HostPort(String address, String protocol, int port) {
    /** All addresses. */
    public static final String ANY = "0.0.0.0";

    /** Whether both cannot be used on one node. */
    public boolean conflictsWith(HostPort other) {
        return port == other.port
                && protocol.equals(other.protocol)
                && (address.equals(other.address) || address.equals(ANY) || other.address.equals(ANY));
    }
}
