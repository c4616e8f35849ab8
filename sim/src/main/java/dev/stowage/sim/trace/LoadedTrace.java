package dev.stowage.sim.trace;

/** A trace and the account of how it was read. */
public record LoadedTrace(Trace trace, LoadReport report) {}
