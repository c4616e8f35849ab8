package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.answer.FormatOption;
import dev.stowage.cli.answer.Remarks;
import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.experiment.ExperimentNames;
import dev.stowage.cli.experiment.ExperimentOptions;
import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.experiment.PipedFile;
import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.sim.result.Remark;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage size}: how many servers each policy needs, and the least for any policy. */
@Rare({"--trace", "--policy", "--replications", "--precision", "--confidence", "--seed", "--format"})
@Command(
        name = "size",
        description = "How many servers are needed, when, and which to buy, with a proven minimum for any policy.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage size rvtools.xlsx --spare 1 --growth \"30 %%\" --buy catalogue.csv",
            "  stowage size vms.csv --servers hosts.csv --overcommit \"cpu 4:1\"",
            "  stowage size jobs.csv --servers nodes.csv --target \"wait p99 <= 10 min\"",
            "  stowage size --trace requests.csv --servers \"48 cores, 128 GiB\" --policy first-fit,best-fit"
                    + " --target \"rejected <= 0.1 %%\" --resample 20",
            "  stowage size --trace requests.csv --servers \"48 cores, 128 GiB + 96 cores, 256 GiB\" --price 1,1.9",
            "  stowage size --trace requests.csv --servers \"1400 x 48 cores, 128 GiB\" --grow",
            "  stowage size rvtools.xlsx --buy \"64 cores, 1 TiB + 96 cores, 2 TiB\" --price 21000,39000 --growth \"30 %%\"",
            "  stowage size --from stowage-data --policy best-fit,bf-js",
            "  stowage size --trace requests.csv --servers \"1400 x 48 cores, 128 GiB\" --growth \"20 %%\" --until 3y"
        })
public final class SizeCommand extends PolicyCommand implements Runnable {
    @Parameters(
            arity = "0..1",
            paramLabel = "EXPERIMENT",
            completionCandidates = ExperimentNames.class,
            description = "A YAML file, a table of what runs or of requests (as --trace), or a built-in experiment.")
    private @Nullable String experiment;

    @Option(
            names = "--target",
            order = 5,
            paramLabel = "TARGET",
            description = "What must hold, e.g. \"wait p99 <= 10 min\" (docs/sizing.md). Repeatable. Default: the"
                    + " experiment's, else \"wait max <= 10 min\"; for what runs now all of it.")
    private List<String> targets = List.of();

    @Rare
    @Option(
            names = "--site",
            paramLabel = "SITE",
            description = "Only this site's servers are counted; the others stay as they are.")
    private @Nullable String site;

    @Rare
    @Option(
            names = "--maintenance",
            paramLabel = "PART",
            description = "Drain the servers in parts of this fraction, one part after the other: \"5 %% for 2 h\".")
    private @Nullable String maintenance;

    @Option(
            names = "--by-cluster",
            order = 4,
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "COLUMN",
            description = "Answer for each cluster alone: COLUMN of both lists says which a row is in (default:"
                    + " recognized).")
    private @Nullable String byCluster;

    @Mixin
    private SizeSettings.Options asked = new SizeSettings.Options();

    @Mixin
    private ReportOption report = new ReportOption();

    /** Not an argument group: picocli's annotation processor accepts a class as the group of one command only. */
    @Mixin
    private ExperimentOptions options = new ExperimentOptions();

    @Mixin
    private FormatOption format = new FormatOption();

    @Override
    public void run() {
        asked.buy = asked.buy == null ? null : PipedFile.of(asked.buy);
        asked.check(options.servers());
        SizeSettings settings = new SizeSettings(asked, report, format.format(), Set.of(), options::asType);
        Console console = console();
        ExperimentSource source = options.sizeSource(experiment, targets, question(), asked.buy);
        if (asked.grow && options.namesKindsAlone()) {
            throw new BadInputException(
                    "--grow asks how much load the servers support: give their number, as in --servers" + " \"3 x "
                            + options.servers() + "\"");
        }
        StatusLine progress = new StatusLine(console);
        if (byCluster != null) {
            SizeSettings.require(
                    asked.certificate == null && asked.picture == null && (asked.prices.isEmpty() || asked.buy != null),
                    "--by-cluster",
                    "cannot be combined with --certificate, --picture, or --price without --buy");
            new SizeByCluster(console, progress, settings, options.namesPolicies(), options.namesKindsAlone())
                    .show(options.clusters(source, byCluster), options.isTargetUsual());
            return;
        }
        List<Remark> notes = new ArrayList<>();
        try {
            new SizeAsked(console, progress, settings, options.namesPolicies(), options.namesKindsAlone())
                    .show(source, source.experiment(console), options.isTargetUsual(), new AnswerParts(console), notes);
        } finally {
            Remarks.print(console, notes, report.asked());
        }
    }

    private List<String> question() {
        List<String> question = new ArrayList<>();
        if (site != null) {
            question.add("size.site=" + site);
        }
        if (maintenance != null) {
            question.addAll(SizeSettings.maintenance(maintenance));
        }
        return question;
    }
}
