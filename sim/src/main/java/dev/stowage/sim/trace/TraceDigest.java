package dev.stowage.sim.trace;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digest of the requests of a trace, whatever the files are called and however they are packed. */
final class TraceDigest {
    /** Arrival, duration, batch, type. */
    private static final int REQUEST_BYTES = 3 * Long.BYTES + Integer.BYTES;

    private static final int REQUESTS_AT_ONCE = 1024;

    private final MessageDigest digest;

    TraceDigest(Trace trace) {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
        text(trace.resources().toString());
        for (int type = 0; type < trace.types().size(); type++) {
            text(trace.types().get(type));
            text(String.valueOf(trace.ownTypeName(type)));
            text(trace.typeConstraints(type).toString());
            text(trace.typeTraits(type).toString());
            for (int resource = 0; resource < trace.resources().size(); resource++) {
                text(Long.toString(trace.typeDemand(type, resource)));
            }
        }
        requests(trace);
        if (trace.hasExpected()) {
            expected(trace);
        }
    }

    private void text(String text) {
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }

    private void requests(Trace trace) {
        ByteBuffer some = ByteBuffer.allocate(REQUESTS_AT_ONCE * REQUEST_BYTES);
        for (int request = 0; request < trace.size(); request++) {
            some.putLong(trace.arrivalNanos(request))
                    .putLong(trace.durationNanos(request))
                    .putLong(trace.batch(request))
                    .putInt(trace.type(request));
            if (!some.hasRemaining()) {
                digest.update(some.flip());
                some.clear();
            }
        }
        digest.update(some.flip());
    }

    private void expected(Trace trace) {
        ByteBuffer one = ByteBuffer.allocate(Long.BYTES);
        for (int request = 0; request < trace.size(); request++) {
            digest.update(one.putLong(0, trace.expectedNanos(request)).array());
        }
    }

    String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
