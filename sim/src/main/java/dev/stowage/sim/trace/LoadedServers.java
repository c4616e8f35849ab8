package dev.stowage.sim.trace;

/** A server list and the account of how it was read. */
public record LoadedServers(ServerList servers, LoadReport report) {}
