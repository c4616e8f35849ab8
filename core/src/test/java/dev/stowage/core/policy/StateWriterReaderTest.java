package dev.stowage.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StateWriterReaderTest {
    private static byte[] written() {
        StateWriter out = new StateWriter();
        out.putLong(Long.MIN_VALUE);
        out.putInt(-7);
        out.putDouble(-0.0);
        out.putBoolean(true);
        out.putString("größer als 5 000");
        out.putLongs(new long[] {1, 2, 3}, 2);
        out.putInts(new int[] {4, 5, 6}, 3);
        out.putBytes(new byte[] {7, 8}, 1);
        return out.toByteArray();
    }

    private static void readAll(StateReader in) {
        in.getLong();
        in.getInt();
        in.getDouble();
        in.getBoolean();
        in.getString();
        in.getLongs();
        in.getInts();
        in.getBytes();
    }

    @Test
    void readsWhatWasWritten() {
        StateReader in = new StateReader(written());
        assertThat(in.getLong()).isEqualTo(Long.MIN_VALUE);
        assertThat(in.getInt()).isEqualTo(-7);
        assertThat(Double.doubleToRawLongBits(in.getDouble())).isEqualTo(Long.MIN_VALUE);
        assertThat(in.getBoolean()).isTrue();
        assertThat(in.getString()).isEqualTo("größer als 5 000");
        assertThat(in.getLongs()).containsExactly(1, 2);
        assertThat(in.getInts()).containsExactly(4, 5, 6);
        assertThat(in.atEnd()).isFalse();
        assertThat(in.getBytes()).containsExactly(7);
        assertThat(in.atEnd()).isTrue();
    }

    /** One byte for each seven bits of the zigzag number. */
    @Test
    void numbersTakeAsManyBytesAsTheyNeed() {
        long[] values = {0, -1, 63, -64, 64, -65, 8191, 8192, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE};
        int[] bytes = {1, 1, 1, 1, 2, 2, 2, 3, 6, 10, 10};
        StateWriter out = new StateWriter();
        for (int i = 0; i < values.length; i++) {
            int before = out.size();
            out.putNumber(values[i]);
            assertThat(out.size() - before).as("%d", values[i]).isEqualTo(bytes[i]);
        }
        StateReader in = new StateReader(out.toByteArray());
        for (long value : values) {
            assertThat(in.getNumber()).isEqualTo(value);
        }
        assertThat(in.atEnd()).isTrue();
        byte[] endless = new byte[11];
        Arrays.fill(endless, (byte) 0x80);
        assertThatThrownBy(() -> new StateReader(endless).getNumber()).hasMessageContaining("more than 10 bytes");
    }

    @Test
    void growsBeyondItsFirstRoom() {
        StateWriter out = new StateWriter();
        long[] many = new long[10_000];
        Arrays.setAll(many, i -> i * 31L);
        out.putLongs(many, many.length);
        assertThat(out.toByteArray()).hasSize(4 + 8 * 10_000);
        assertThat(new StateReader(out.toByteArray()).getLongs()).isEqualTo(many);
    }

    @Test
    void everyTruncationIsTold() {
        byte[] whole = written();
        for (int length = 0; length < whole.length; length++) {
            StateReader in = new StateReader(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> readAll(in))
                    .as("first %d bytes of %d", length, whole.length)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("saved state is");
        }
    }

    @Test
    void aLengthThatCannotBeIsToldBeforeMemoryIsTaken() {
        for (int length : new int[] {-1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            StateWriter out = new StateWriter();
            out.putInt(length);
            out.putInt(0);
            byte[] bytes = out.toByteArray();
            assertThatThrownBy(() -> new StateReader(bytes).getLongs())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("length " + length);
            if (length != 2) {
                assertThatThrownBy(() -> new StateReader(bytes).getString())
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> new StateReader(bytes).getBytes())
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }
}
