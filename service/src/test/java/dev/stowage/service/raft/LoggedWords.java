package dev.stowage.service.raft;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class logs, from now until it is closed. */
final class LoggedWords extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> said = new ArrayList<>();

    LoggedWords(Class<?> speaker) {
        logger = Logger.getLogger(speaker.getName());
        logger.addHandler(this);
    }

    List<String> said() {
        return said;
    }

    @Override
    public void publish(LogRecord record) {
        said.add(record.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
