package dev.stowage.service.state;

/**
 * A change of servers, sites or policy, and who asked for it.
 *
 * @param at when, nanoseconds since 1970
 * @param position log position
 * @param actor who
 * @param change what, as a command's text
 * @param result empty, or why it was refused
 */
public record AuditRecord(long at, long position, String actor, String change, String result) {}
