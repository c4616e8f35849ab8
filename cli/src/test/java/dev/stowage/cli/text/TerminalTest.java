package dev.stowage.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.policies.Policies;
import dev.stowage.policies.catalog.PolicyInfo;
import dev.stowage.report.TextStyle;
import dev.stowage.sim.result.Remark;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

final class TerminalTest {
    private static final Terminal XTERM = new Terminal(true, true, 60, true, true);

    @Test
    void theLauncherAndTheEnvironmentSayWhatItIs() {
        Properties properties = new Properties();
        assertThat(Terminal.of(properties, Map.of("TERM", "dumb"))).isEqualTo(Terminal.NONE);
        properties.setProperty("stowage.terminal.out", "true");
        properties.setProperty("stowage.terminal.width", "132");
        assertThat(Terminal.of(properties, Map.of("LANG", "de_DE.UTF-8")))
                .isEqualTo(new Terminal(true, false, 132, true, true));
        assertThat(Terminal.of(properties, Map.of("LC_ALL", "C", "LANG", "de_DE.utf8", "NO_COLOR", "1")))
                .isEqualTo(new Terminal(true, false, 132, false, false));
        properties.setProperty("stowage.terminal.width", "");
        assertThat(Terminal.of(properties, Map.of()).width()).isEqualTo(80);
        properties.setProperty("stowage.terminal.width", "3");
        assertThat(Terminal.of(properties, Map.of()).width()).isEqualTo(20);
    }

    @Test
    void coloursOnATerminalUnlessNotWanted() {
        String bold = "\u001b[1m";
        assertThat(Program.run("policies").out()).doesNotContain("\u001b");
        assertThat(Program.on(XTERM, "policies").out()).contains(bold);
        assertThat(Program.on(XTERM, "policies", "--color=never").out()).doesNotContain("\u001b");
        assertThat(Program.on(new Terminal(true, true, 80, true, false), "policies")
                        .out())
                .doesNotContain("\u001b");
        assertThat(Program.run("policies", "--color", "always").out()).contains(bold);
        assertThat(Program.on(XTERM, "run", "--help").out()).contains("\u001b");
    }

    @Test
    void longColumnsAreWrappedOnATerminal() {
        assertThat(Program.on(XTERM, "policies", "--color=never").out().lines()).allMatch(line -> line.length() <= 60);
    }

    @Test
    void wordsForPeopleFitIntoAHundredColumnsWhereThereIsNoTerminal() {
        assertThat(Program.run("policies").out().lines()).allMatch(line -> line.length() <= 100);
        for (PolicyInfo policy : Policies.all()) {
            assertThat(Program.run("policies", policy.key()).out().lines())
                    .as(policy.key())
                    .allMatch(line -> line.length() <= 100);
        }
        assertThat(Program.run("trace", "formats").out().lines()).allMatch(line -> line.length() <= 100);
        assertThat(Program.on(new Terminal(true, true, 200, true, false), "policies")
                        .out()
                        .lines())
                .anyMatch(line -> line.length() > 100);
    }

    @Test
    void columnsOfNumbersAreAlignedToTheRight() {
        Columns columns = new Columns("name", "n", "text");
        columns.row("a", "1,234", "x");
        columns.row("bc", "5", "y z");

        assertThat(columns.text(TextStyle.PLAIN)).isEqualTo("""
                        name      n  text
                        ----  -----  ----
                        a     1,234  x
                        bc        5  y z
                        """);
    }

    @Test
    void theProgressSaysHowMuchHowFastAndHowLong() {
        ProgressBar bar = new ProgressBar(new Console(
                new PrintWriter(new StringWriter()),
                new PrintWriter(new StringWriter()),
                wide(false),
                ColourMode.AUTO,
                false,
                List.of()));

        // A quarter in 30 s: three quarters take 90 s more.
        assertThat(bar.line(0.25, 3_000_000, 30))
                .isEqualTo(" 25 %  ######..................  3.00 M requests, 100 k/s, 1 min 30 s left");
        assertThat(bar.line(0.09, 90_000, 30)).endsWith(" 90 k requests, 3000/s");
        assertThat(bar.line(0, 0, 0.1)).isEqualTo("  0 %  ........................  0 requests");
        assertThat(bar.line(1, 9000, 2)).isEqualTo("100 %  ########################  9000 requests, 4500/s");
        assertThat(bar.line(0.5, 10, 20_000)).endsWith("5 h 33 min left");
    }

