package dev.stowage.service.state;

/** A world at one moment: immutable, so that it can be written while the world goes on. */
record Captured(byte[] names, byte[] engine, Request[] requests) {}
