package dev.stowage.cli.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.text.ColourMode;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Terminal;
import dev.stowage.sim.result.Remark;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is said of how an answer was found. */
final class RemarksTest {
    private static final Remark OPTION = new Remark(Remark.Kind.OPTION, "as an option: --columns \"cpu=CPUs\"");
    private static final Remark COLUMNS = new Remark(Remark.Kind.COLUMNS, "read as: cpu = CPUs");
    private static final Remark UNUSED = new Remark(Remark.Kind.DETAIL, "columns not used: Host");

    private static List<String> printed(List<Remark> notes, boolean page) {
        StringWriter err = new StringWriter();
        Remarks.print(
                new Console(
                        new PrintWriter(new StringWriter()),
                        new PrintWriter(err),
                        Terminal.NONE,
                        ColourMode.NEVER,
                        false,
                        List.of()),
                notes,
                page);
        return err.toString().lines().toList();
    }

    private static List<Remark> notes(int more, Remark... others) {
        List<Remark> notes = new ArrayList<>(List.of(others));
        IntStream.range(0, more).forEach(i -> notes.add(Remark.plain("note " + i)));
        return notes;
    }

    /** What matters least is left out first, and what must be known never. */
    @Test
    void twelveLinesAreShown() {
        List<Remark> few = notes(9, COLUMNS, OPTION, UNUSED);
        assertThat(printed(few, false))
                .isEqualTo(few.stream().map(Remark::toString).toList());
        List<Remark> more = notes(10, COLUMNS, OPTION, UNUSED);
        assertThat(printed(more, false))
                .hasSize(12)
                .contains(OPTION.text(), "note 9", "and 2 more notes of how this was read: --report FILE.html has all")
                .doesNotContain(UNUSED.text(), COLUMNS.text());
        List<Remark> warnings = notes(2, OPTION);
        IntStream.range(0, 13).forEach(i -> warnings.add(Remark.warning("" + i).about("server list h.csv")));
        assertThat(printed(warnings, true))
                .hasSize(15)
                .contains(OPTION.text(), "server list h.csv: warning: 12")
                .endsWith("and 2 more notes of how this was read: on the page");
    }

    /** Lines are broken between meanings, where an option may be. */
    @Test
    void aLongOptionIsBrokenBetweenMeanings() {
        String option = "as an option: --server-columns \"site=vSAN Fault Domain Name,cpu=# Cores:cores,"
                + "mem=# Memory, in all:MiB,model=Model\"";
        assertThat(printed(List.of(new Remark(Remark.Kind.OPTION, option)), false))
                .containsExactly(
                        "as an option: --server-columns \"site=vSAN Fault Domain Name,cpu=# Cores:cores,",
                        "    mem=# Memory, in all:MiB,model=Model\"");
    }

    @Test
    void whatDiffersInNumbersIsSaidOfTheFirst() {
        Map<Remark, List<String>> notes = new LinkedHashMap<>();
        notes.put(Remark.plain("8 rows read"), List.of("DEV", "TEST"));
        notes.put(Remark.warning("8 rows"), List.of("DEV"));
        notes.put(Remark.plain("1,002 rows read"), List.of("PROD"));
        notes.put(Remark.warning("9 rows"), List.of("PROD"));
        notes.put(Remark.plain("all"), List.of("DEV", "TEST", "PROD"));
        assertThat(Remarks.alike(notes, 3))
                .extracting(Remark::toString)
                .containsExactly(
                        "DEV, TEST: 8 rows read (with other numbers: PROD)",
                        "warning: DEV: 8 rows",
                        "warning: PROD: 9 rows",
                        "each: all");
    }
}
