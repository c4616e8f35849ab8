package dev.stowage.service.state;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What an entry of the log changed.
 *
 * @param position of the entry
 * @param at its time, nanoseconds since 1970
 * @param requests as they were after each change, in order
 */
public record ChangedRequests(long position, long at, List<Request> requests) {
    /** Bytes of an encoded one before its requests: position, time, number of requests. */
    public static final int HEADER = 2 * Long.BYTES + Integer.BYTES;

    private static final int EACH = 256;

    /** Position, time, how many, and each as in a snapshot. */
    public byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(HEADER + EACH * requests.size());
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(position);
            out.writeLong(at);
            out.writeInt(requests.size());
            for (Request request : requests) {
                RequestCodec.write(request, out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * What {@link #encode} wrote.
     *
     * @throws IOException if it is something else
     */
    public static ChangedRequests decode(byte[] bytes, int start, int length) throws IOException {
        ByteArrayInputStream encoded = new ByteArrayInputStream(bytes, start, length);
        DataInputStream in = new DataInputStream(encoded);
        long position = in.readLong();
        long at = in.readLong();
        List<Request> requests = new ArrayList<>();
        for (int n = in.readInt(); n > 0; n--) {
            requests.add(RequestCodec.read(in));
        }
        if (encoded.available() > 0) {
            throw new IOException(
                    "changes of entry " + position + " have " + encoded.available() + " bytes after their end");
        }
        return new ChangedRequests(position, at, requests);
    }
}
