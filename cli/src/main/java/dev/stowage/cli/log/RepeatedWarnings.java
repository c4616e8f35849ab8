package dev.stowage.cli.log;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * Logs a library's message when it is new, and then once every {@value #REST_SECONDS} seconds with the number of
 * repetitions. Messages count as equal if they differ in numbers only. At most {@value #MOST} messages in total are
 * logged in that time. Messages of Stowage itself are not limited.
 */
final class RepeatedWarnings implements Filter {
    private static final int REST_SECONDS = 60;
    private static final int MOST = 60;
    private static final int KINDS = 1000;
    private static final int LENGTH = 120;
    private static final long REST = REST_SECONDS * 1_000_000_000L;

    private final LongSupplier nanos;
    /** By kind of message; the kind that was logged least recently is forgotten first. */
    private final Map<String, Kind> kinds = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Kind> eldest) {
            return size() > KINDS;
        }
    };

    private long periodBegan;
    private int let;
    private long heldBack;

    private static final class Kind {
        private long last;
        private long since;
    }

    RepeatedWarnings(LongSupplier nanos) {
        this.nanos = nanos;
        periodBegan = nanos.getAsLong();
    }

    @Override
    public synchronized boolean isLoggable(LogRecord record) {
        String logger = String.valueOf(record.getLoggerName());
        if (logger.startsWith("dev.stowage")) {
            return true;
        }
        long now = nanos.getAsLong();
        if (now - periodBegan >= REST) {
            periodBegan = now;
            let = 0;
        }
        String text = kind(String.valueOf(record.getMessage()));
        String key = logger + ' ' + record.getLevel() + ' ' + text;
        Kind kind = kinds.get(key);
        if (kind != null && now - kind.last < REST) {
            kind.since++;
            return false;
        }
        if (let >= MOST) {
            heldBack++;
            return false;
        }
        let++;
        Kind fresh = new Kind();
        fresh.last = now;
        kinds.remove(key);
        kinds.put(key, fresh);
        tell(record, kind == null ? 0 : kind.since);
        return true;
    }

    private static String kind(String message) {
        String start = message.length() > LENGTH ? message.substring(0, LENGTH) : message;
        return start.replaceAll("[0-9a-fA-F]*[0-9][0-9a-fA-F]*", "#");
    }

    private void tell(LogRecord record, long like) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (like > 0) {
            fields.put("like_this_before", like);
        }
        if (heldBack > 0) {
            fields.put("others_left_out", heldBack);
            heldBack = 0;
        }
        if (!fields.isEmpty()) {
            // The library's own parameters are part of the formatted message by now.
            record.setParameters(new Object[] {fields});
        }
    }
}
