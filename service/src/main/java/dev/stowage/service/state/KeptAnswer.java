package dev.stowage.service.state;

/**
 * The answer to a change, kept for retries.
 *
 * @param at when the change was carried out or refused, nanoseconds since 1970
 * @param fingerprint hash of caller and change
 * @param outcome its outcome
 */
record KeptAnswer(long at, long fingerprint, Outcome outcome) {}
