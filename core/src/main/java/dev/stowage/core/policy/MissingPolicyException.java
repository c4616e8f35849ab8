package dev.stowage.core.policy;

/**
 * A policy that does not exist here. Others may have it: one of a jar that this process was started without, or with
 * another version of.
 */
public final class MissingPolicyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final boolean agreed;

    /**
     * A policy that is not here.
     *
     * @param message with what is here, or where to find it
     * @param agreed whether the specification was {@link PolicyFactory#pinned pinned}: somebody had the policy, and
     *     others agreed on it. Then it is this process that lacks it, and it is no mistake of the specification
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
