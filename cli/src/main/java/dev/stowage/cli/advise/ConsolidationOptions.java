package dev.stowage.cli.advise;

import dev.stowage.cli.live.ClientOptions;
import dev.stowage.cli.live.JsonOption;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.study.advise.ConsolidationSettings;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether, and how fast, a plan is carried out. */
public final class ConsolidationOptions {
    @Option(
            names = "--carry-out",
            description = "Carry the plan out, and look at each step again when it is made. Without this nothing is"
                    + " changed: the plan is shown.")
    private boolean carryOut;

    @Option(
            names = "--move-every",
            paramLabel = "TIME",
            description = "Time from one move to the next, at least (default: ${DEFAULT-VALUE}).")
    private String moveEvery = "10 s";

    @Option(names = "--most", paramLabel = "N", description = "Empty so many and no more (default: as many as can be).")
    private int most = Integer.MAX_VALUE;

    @Rare
    @Option(
            names = "--give-up-after",
            paramLabel = "TIME",
            description = "How long a step is tried that cannot be made, before what was to be emptied is opened again"
                    + " and the plan made anew (default: ${DEFAULT-VALUE}).")
    private String giveUpAfter = "60 s";

    @Rare
    @Option(
            names = "--keep-closed",
            description = "What was emptied takes nothing when the command has ended, so that it can be switched off;"
                    + " without this it is opened again.")
    private boolean keepClosed;

    @Mixin
    private JsonOption json;

    @Rare
    @Option(
            names = "--steps",
            paramLabel = "N",
            description = "Show so many steps of the plan as text (default: ${DEFAULT-VALUE}; JSON has them all).")
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
