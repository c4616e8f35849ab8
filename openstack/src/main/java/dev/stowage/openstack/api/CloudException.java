package dev.stowage.openstack.api;

/** A cloud that cannot be asked, or that refused; the message holds no token and no password. */
public final class CloudException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    /** With words for people. */
    public CloudException(String message) {
        this(message, 0);
    }

    /** With the status of HTTP, 0 for no reply. */
    public CloudException(String message, int status) {
        super(message);
        this.status = status;
    }

    /** The status of HTTP; 0 if there was no reply. */
    public int status() {
        return status;
    }
}
