package dev.stowage.cli.run;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.cli.text.Version;
import dev.stowage.sim.result.ResultWriter;
import dev.stowage.study.planner.PlannerStudy;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Carries a study of planners out: rows, report, table. */
public final class PlanningRun {
    private final PlannerStudy study;
    private final ResultOptions options;
    private final Console console;

    public PlanningRun(PlannerStudy study, ResultOptions options, Console console) {
        this.study = study;
        this.options = options;
        this.console = console;
    }

    /** Runs it and shows the results. */
    void run() {
        new ResultsDisplay(measure(), console).show(options.format, options.wide, !options.noReport);
    }

    /** Runs it and returns the directory with the rows. */
    public Path measure() {
        refuse("--decisions", options.decisions);
        refuse("--record", options.record);
        ResultsDirectory directory = ResultsDirectory.create(options.out, options.overwrite, study.name());
        directory.writeExperiment(study.text());
        console.note(study.size() + ", into " + directory.path());
        StatusLine status = new StatusLine(console);
        try (ResultWriter writer = ResultWriter.open(directory.resultsFile())) {
            status.step("stowage: planning");
            study.measure(options.threads, Version.number(), writer::write);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInputException("interrupted", e);
        } finally {
            status.clear();
        }
        return directory.path();
    }

    private void refuse(String option, @Nullable Path file) {
        if (file != null) {
            throw new BadInputException(
                    option + " " + file + ": " + study.name() + " compares planners; there are no commands to record");
        }
    }
}
