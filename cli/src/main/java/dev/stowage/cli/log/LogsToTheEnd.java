package dev.stowage.cli.log;

import java.util.logging.LogManager;

/**
 * Keeps the handlers until the JVM is gone. The JDK's own takes them away as soon as the JVM is asked to end, while a
 * node still closes.
 */
public final class LogsToTheEnd extends LogManager {
    /** Made by the JDK, which finds the class by its name. */
    public LogsToTheEnd() {}

    /** Does nothing. */
    @Override
    public void reset() {}
}
