package dev.stowage.policies.catalog;

/**
 * A class loader that can identify what it loads: classes of the same names from another jar are another policy, and
 * records of decisions must be able to tell them apart.
 */
public interface PolicyOrigin {
    /** Identifies the bytes that the classes come from, e.g. the start of the jar's SHA-256. */
    String digest();
}