    @Test
    void theProgressIsOneLineThatGoesAway() {
        StringWriter err = new StringWriter();
        long[] now = {5};
        ProgressBar bar = new ProgressBar(
                new Console(
                        new PrintWriter(new StringWriter()),
                        new PrintWriter(err),
                        XTERM,
                        ColourMode.AUTO,
                        false,
                        List.of()),
                () -> now[0]);
        bar.progress(1, 2, 100);
        // Too soon to be shown.
        now[0] += 99_999_999;
        bar.progress(1.1, 2, 110);
        now[0] += 1;
        bar.progress(1.2, 2, 120);
        bar.clear();
        bar.clear();

        assertThat(err.toString())
                .startsWith("\r\u001b[K 50 %")
                .contains("\r\u001b[K 60 %")
                .endsWith("\r\u001b[K")
                .doesNotContain("\n");
        assertThat(err.toString().split("\r", -1)).hasSize(4);
    }

    /** Without a terminal: nothing for two seconds, then a line, then one every ten seconds. */
    @Test
    void theProgressInAPipe() {
        StringWriter err = new StringWriter();
        long[] now = {5};
        Console piped = new Console(
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                Terminal.NONE,
                ColourMode.AUTO,
                false,
                List.of());
        StatusLine line = new StatusLine(piped, () -> now[0]);
        for (int tenth = 0; tenth < 125; tenth++) {
            line.progress("at " + tenth);
            now[0] += 100_000_000;
        }
        line.clear();
        assertThat(err.toString().lines()).containsExactly("at 20", "at 120");
        Console quiet = new Console(piped.out(), piped.err(), XTERM, ColourMode.AUTO, true, List.of());
        new StatusLine(quiet).step("anything");
        quiet.note("a note");
        quiet.note(Remark.warning("a warning"));
        assertThat(err.toString().lines()).containsExactly("at 20", "at 120", "warning: a warning");
    }

    /** A step that goes on is shown with its seconds: without a terminal after two, and every ten; until it ends. */
    @Test
    void aStepThatGoesOnIsShownAgain() {
        StringWriter err = new StringWriter();
        long[] now = {5};
        Console piped = new Console(
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                Terminal.NONE,
                ColourMode.AUTO,
                false,
                List.of());
        StatusLine line = new StatusLine(piped, () -> now[0]);
        line.step("planning");
        for (int half = 0; half < 30; half++) {
            now[0] += 500_000_000;
            line.beat();
        }
        line.clear();
        now[0] += 60_000_000_000L;
        line.beat();
        assertThat(err.toString().lines()).containsExactly("planning ... 2 s", "planning ... 12 s");
    }

    /** The same by the clock: it is waited for as long as it takes. */
    @Test
    void workThatGoesOnIsShown() {
        StringWriter err = new StringWriter();
        Console piped = new Console(
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                Terminal.NONE,
                ColourMode.AUTO,
                false,
                List.of());
        String result = StatusLine.during(new StatusLine(piped, System::nanoTime, true, 1), "planning", () -> {
            while (!err.toString().contains("planning ... ")) {
                Thread.onSpinWait();
            }
            return "done";
        });
        assertThat(result).isEqualTo("done");
    }

    private static Terminal wide(boolean unicode) {
        return new Terminal(true, true, 200, unicode, true);
    }

    /** An option is broken between its meanings alone, so that it can be copied; what stands before it as words are. */
    @Test
    void anOptionIsBrokenWhereItCanBeCopied() {
        assertThat(Console.broken(
                        "",
                        new Remark(
                                Remark.Kind.OPTION,
                                "DB, Prod: server list RVTools_tabvHost.csv",
                                "as an option: --server-columns \"site=vSAN Fault Domain Name,cpu=# Cores:cores,mem=# Memory:MiB,"
                                        + "name=Host\"",
                                0)))
                .isEqualTo("""
                        DB, Prod: server list RVTools_tabvHost.csv: as an option:
                            --server-columns "site=vSAN Fault Domain Name,cpu=# Cores:cores,mem=# Memory:MiB,name=Host\"""");
    }
}
