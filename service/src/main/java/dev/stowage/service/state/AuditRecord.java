package dev.stowage.service.state;

/**
 * A change of servers, sites, quotas or policy, or a request to a node, with the one who asked.
 *
 * @param at when, nanoseconds since 1970
 * @param position log position
 * @param actor who
 * @param change what, as text
 * @param result empty, or why it was refused
 */
public record AuditRecord(long at, long position, String actor, String change, String result) {}
