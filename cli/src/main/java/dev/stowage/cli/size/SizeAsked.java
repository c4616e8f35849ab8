package dev.stowage.cli.size;

import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeTarget;

/** Finds out which question about an experiment's servers is asked, and answers it. */
final class SizeAsked {
    /** For what is there from the start, where nothing that comes later can make room. */
    private static final SizeTarget AT_ONCE = SizeTarget.parse("waited <= 0 %");

    private final Console console;
    private final SizeSettings settings;

    SizeAsked(Console console, SizeSettings settings) {
        this.console = console;
        this.settings = settings;
    }

    /** Answers; {@code usual} if nobody gave a target. */
    void show(ExperimentSource source, boolean usual) {
        ReadExperiment read = source.experiment();
        read.notes().forEach(console::note);
        SizeQuestion asked = read.size();
        if (read.points().size() != 1 || asked == null) {
            throw new BadInputException("size answers for one point: leave the sweep out ("
                    + read.points().size() + " points)");
        }
        Experiment point = read.points().get(0);
        SizeQuestion question = (usual && point.workload().isInventory() ? asked.with(AT_ONCE) : asked)
                .among(point.workload().types());
        StatusLine progress = new StatusLine(console);
        if (settings.grow()) {
            new LoadOverview(console, progress, settings).show(settings.sampled(point), question);
        } else if (settings.growth() != null) {
            new GrowthOverview(console, progress, settings).show(settings.sampled(point), question);
        } else if (!settings.prices().isEmpty()) {
            new PriceOverview(console, progress, settings).show(point, question);
        } else {
            new SizeOverview(console, progress, settings).show(point, question);
        }
        console.out().flush();
    }
}
