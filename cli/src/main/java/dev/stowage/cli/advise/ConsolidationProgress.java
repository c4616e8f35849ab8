package dev.stowage.cli.advise;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.study.advise.ConsolidationListener;
import dev.stowage.study.advise.ConsolidationRun;
import dev.stowage.study.advise.ConsolidationSettings;
import dev.stowage.study.advise.NextServers;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says what becomes of a plan that is carried out, a line each, and what came of it at the end. */
public class ConsolidationProgress implements ConsolidationListener {
    private final Console console;
    private final AdviceWords words;
    private final boolean json;
    private final Clock clock = Clock.systemUTC();
    private int moved;
    private int emptied;

    /** Writes to a console. */
    public ConsolidationProgress(Console console, AdviceWords words, boolean json) {
        this.console = console;
        this.words = words;
        this.json = json;
    }

    /** Writes a line. */
    protected void line(String text, String event, Object... more) {
        String at = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>(Map.of("event", event));
            line.put("at", at);
            for (int i = 0; i < more.length; i += 2) {
                line.put(String.valueOf(more[i]), more[i + 1]);
            }
            console.out().println(Data.jsonLine(line));
        } else {
            console.out().print(console.wrapped(at.substring(11, 19) + " ", text));
        }
        console.out().flush();
    }

    /** What is about to be done. */
    public void begins(ConsolidationSettings settings) {
        line(
                "begins, with at most one move every " + settings.gapNanos() / 1e9
                        + " s. Ctrl-C opens again what it closed",
                "begins",
                "move_every_seconds",
                settings.gapNanos() / 1e9);
    }

    /** What an earlier run may have left. */
    void left(String note) {
        line(note, "left", "note", note);
    }

    @Override
    public void planned(int inUse, NextServers plan) {
        line(
                words.servers(inUse) + " in use; "
                        + (plan.freed() == 0
                                ? emptied == 0 ? "none of them can be emptied" : "no more of them can be emptied"
                                : plan.freed() + " of them can be emptied by "
                                        + AdviceWords.counted(plan.moves(), "move"))
                        + (plan.limit().isEmpty()
                                ? ""
                                : "; now at most " + plan.next().size() + ", because " + plan.limit()),
                "planned",
                "in_use",
                inUse,
                "can_be_emptied",
                plan.freed(),
                "moves",
                plan.moves(),
                "scores",
                plan.scores(),
                "limit",
                plan.limit());
    }

    @Override
    public void moved(String job, String server, String to) {
        moved++;
        String text = "moved " + job + " off " + server;
        if (to.isEmpty()) {
            line(text, "moved", words.job(), job, words.server(), server);
        } else {
            line(text + " to " + to, "moved", words.job(), job, words.server(), server, "to", to);
        }
    }

    @Override
    public void notReplaced(String job, String server) {
        line(
                job + " on " + server + " ended, not replaced: no other is wanted",
                "not_replaced",
                words.job(),
                job,
                words.server(),
                server);
    }

    @Override
    public void notMoved(String job, String server, String why) {
        line(
                job + " could not be moved off " + server + ", and nothing more is moved: " + why,
                "not_moved",
                words.job(),
                job,
                words.server(),
                server,
                "why",
                why);
    }

    @Override
    public void waits(String server, String why) {
        line(server + ": waits: " + why, "waits", words.server(), server, "why", why);
    }

    @Override
    public void emptied(String server) {
        emptied++;
        line(
                server + " is empty (" + emptied + " so far, " + AdviceWords.counted(moved, "move") + ")",
                "emptied",
                words.server(),
                server);
    }

    @Override
    public void givenUp(String server, String why) {
        line("gave up on " + server + " and opened it again: " + why, "given_up", words.server(), server, "why", why);
    }

    @Override
    public void openedForWaiting(String job) {
        line(job + " waits for a place: opening everything that was closed", "opened_for_waiting", words.job(), job);
    }

    @Override
    public void notOpened(String server, String why) {
        line(server + " could not be opened: " + why, "not_opened", words.server(), server, "why", why);
    }

    /** The end. */
    public void ended(ConsolidationRun.Summary summary) {
        List<String> still = summary.closed();
        line(
                (summary.stopped() ? "stopped: " : "done: ") + words.servers(summary.inUseBefore())
                        + " in use before, " + summary.inUseAfter() + " now; "
                        + AdviceWords.counted(moved, "move") + ", "
                        + summary.emptied().size() + " emptied, "
                        + summary.givenUp().size() + " given up"
                        + (still.isEmpty() ? "" : "; closed still: " + String.join(", ", still)),
                "ended",
                "stopped",
                summary.stopped(),
                "in_use_before",
                summary.inUseBefore(),
                "in_use_after",
                summary.inUseAfter(),
                "moves",
                moved,
                "emptied",
                summary.emptied(),
                "given_up",
                summary.givenUp(),
                "closed",
                still);
    }
}
