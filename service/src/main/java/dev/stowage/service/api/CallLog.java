package dev.stowage.service.api;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.AttributeKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A log record for each call, its fields in a map that is the record's only parameter: calls that fail and changes of
 * servers, sites and policy at INFO, others at FINE. Over {@value #MOST_A_SECOND} a second the rest is counted, not
 * written; of refusals that clients retry, as at a node that does not lead, one per reason is written every
 * {@value #REST_SECONDS} seconds.
 */
final class CallLog {
    private static final Logger LOG = Logger.getLogger("dev.stowage.service.calls");
    private static final AttributeKey<String> ID = AttributeKey.valueOf(CallLog.class, "ID");
    private static final String HEADER = "x-request-id";
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._:/@+-]{1,128}");
    private static final long MOST_A_SECOND = 200;
    private static final long REST_SECONDS = 10;
    private static final long SECOND = 1_000_000_000L;

    /** Time until which such a reason is not written again. */
    private final Map<String, Long> resting = new ConcurrentHashMap<>();

    private final Map<String, LongAdder> similar = new ConcurrentHashMap<>();
    private long secondBegan = System.nanoTime();
    private long written;
    private long leftOut;

    /** Uses the caller's id of the request, or makes one, and returns it. */
    static void identify(ServiceRequestContext context, HttpRequest request) {
        String given = request.headers().get(HEADER);
        String id = given != null && ALLOWED.matcher(given).matches()
                ? given
                : context.id().shortText();
        context.setAttr(ID, id);
        context.mutateAdditionalResponseHeaders(headers -> headers.set(HEADER, id));
    }

    /** Logs a call that was answered. */
    void note(ServiceRequestContext context, String method, String caller, @Nullable Failure failure, long nanos) {
        Level level = failure != null || Caller.Right.of(method) == Caller.Right.OPERATE ? Level.INFO : Level.FINE;
        if (!LOG.isLoggable(level)) {
            return;
        }
        long like = failure == null || !failure.retry() || LOG.isLoggable(Level.FINE) ? 0 : rests(failure.reason());
        if (like < 0) {
            return;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("request", String.valueOf(context.attr(ID)));
        fields.put("caller", caller);
        fields.put("method", method);
        fields.put("result", failure == null ? "OK" : failure.reason());
        fields.put("micros", nanos / 1000);
        long before = admit();
        if (before < 0) {
            return;
        }
        if (before > 0) {
            fields.put("left_out", before);
        }
        if (like > 0) {
            fields.put("like_this_before", like);
        }
        LogRecord record = new LogRecord(level, failure == null ? "answered" : String.valueOf(failure.getMessage()));
        record.setLoggerName(LOG.getName());
        record.setParameters(new Object[] {fields});
        LOG.log(record);
    }

    /**
     * How many of this reason were not written since the last one that was, or -1 if this one must not be written
     * either.
     */
    private long rests(String reason) {
        long now = System.nanoTime();
        boolean[] write = new boolean[1];
        resting.compute(reason, (key, until) -> {
            write[0] = until == null || now - until >= 0;
            return write[0] ? Long.valueOf(now + REST_SECONDS * SECOND) : until;
        });
        LongAdder kept = similar.computeIfAbsent(reason, key -> new LongAdder());
        if (!write[0]) {
            kept.increment();
            return -1;
        }
        return kept.sumThenReset();
    }

    /** A mistake of the service itself, with its stack trace. */
    void mistake(@Nullable Throwable thrown) {
        LOG.log(Level.WARNING, "a call failed with an internal error", thrown);
    }

    /** How many were left out before this one, or -1 if this one is left out, too. */
    private synchronized long admit() {
        long now = System.nanoTime();
        if (now - secondBegan >= SECOND) {
            secondBegan = now;
            written = 0;
        }
        if (written >= MOST_A_SECOND) {
            leftOut++;
            return -1;
        }
        written++;
        long before = leftOut;
        leftOut = 0;
        return before;
    }
}
