package dev.stowage.service.state;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * One log entry: operations of one moment.
 *
 * @param version what a node must understand to apply it
 * @param origin the process that made it
 * @param sequence number among those of its origin
 * @param at the leader's time, nanoseconds since 1970
 * @param operations in the order in which they are applied
 */
public record Batch(int version, long origin, long sequence, long at, List<Operation> operations) {
    /** Takes a copy. */
    public Batch {
        operations = List.copyOf(operations);
    }

    /** The entry as bytes. */
    public byte[] encode() {
        StateWriter out = new StateWriter();
        out.putInt(version);
        out.putLong(origin);
        out.putLong(sequence);
        out.putLong(at);
        out.putInt(operations.size());
        for (Operation operation : operations) {
            OperationCodec.write(operation, out);
        }
        return out.toByteArray();
    }

    /**
     * What {@link #encode} wrote.
     *
     * @throws VersionException if it was written for another version
     * @throws IllegalArgumentException if it is damaged
     */
    public static Batch decode(byte[] bytes) {
        StateReader in = new StateReader(bytes);
        int version = in.getInt();
        if (version != ServiceState.VERSION) {
            throw new VersionException(version);
        }
        long origin = in.getLong();
        long sequence = in.getLong();
        long at = in.getLong();
        List<Operation> operations = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            operations.add(OperationCodec.read(in));
        }
        if (!in.atEnd()) {
            throw new IllegalArgumentException("log entry has bytes after its end");
        }
        return new Batch(version, origin, sequence, at, operations);
    }
}
