package dev.stowage.service.state;

import dev.stowage.core.model.ConstraintWords;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests as bytes: number, time of the last change, state, tenant, and the rest. */
final class RequestCodec {
    /** Flags of the optional fields after the common ones; in releases without constraints this was true or false. */
    private static final int ADJUSTED = 1;

    private static final int CONSTRAINED = 2;
    private static final int LIVING = 4;
    /** Its life has an expected lifetime. */
    private static final int EXPECTING = 8;

    private static final int HOLDING = 16;
    private static final int DISPLACED = 32;

    private RequestCodec() {}

    static void write(Request request, DataOutput out) throws IOException {
        out.writeLong(request.number());
        out.writeLong(request.since());
        out.writeByte(Codes.STATE.of(request.state()));
        out.writeUTF(request.tenant());
        out.writeUTF(request.id());
        out.writeLong(request.fingerprint());
        out.writeUTF(request.type());
        out.writeByte(request.demand().length);
        for (long amount : request.demand()) {
            out.writeLong(amount);
        }
        out.writeShort(request.sites().size());
        for (String site : request.sites()) {
            out.writeUTF(site);
        }
        out.writeInt(request.server());
        out.writeInt(request.queue());
        out.writeLong(request.arrivedAt());
        out.writeLong(request.waitUntil());
        out.writeUTF(request.reason());
        out.writeLong(request.position());
        Adjustment adjustment = request.adjustment();
        ConstraintWords words = request.words();
        Life life = request.life();
        out.writeByte((adjustment == null ? 0 : ADJUSTED)
                | (words.isNone() ? 0 : CONSTRAINED)
                | (life.equals(Life.NONE) ? 0 : LIVING)
                | (life.expectedNanos() == 0 ? 0 : EXPECTING)
                | (request.devices() == 0 ? 0 : HOLDING)
                | (request.displaced() == null ? 0 : DISPLACED));
        if (adjustment != null) {
            out.writeByte(Codes.ADJUSTMENT.of(adjustment.kind()));
            out.writeLong(adjustment.position());
            out.writeInt(adjustment.from());
            out.writeInt(adjustment.to());
            out.writeLong(adjustment.allocation());
            out.writeBoolean(adjustment.confirmed());
        }
        if (!words.isNone()) {
            for (List<String> part : List.of(words.where(), words.avoid(), words.spread())) {
                out.writeShort(part.size());
                for (String word : part) {
                    out.writeUTF(word);
                }
            }
        }
        writeLife(life, out);
        if (request.devices() != 0) {
            out.writeLong(request.devices());
        }
        Displacement displaced = request.displaced();
        if (displaced != null) {
            out.writeInt(displaced.server());
            out.writeLong(displaced.at());
            out.writeLong(displaced.by());
            out.writeUTF(displaced.reason());
        }
    }

    private static void writeLife(Life life, DataOutput out) throws IOException {
        if (!life.equals(Life.NONE)) {
            out.writeInt(life.priority());
            out.writeBoolean(life.agent());
            out.writeInt(life.attempt());
            out.writeByte(Codes.PHASE.of(life.phase()));
            out.writeInt(life.failures());
            if (life.expectedNanos() != 0) {
                out.writeLong(life.expectedNanos());
            }
        }
    }

    private static Life readLife(DataInput in, boolean expecting) throws IOException {
        return new Life(
                in.readInt(),
                in.readBoolean(),
                in.readInt(),
                Codes.PHASE.at(in.readByte()),
                in.readInt(),
                expecting ? in.readLong() : 0);
    }

    /** Names that many requests share are kept once. */
    static Request read(DataInput in) throws IOException {
        long number = in.readLong();
        long since = in.readLong();
        Request.State state = Codes.STATE.at(in.readByte());
        String tenant = in.readUTF().intern();
        String id = in.readUTF();
        long fingerprint = in.readLong();
        String type = in.readUTF().intern();
        long[] demand = new long[in.readUnsignedByte()];
        for (int r = 0; r < demand.length; r++) {
            demand[r] = in.readLong();
        }
        String[] sites = new String[in.readUnsignedShort()];
        for (int k = 0; k < sites.length; k++) {
            sites[k] = in.readUTF().intern();
        }
        int server = in.readInt();
        int queue = in.readInt();
        long arrivedAt = in.readLong();
        long waitUntil = in.readLong();
        String reason = in.readUTF().intern();
        long position = in.readLong();
        int parts = in.readUnsignedByte();
        Adjustment adjustment = readAdjustment(in, (parts & ADJUSTED) != 0);
        ConstraintWords words = (parts & CONSTRAINED) == 0
                ? ConstraintWords.NONE
                : new ConstraintWords(readTexts(in), readTexts(in), readTexts(in));
        Life life = (parts & LIVING) == 0 ? Life.NONE : readLife(in, (parts & EXPECTING) != 0);
        return new Request(
                tenant,
                id,
                number,
                fingerprint,
                type,
                demand,
                List.of(sites),
                words,
                state,
                server,
                queue,
                arrivedAt,
                since,
                waitUntil,
                reason,
                position,
                adjustment,
                life,
                (parts & HOLDING) == 0 ? 0 : in.readLong(),
                (parts & DISPLACED) == 0
                        ? null
                        : new Displacement(in.readInt(), in.readLong(), in.readLong(), in.readUTF()));
    }

    private static List<String> readTexts(DataInput in) throws IOException {
        String[] texts = new String[in.readUnsignedShort()];
        for (int k = 0; k < texts.length; k++) {
            texts[k] = in.readUTF();
        }
        return List.of(texts);
    }

    private static @Nullable Adjustment readAdjustment(DataInput in, boolean present) throws IOException {
        return present
                ? new Adjustment(
                        Codes.ADJUSTMENT.at(in.readByte()),
                        in.readLong(),
                        in.readInt(),
                        in.readInt(),
                        in.readLong(),
                        in.readBoolean())
                : null;
    }
}
