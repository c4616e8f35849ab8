package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.service.state.Operation.Adopt;
import dev.stowage.service.state.Operation.Attempt;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Gang;
import dev.stowage.service.state.Operation.Heartbeat;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Report;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Operation.Told;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Log entries as they are on disks: a later release reads them. */
final class OperationCodecTest {
    private static final Submit PLAIN = Submits.of("t", "a", "", new long[] {1}, new long[0], 0, -1);

    private static final Submit LIVING = new Submit(
            "t",
            "b",
            "vm",
            new long[0],
            new long[0],
            -1,
            -1,
            List.of("oslo"),
            new ConstraintWords(List.of("gpu"), List.of("n1"), List.of("db:1")),
            -3,
            true,
            0);

    private static String hex(Operation operation) {
        byte[] bytes = new Batch(ServiceState.VERSION, 0, 0, 0, List.of(operation)).encode();
        Operation read = Batch.decode(bytes).operations().get(0);
        byte[] again = new Batch(ServiceState.VERSION, 0, 0, 0, List.of(read)).encode();
        assertThat(again).as("written, read and written").isEqualTo(bytes);
        assertThat(read).hasSameClassAs(operation);
        // Without version, origin, sequence, time and number of operations.
        return HexFormat.of().formatHex(bytes, 4 + 3 * 8 + 4, bytes.length);
    }

    @Test
    void eachKindHasItsBytes() {
        String living = "0100000074010000006202000000766d0000000000000000ffffffffffffffffffffffffffffffff"
                + "0f000000"
                + "01000000040000006f736c6f010000000300000067707501000000020000006e31010000000400000064623a31"
                + "fdffffff";
        String plain = "0100000074010000006100000000010000000100000000000000000000000000000000000000"
                + "ffffffffffffffff00000000";
        assertThat(hex(PLAIN)).isEqualTo("02000000" + plain);
        // A bit for each thing that it says of itself, and what that is.
        assertThat(hex(LIVING)).isEqualTo("02000000" + living);
        assertThat(hex(Submits.expecting(PLAIN, 90)))
                .isEqualTo("02000000" + plain.replaceAll("00000000$", "10000000") + "5a00000000000000");
        assertThat(hex(new Adopt(LIVING, "n0"))).isEqualTo("0b000000" + living + "020000006e30" + "0000000000000000");
        assertThat(hex(new Adopt(LIVING, "n0", 6)))
                .isEqualTo("0b000000" + living + "020000006e30" + "0600000000000000");
        assertThat(hex(new Gang(List.of(PLAIN, LIVING)))).isEqualTo("0c00000002000000" + plain + living);
        assertThat(hex(new Gang(List.of(Submits.of("t", "a", "", new long[] {1}, new long[0], 0, 5)))))
                .isEqualTo("0c00000001000000" + plain.replace("ffffffffffffffff", "0500000000000000"));
        assertThat(hex(new Release("t", "a"))).isEqualTo("030000000100000074" + "0100000061");
        assertThat(hex(new Release("t", "a", true))).isEqualTo("110000000100000074" + "0100000061");
        assertThat(hex(new Told(new Attempt("t", "b", 2), Command.Kind.START_FAILED)))
                .isEqualTo("0d000000010000007401000000620200000011000000");
        assertThat(hex(new Heartbeat("n0", 3, 5, 6)))
                .isEqualTo("0e000000020000006e30030000000000000005000000000000000600000000000000");
        assertThat(hex(new Report("n0", 3, List.of(new Attempt("t", "b", 2)))))
                .isEqualTo("0f000000020000006e300300000000000000010000000100000074010000006202000000");
        assertThat(hex(new Change("c", "op", "", Command.drain(0, 1, 9))))
                .isEqualTo("040000000100000063020000006f700000000015000000010000000000000001000000090000000000000000"
                        + "0000000000000000000000"
                        // Name and labels of the server, and its devices.
                        + "0000000000000000" + "0000000000000000");
    }
}
