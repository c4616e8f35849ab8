package dev.stowage.sim.trace;

/** What a file is by its first bytes (after gunzip). */
enum FileKind {
    TEXT,
    PARQUET,
    SQLITE
}
