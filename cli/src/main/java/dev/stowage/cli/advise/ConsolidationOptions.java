package dev.stowage.cli.advise;

import dev.stowage.cli.answer.JsonOption;
import dev.stowage.cli.live.ClientOptions;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.study.advise.ConsolidationSettings;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether, and how fast, a plan is carried out. */
public final class ConsolidationOptions {
    @Option(
            names = "--carry-out",
            description = "Carry the plan out, checking each step again when it is made. Without this option only the"
                    + " plan is shown.")
    private boolean carryOut;

    @Option(
            names = "--move-every",
            paramLabel = "TIME",
            description = "Shortest time between two moves (default: ${DEFAULT-VALUE}).")
    private String moveEvery = "10 s";

    @Option(
            names = "--most",
            paramLabel = "N",
            description = "Empty at most this many servers (default: as many as possible).")
    private int most = Integer.MAX_VALUE;

    @Rare
    @Option(
            names = "--give-up-after",
            paramLabel = "TIME",
            description = "How long to retry a step that cannot be made. After that, what was to be emptied is opened"
                    + " again and a new plan is made (default: ${DEFAULT-VALUE}).")
    private String giveUpAfter = "60 s";

    @Option(
            names = "--keep-closed",
            description = "Keep emptied servers closed at the end, so that they can be switched off. Without this"
                    + " option they are opened again.")
    private boolean keepClosed;

    @Mixin
    private JsonOption json;

    @Rare
    @Option(
            names = "--steps",
            paramLabel = "N",
            description =
                    "Show at most this many steps of the plan as text (default: ${DEFAULT-VALUE}; JSON has them all).")
    private int steps = 20;

    /** Whether the plan is carried out. */
    public boolean carriesOut() {
        return carryOut;
    }

    /** Whether JSON is written: the plan as {@code stowage advise} writes it, or a line for each thing done. */
    public boolean json() {
        return json.asked();
    }

    int steps() {
        if (steps < 0) {
            throw new BadInputException("--steps " + steps + " must be at least 0");
        }
        return steps;
    }

    /**
     * As the options say.
     *
     * @param atOnce servers that are closed at one time
     * @param closesEmpty whether empty servers are closed meanwhile
     */
    public ConsolidationSettings settings(int atOnce, boolean closesEmpty) {
        if (most < 1) {
            throw new BadInputException("--most " + most + " must be at least 1");
        }
        return new ConsolidationSettings(
                ClientOptions.nanos("--move-every", moveEvery),
                ClientOptions.nanos("--give-up-after", giveUpAfter),
                atOnce,
                most,
                closesEmpty,
                keepClosed);
    }
}
