package dev.stowage.service.state;

import dev.stowage.core.random.KeyedRandom;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are over and still known, as bytes in the order they finished, with an index by tenant and id. There
 * may be millions, and as objects they would occupy the garbage collector. O(1) for everything but going through them,
 * which {@link Copy#before} does without the state's lock.
 *
 * <p>A record is its length, the hash of tenant and id, and the request as {@link RequestCodec} writes it.
 */
final class FinishedRequests {
    private static final int CHUNK_BITS = 18;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final long CHUNKS = 1L << (RecordIndex.LOCATION_BITS - CHUNK_BITS);
    private static final int LONGEST = 64 << 20;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final int HASH = 4;
    private static final int NUMBER = HASH + 8;
    private static final int SINCE = NUMBER + 8;
    private static final int STATE = SINCE + 8;
    private static final int TENANT = STATE + 1;
    /**
     * Ten for every record of a chunk: of other tenants' chunks one in ten is looked through in vain, if each record
     * has its own.
     */
    private static final int TENANT_BITS = 1 << 14;

    /** Records one after the other; never changed except after {@code used}. */
    private static final class Chunk {
        final byte[] bytes;
        int used;
        /** Log position at which its first record finished. */
        long begins;
        /** A bit for the hash of each tenant that has a record here. */
        private final long[] tenants = new long[TENANT_BITS / Long.SIZE];
        /** Whether not all of its records are of the first one's tenant. */
        boolean mixed;

        Chunk(int size) {
            bytes = new byte[size];
        }

        /** Adds a record at the end. Returns where it is. */
        int append(byte[] from, int start, int length) {
            int at = used;
            System.arraycopy(from, start, bytes, at, length);
            used += length;
            begins = at == 0 ? position(0) : begins;
            mixed |= !Arrays.equals(bytes, TENANT, text(TENANT), bytes, at + TENANT, text(at + TENANT));
            int bit = tenantBit(bytes, at + TENANT);
            tenants[bit / Long.SIZE] |= 1L << bit;
            return at;
        }

        /** Whether records of a tenant may be here. */
        boolean mayHold(int tenantBit) {
            return (tenants[tenantBit / Long.SIZE] & 1L << tenantBit) != 0;
        }

        int length(int at) {
            return (int) INT.get(bytes, at);
        }

        long hash(int at) {
            return (long) LONG.get(bytes, at + HASH);
        }

        long number(int at) {
            return (long) LONG.get(bytes, at + NUMBER);
        }

        long since(int at) {
            return (long) LONG.get(bytes, at + SINCE);
        }

        /** Log position at which it finished. */
        long position(int at) {
            return (long) LONG.get(bytes, text(server(at) + 2 * Integer.BYTES + 2 * Long.BYTES));
        }

        /** Where its server is: after tenant, id, fingerprint, type, demand and sites. */
        private int server(int at) {
            int next = text(text(text(at + TENANT)) + Long.BYTES);
            next += 1 + (bytes[next] & 0xff) * Long.BYTES;
            int sites = (short) SHORT.get(bytes, next) & 0xffff;
            next += Short.BYTES;
            for (; sites > 0; sites--) {
                next = text(next);
            }
            return next;
        }

        /** Where the text that begins here ends. */
        private int text(int at) {
            return at + Short.BYTES + ((short) SHORT.get(bytes, at) & 0xffff);
        }

        /** Whether tenant and id begin so. */
        boolean names(int at, byte[] begin) {
            return Arrays.equals(bytes, at + TENANT, at + TENANT + begin.length, begin, 0, begin.length);
        }

        Request request(int at) {
            ByteArrayInputStream in = new ByteArrayInputStream(bytes, at + NUMBER, length(at) - NUMBER);
            try {
                return RequestCodec.read(new DataInputStream(in));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A record before it is added: bytes that are used again and again, without the locks of the JDK's stream. */
    private static final class Draft extends OutputStream {
        private byte[] bytes = new byte[256];
        private int length;

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] from, int start, int count) {
            if (length + count > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
            }
            System.arraycopy(from, start, bytes, length, count);
            length += count;
        }
    }

    /** What there is at one moment, while the table goes on. */
    static final class Copy {
        private final Chunk[] chunks;
        private final int begin;
        private final int end;
        private final int size;

        private Copy(List<Chunk> chunks, int begin, int size) {
            this.chunks = chunks.toArray(Chunk[]::new);
            this.begin = begin;
            this.size = size;
            end = chunks.isEmpty() ? 0 : chunks.get(chunks.size() - 1).used;
        }

        /** Writes them, oldest first. */
        void write(DataOutputStream out) throws IOException {
            out.writeInt(size);
            for (int c = 0; c < chunks.length; c++) {
                int from = c == 0 ? begin : 0;
                out.write(chunks[c].bytes, from, end(c) - from);
            }
        }

        /**
         * What {@link #write} wrote.
         *
         * @throws IOException if it cannot be read
         * @throws IllegalArgumentException if it is none
         */
        static Copy read(DataInputStream in) throws IOException {
            List<Chunk> chunks = new ArrayList<>();
            int size = in.readInt();
            for (int n = 0; n < size; n++) {
                int length = in.readInt();
                if (length <= TENANT || length > LONGEST) {
                    throw new IllegalArgumentException(
                            "a finished request has " + length + " bytes, must be " + (TENANT + 1) + " to " + LONGEST);
                }
                byte[] record = new byte[length];
                INT.set(record, 0, length);
                in.readFully(record, Integer.BYTES, length - Integer.BYTES);
                append(record, 0, length, chunks);
            }
            return new Copy(chunks, 0, size);
        }

        /** A table of its own. */
        FinishedRequests table() {
            FinishedRequests table = new FinishedRequests();
            for (int c = 0; c < chunks.length; c++) {
                for (int at = c == 0 ? begin : 0; at < end(c); at += chunks[c].length(at)) {
                    table.append(chunks[c].bytes, at, chunks[c].length(at));
                }
            }
            return table;
        }

        /** Where somebody is who goes through them: before the record that finished at a position and has a number. */
        record Place(long position, long number) {
            static final Place END = new Place(-1, -1);
        }

        /** Hears records. */
        interface Visitor {
            /** Returns whether to go on after this one; if not, it is the first that comes next time. */
            boolean visit(Request request);
        }

        /**
         * Tells those that finished before a place, the newest first. O(log n) to go on there. If the place's record is
         * forgotten, those before it are too.
         *
         * @param until log position at which the last of them finished
         * @param tenant whose, or null for all
         * @param state only those in it, or null
         * @param most how many are looked at; in vain those of others too
         * @return where to go on, or null if there are no more
         */
        @Nullable
        Place before(
                Place from,
                long until,
                @Nullable String tenant,
                Request.@Nullable State state,
                int most,
                Visitor visitor) {
            byte[] wanted = tenant == null ? new byte[0] : utf(tenant);
            int bit = tenant == null ? 0 : tenantBit(wanted, 0);
            int code = state == null ? -1 : Codes.STATE.of(state);
            boolean there = from.equals(Place.END);
            Place last = from;
            int looked = 0;
            for (int c = lastUntil(there ? until : from.position()); c >= 0; c--) {
                Chunk chunk = chunks[c];
                if (there && tenant != null && !chunk.mayHold(bit)) {
                    continue;
                }
                int[] records = records(c);
                for (int i = records.length - 1; i >= 0; i--) {
                    int at = records[i];
                    long position = chunk.position(at);
                    if (!there) {
                        there = position == from.position() && chunk.number(at) == from.number();
                    } else if (position <= until) {
                        boolean belongs = (code < 0 || chunk.bytes[at + STATE] == code)
                                && (tenant == null || chunk.names(at, wanted));
                        if (looked == most || (belongs && !visitor.visit(chunk.request(at)))) {
                            return last;
                        }
                        looked++;
                        last = new Place(position, chunk.number(at));
                    }
                }
            }
            return null;
        }

        /** Number of the last chunk that begins at a position or before it; -1 for none. */
        private int lastUntil(long position) {
            int low = 0;
            for (int high = chunks.length; low < high; ) {
                int middle = (low + high) >>> 1;
                if (chunks[middle].begins <= position) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low - 1;
        }

        /** Where the records of a chunk begin that are known. */
        private int[] records(int c) {
            IntStream.Builder records = IntStream.builder();
            for (int at = c == 0 ? begin : 0; at < end(c); at += chunks[c].length(at)) {
                records.add(at);
            }
            return records.build().toArray();
        }

        private int end(int chunk) {
            return chunk == chunks.length - 1 ? end : chunks[chunk].used;
        }
    }

    private final List<Chunk> chunks = new ArrayList<>();
    /** Number of the first chunk since the beginning. */
    private long first;
    /** Where the oldest record begins in the first chunk. */
    private int begin;

    private final RecordIndex index = new RecordIndex(this::hash);
    private final Draft draft = new Draft();
    private final DataOutputStream drafting = new DataOutputStream(draft);
    private int size;
    /** Of the records that are known. */
    private long bytes;

    void add(Request request) {
        add(Hash.ofName(request.tenant(), request.id()), request);
    }

    /**
     * Adds a request.
     *
     * @param hash of its name, see {@link Hash#ofName}
     */
    void add(long hash, Request request) {
        draft.length = 0;
        try {
            drafting.writeInt(0);
            drafting.writeLong(hash);
            RequestCodec.write(request, drafting);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        INT.set(draft.bytes, 0, draft.length);
        append(draft.bytes, 0, draft.length);
    }

    private void append(byte[] from, int start, int length) {
        int at = append(from, start, length, chunks);
        index.add(chunks.get(chunks.size() - 1).hash(at), location(first + chunks.size() - 1, at));
        size++;
        bytes += length;
    }

    /** How many there are. */
    int size() {
        return size;
    }

    /** What their records take. */
    long bytes() {
        return bytes;
    }

    /** Returns where it is in the last chunk. */
    private static int append(byte[] from, int start, int length, List<Chunk> chunks) {
        Chunk last = chunks.isEmpty() ? null : chunks.get(chunks.size() - 1);
        if (last == null || last.used + length > last.bytes.length) {
            last = new Chunk(Math.max(CHUNK, length));
            chunks.add(last);
        }
        return last.append(from, start, length);
    }

    /**
     * A tenant's bit.
     *
     * @param at where its name begins, as {@link DataOutputStream#writeUTF} writes it
     */
    private static int tenantBit(byte[] bytes, int at) {
        int length = Short.BYTES + ((short) SHORT.get(bytes, at) & 0xffff);
        long hash = 0;
        for (int i = at; i < at + length; i++) {
            hash = KeyedRandom.mix(hash + bytes[i]);
        }
        return (int) hash & (TENANT_BITS - 1);
    }

    private static long location(long chunk, int at) {
        return ((chunk << CHUNK_BITS) | at) & RecordIndex.LOCATION;
    }

    private Chunk chunk(long location) {
        return chunks.get((int) (((location >>> CHUNK_BITS) - first) & (CHUNKS - 1)));
    }

    private static int place(long location) {
        return (int) location & (CHUNK - 1);
    }

    private long hash(long location) {
        return chunk(location).hash(place(location));
    }

    @Nullable
    Request find(long hash, String tenant, String id) {
        long location = index.find(hash, at -> {
            Chunk chunk = chunk(at);
            return chunk.hash(place(at)) == hash && chunk.names(place(at), utf(tenant, id));
        });
        return location < 0 ? null : chunk(location).request(place(location));
    }

    /** Whether another tenant than this has any. Of a chunk of one tenant one record is looked at. */
    boolean hasTenantBeside(String tenant) {
        byte[] own = utf(tenant);
        for (int c = 0; c < chunks.size(); c++) {
            Chunk chunk = chunks.get(c);
            for (int at = c == 0 ? begin : 0; at < chunk.used; at += chunk.length(at)) {
                if (!chunk.names(at, own)) {
                    return true;
                }
                if (!chunk.mixed) {
                    break;
                }
            }
        }
        return false;
    }

    /** Forgets what finished before a time, the oldest first, as long as all take more than so many bytes. */
    void forget(long before, long most) {
        while (size > 0 && bytes > most && chunks.get(0).since(begin) < before) {
            Chunk oldest = chunks.get(0);
            int length = oldest.length(begin);
            index.remove(oldest.hash(begin), location(first, begin));
            begin += length;
            bytes -= length;
            size--;
            if (begin == oldest.used) {
                chunks.remove(0);
                first++;
                begin = 0;
            }
        }
    }

    Copy copy() {
        return new Copy(chunks, begin, size);
    }

    /** Tells the number of every request, oldest first. */
    void numbers(LongConsumer consumer) {
        for (int c = 0; c < chunks.size(); c++) {
            Chunk chunk = chunks.get(c);
            for (int at = c == 0 ? begin : 0; at < chunk.used; at += chunk.length(at)) {
                consumer.accept(chunk.number(at));
            }
        }
    }

    private static byte[] utf(String... texts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (String text : texts) {
                out.writeUTF(text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
