package dev.stowage.cli.advise;

import dev.stowage.cli.answer.JsonOption;
import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ProgramOptions.Rare;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The question about a cluster, and the form of the answer. */
public final class AdviceOptions {
    private static final String ON = " on ";

    @Option(
            names = "--add",
            paramLabel = "JOBS",
            description = "Also show what one more deployment would do, as in \"40 x 2 cores, 4 GiB\".")
    private @Nullable String add;

    @Option(
            names = "--why-not",
            paramLabel = "\"JOB on SERVER\"",
            description = "Only show every rule that keeps a job off a server.")
    private @Nullable String whyNot;

    @Mixin
    private JsonOption json;

    @Mixin
    private ReportOption report = new ReportOption();

    @Option(
            names = "--spare",
            paramLabel = "N",
            description = "Plan so that what survives the loss of N servers now still survives it"
                    + " (default: ${DEFAULT-VALUE}).")
    private int spare;

    @Rare
    @Option(
            names = "--steps",
            paramLabel = "N",
            description =
                    "Show at most this many steps of the plan as text (default: ${DEFAULT-VALUE}; JSON has them all).")
    private int steps = 20;

    /** The jobs to add; null for none. */
    public @Nullable AddedJobs added() {
        return add == null ? null : AddedJobs.parse(add);
    }

    /** The jobs to add, as they were written; null for none. */
    public @Nullable String addedText() {
        return add;
    }

    /** Whether a single question is asked. */
    public boolean asksWhyNot() {
        return whyNot != null;
    }

    /** Refuses what only one snapshot answers. */
    public void refuseWithRecording() {
        String given = add != null ? "--add" : whyNot != null ? "--why-not" : spare > 0 ? "--spare" : "";
        if (!given.isEmpty()) {
            throw new BadInputException(given + " asks about one moment; leave --recording out");
        }
    }

    /** Whether the answer is JSON. */
    public boolean json() {
        return json.asked();
    }

    /** The page. */
    public ReportOption report() {
        return report;
    }

    int spare() {
        if (spare < 0) {
            throw new BadInputException("--spare " + spare + " must be at least 0");
        }
        return spare;
    }

    int steps() {
        if (steps < 0) {
            throw new BadInputException("--steps " + steps + " must be at least 0");
        }
        return steps;
    }

    /** Job and server of the question. */
    String[] pair() {
        String text = whyNot == null ? "" : whyNot;
        int at = text.lastIndexOf(ON);
        if (at <= 0 || at + ON.length() >= text.length()) {
            throw new BadInputException("--why-not \"" + text + "\" must be \"JOB on SERVER\"");
        }
        return new String[] {
            text.substring(0, at).strip(), text.substring(at + ON.length()).strip()
        };
    }
}
