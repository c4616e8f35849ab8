package dev.stowage.sim.trace;

/** What a file is by its first bytes (after gunzip). */
enum FileKind {
    TEXT,
    PARQUET,
    SQLITE,
    /** Read whole: a workbook, JSON, or what a program prints for people. */
    DOCUMENT
}
