package dev.stowage.cli.size;

import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeTarget;
import java.util.List;

/** Finds out which question about an experiment's servers is asked, and answers it. */
final class SizeAsked {
    /** For what is there from the start, where nothing that comes later can make room. */
    private static final SizeTarget AT_ONCE = SizeTarget.parse("waited <= 0 %");

    /** Of the usual policies, the one that leaves least unused where nothing ends. */
    private static final String FOR_INVENTORIES = "best-fit:when-full=queue";

    private final Console console;
    private final SizeSettings settings;
    private final boolean namesPolicies;

    SizeAsked(Console console, SizeSettings settings, boolean namesPolicies) {
        this.console = console;
        this.settings = settings;
        this.namesPolicies = namesPolicies;
    }

    /** Answers; {@code usual} if nobody gave a target. */
    void show(ExperimentSource source, boolean usual) {
        ReadExperiment read = source.experiment(console);
        boolean table = settings.format() == OutputFormat.TABLE;
        read.notes().stream()
                .filter(note -> !table || !read.warnings().contains(note))
                .forEach(console::note);
        SizeQuestion asked = read.size();
        if (read.points().size() != 1 || asked == null) {
            throw new BadInputException("size needs a single point: leave out the sweep ("
                    + read.points().size() + " points)");
        }
        Experiment given = read.points().get(0);
        Experiment point = given.workload().isInventory() && !namesPolicies ? alone(given) : given;
        SizeQuestion question = (usual && point.workload().isInventory() ? asked.with(AT_ONCE) : asked)
                .among(point.workload().types());
        StatusLine progress = new StatusLine(console);
        if (settings.buy() != null) {
            new BuyOverview(console, progress, settings).show(source, point, question, read.warnings());
        } else if (settings.grow()) {
            new LoadOverview(console, progress, settings).show(settings.sampled(point), question, read.warnings());
        } else if (settings.growth() != null) {
            new GrowthOverview(console, progress, settings).show(settings.sampled(point), question, read.warnings());
        } else if (!settings.prices().isEmpty()) {
            new PriceOverview(console, progress, settings).show(point, question, read.warnings());
        } else {
            new SizeOverview(console, progress, settings).show(point, question, read.warnings());
        }
        if (table) {
            console.out().print(console.warnings(read.warnings()));
        }
        console.out().flush();
    }

    /** With the one policy for inventories, if that is among those of the experiment. */
    private static Experiment alone(Experiment point) {
        List<LabelledPolicy> one = point.policies().stream()
                .filter(policy -> policy.label().equals(FOR_INVENTORIES))
                .toList();
        return one.isEmpty() ? point : point.with(one, point.replications());
    }
}
