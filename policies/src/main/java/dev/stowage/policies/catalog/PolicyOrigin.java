package dev.stowage.policies.catalog;

/**
 * A class loader that knows what it loads: classes of another jar under the same names are another policy, and who
 * records decisions must be able to name.
 */
public interface PolicyOrigin {
    /** Which bytes the classes come from, e.g. the start of the jar's SHA-256. */
    String digest();
}
