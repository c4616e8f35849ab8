package dev.stowage.service.state;

/** The log needs another version of the service than this one. */
public final class VersionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    VersionException(int wanted) {
        super("the log needs version " + wanted + " of the service, this node has version " + ServiceState.VERSION
                + "; install the release that has it on this node and start it again");
    }
}
