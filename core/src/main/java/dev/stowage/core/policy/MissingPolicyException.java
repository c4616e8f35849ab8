package dev.stowage.core.policy;

/**
 * A policy that this process does not have. Others may have it, from a jar that this process was started without, or of
 * which it has another version.
 */
public final class MissingPolicyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final boolean agreed;

    /**
     * A policy that this process does not have.
     *
     * @param message names the policies that exist here, or where to find the missing one
     * @param agreed whether the specification was {@link PolicyFactory#pinned pinned}: other processes had the policy
     *     and agreed on it. Then this process lacks it, and the specification is not wrong
     */
    public MissingPolicyException(String message, boolean agreed) {
        super(message);
        this.agreed = agreed;
    }

    /** Whether the specification was pinned. */
    public boolean agreed() {
        return agreed;
    }
}
