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
import java.nio.file.Files;
import java.nio.file.Path;
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

    @Rare
    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "For generated requests: maximum number of runs per number of servers, to show whether it"
                    + " meets the target in the mean; 0: do not show it (default: ${DEFAULT-VALUE}).")
    private int runs = 20;

    @Rare
    @Option(
            names = "--resample",
            paramLabel = "N",
            description =
                    "Treat the trace as one sample: also answer for N traces made of randomly drawn blocks of it.")
    private int resample;

    @Rare
    @Option(
            names = "--block",
            paramLabel = "TIME",
            description = "Length of a block of --resample (default: a day, or an eighth of a trace below four days).")
    private @Nullable String block;

    @Rare
    @Option(
            names = "--grow",
            description = "Answer how much load the servers support, instead of how many servers the load needs.")
    private boolean grow;

    @Option(
            names = "--growth",
            order = 1,
            paramLabel = "PART",
            description =
                    "Show servers by quarter while load grows: \"20 %%\" a year, \"2 %% / month\", \"20 %%, databases 50 %%\".")
    private @Nullable String growth;

    @Option(
            names = "--until",
            order = 2,
            paramLabel = "TIME",
            description = "End of --growth, e.g. 5y or 18m (default: 3y).")
    private @Nullable String until;

    @Rare
    @Option(
            names = "--price",
            paramLabel = "P,...",
            split = ",",
            hideParamSyntax = true,
            description =
                    "Find the cheapest mix of kinds: a price for each kind of server, in order. With --buy: the prices"
                            + " of the kinds on offer. Kinds in a file have theirs in its column price.")
    private List<String> prices = List.of();

    @Option(
            names = "--buy",
            order = 3,
            paramLabel = "SERVERS",
            description =
                    "Choose which of these servers to buy in addition to the present ones: kinds, as in --servers, or a"
                            + " file with name, cores, memory and price of each.")
    private @Nullable String buy;

    @Option(
            names = "--by-cluster",
            order = 4,
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "COLUMN",
            description = "Answer for each cluster alone: COLUMN of both lists says which a row is in (default:"
                    + " recognized).")
    private @Nullable String byCluster;

    @Rare
    @Option(
            names = "--explain",
            description = "Show why one server less is not enough: the minutes in which requests that miss the target"
                    + " arrive or, for an inventory, what would not run.")
    private boolean explain;

    @Rare
    @Option(
            names = "--picture",
            paramLabel = "FILE.svg",
            converter = ReportOption.SvgFile.class,
            description = "Draw what each policy achieves against the number of servers.")
    private @Nullable String picture;

    @Mixin
    private ReportOption report = new ReportOption();

    @Rare
    @Option(
            names = "--certificate",
            paramLabel = "FILE.json",
            description = "Write a certificate of the bound, for another program to check (docs/sizing.md). Generated"
                    + " requests are written beside it as FILE.csv.")
    private @Nullable String certificate;

    /** Not an argument group: picocli's annotation processor accepts a class as the group of one command only. */
    @Mixin
    private ExperimentOptions options = new ExperimentOptions();

    @Mixin
    private FormatOption format = new FormatOption();

    /** The order of kinds is that of the words; of a file it is another. */
    private void checkPrices() {
        String kinds = buy == null ? options.servers() : buy;
        if (prices.size() > 1 && kinds != null && Files.exists(Path.of(kinds))) {
            throw new BadInputException("--price goes with kinds in words, such as \"32 cores, 256 GiB + 64 cores, 512"
                    + " GiB\". "
                    + (buy == null
                            ? "For those of " + kinds + ", write them so, or ask with --buy " + kinds
                                    + ", which takes the prices of its column price"
                            : "Those of " + kinds + " have their prices in its column price"));
        }
    }

    @Override
    public void run() {
        buy = buy == null ? null : PipedFile.of(buy);
        SizeSettings settings = new SizeSettings(
                runs,
                resample,
                block,
                grow,
                growth,
                until,
                prices,
                buy,
                explain,
                picture,
                report,
                certificate,
                format.format(),
                Set.of(),
                options::asType);
        Console console = console();
        settings.check();
        checkPrices();
        ExperimentSource source = options.sizeSource(experiment, targets, question(), buy, console::note);
        if (grow && options.namesKindsAlone()) {
            throw new BadInputException(
                    "--grow asks how much load the servers support: give their number, as in --servers" + " \"3 x "
                            + options.servers() + "\"");
        }
        StatusLine progress = new StatusLine(console);
        if (byCluster != null) {
            SizeSettings.require(
                    certificate == null && picture == null && (prices.isEmpty() || buy != null),
                    "--by-cluster",
                    "cannot be combined with --certificate, --picture, or --price without --buy");
            new SizeByCluster(console, progress, settings, options.namesPolicies(), options.namesKindsAlone())
                    .show(options.clusters(source, byCluster), options.isTargetUsual());
            return;
        }
        List<String> notes = new ArrayList<>();
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
