package dev.stowage.service.state;

/**
 * The answer to a change, for those who ask again.
 *
 * @param at when the change was carried out or refused, nanoseconds since 1970
 * @param fingerprint hash of who asked for what
 * @param outcome what became of it
 */
record KeptAnswer(long at, long fingerprint, Outcome outcome) {}
