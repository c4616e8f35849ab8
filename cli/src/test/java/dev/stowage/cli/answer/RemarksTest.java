package dev.stowage.cli.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.text.ColourMode;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Terminal;
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
    private static final String OPTION = "as an option: --columns \"cpu=CPUs\"";

    private static List<String> printed(List<String> notes, boolean page) {
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

    private static List<String> notes(int more, String... others) {
        List<String> notes = new ArrayList<>(List.of(others));
        IntStream.range(0, more).forEach(i -> notes.add("note " + i));
        return notes;
    }

    /** What matters least is left out first, and what must be known never. */
    @Test
    void twelveLinesAreShown() {
        List<String> few = notes(9, "read as: cpu = CPUs", OPTION, "columns not used: Host");
        assertThat(printed(few, false)).isEqualTo(few);
        List<String> more = notes(10, "read as: cpu = CPUs", OPTION, "columns not used: Host");
        assertThat(printed(more, false))
                .hasSize(12)
                .contains(OPTION, "note 9", "and 2 more notes of how this was read: --report FILE.html has all")
                .doesNotContain("columns not used: Host", "read as: cpu = CPUs");
        List<String> warnings = notes(2, OPTION);
        IntStream.range(0, 13).forEach(i -> warnings.add("server list h.csv: warning: " + i));
        assertThat(printed(warnings, true))
                .hasSize(15)
                .contains(OPTION, "server list h.csv: warning: 12")
                .endsWith("and 2 more notes of how this was read: on the page");
    }

    /** Lines are broken between meanings, where an option may be. */
    @Test
    void aLongOptionIsBrokenBetweenMeanings() {
        String option = "as an option: --server-columns \"site=vSAN Fault Domain Name,cpu=# Cores:cores,"
                + "mem=# Memory, in all:MiB,model=Model\"";
        assertThat(printed(List.of(option), false))
                .containsExactly(
                        "as an option: --server-columns \"site=vSAN Fault Domain Name,cpu=# Cores:cores,",
                        "    mem=# Memory, in all:MiB,model=Model\"");
    }

    @Test
    void whatDiffersInNumbersIsSaidOfTheFirst() {
        Map<String, List<String>> notes = new LinkedHashMap<>();
        notes.put("8 rows read", List.of("DEV", "TEST"));
        notes.put("warning: 8 rows", List.of("DEV"));
        notes.put("1,002 rows read", List.of("PROD"));
        notes.put("warning: 9 rows", List.of("PROD"));
        notes.put("all", List.of("DEV", "TEST", "PROD"));
        assertThat(Remarks.alike(notes, 3))
                .containsExactly(
                        "DEV, TEST: 8 rows read (with other numbers: PROD)",
                        "warning: DEV: 8 rows",
                        "warning: PROD: 9 rows",
                        "each: all");
    }
}
