package dev.stowage.policies.baseline;

import java.util.Locale;

/** What becomes of a request that fits nowhere. */
public enum WhenFull {
    /** It is rejected. */
    REJECT,
    /** It waits in a central queue. */
    QUEUE;

    /** The name as a parameter value: lower case. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
