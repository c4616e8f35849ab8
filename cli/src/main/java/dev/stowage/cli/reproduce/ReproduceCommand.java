package dev.stowage.cli.reproduce;

import dev.stowage.cli.experiment.ThreadsOption;
import dev.stowage.cli.run.ResultOptions;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ConsoleCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage reproduce}: reproduces figures of papers. */
@Command(
        name = "reproduce",
        description = "Run the experiments of a paper and compare the results with its claims.",
        footer = {
            "",
            "Examples:",
            "  stowage reproduce                       lists papers and figures",
            "  stowage reproduce randomized fig1",
            "  stowage reproduce bestfit --traces traces/",
            "  stowage reproduce bestfit fig4a --policy vqs",
            "  stowage reproduce fgd default           published runs, request list default",
            "",
            "Writes a page with pictures, tables, claims and verdicts, and beside it the rows and reports."
        })
public final class ReproduceCommand extends ConsoleCommand implements Runnable {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PAPER",
            description = "The paper: randomized, bestfit, shadow, reservation, parallel, fgd. Without it: list all"
                    + " figures.")
    private String paper = "";

    @Parameters(
            index = "1..*",
            paramLabel = "FIGURE",
            description = "Figures, e.g. fig1; for fgd, lists of requests, e.g. default. Without any: all.")
    private List<String> figures = List.of();

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = "Directory for pages, rows and reports; what is run again is replaced, and the page of a"
                    + " paper shows also what was run before (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("results", "reproduce");

    @Option(
            names = "--traces",
            paramLabel = "DIR",
            description = "Directory with the traces that some figures need (default: ${DEFAULT-VALUE}); where a trace"
                    + " is missing, its figure is skipped (exit code 2 if the figure was named, or nothing was run).")
    private Path traces = Path.of("traces");

    @Option(
            names = "--policy",
            paramLabel = "NAME,...",
            split = ",",
            hideParamSyntax = true,
            description = "Run only these policies of each figure, by key or by the label in its experiment; the figure"
                    + " is not judged then. Page and rows go to a directory of their own in DIR, named after the"
                    + " policies.")
    private List<String> policies = List.of();

    @Option(
            names = "--quick",
            description = "Run few requests, without verdicts. Page and rows go to a directory of their own in"
                    + " DIR, named quick.")
    private boolean quick;

    @Option(
            names = "--reuse",
            description = "Judge the rows that an earlier call left in DIR, and run only what is missing.")
    private boolean reuse;

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Override
    public void run() {
        ResultOptions options = new ResultOptions();
        options.overwrite = true;
        options.threads = threads.threads();
        options.check();
        List<String> some = policies.stream().map(String::strip).toList();
        // What a whole figure left is not replaced by a part of it.
        String part = Stream.concat(some.stream(), quick ? Stream.of("quick") : Stream.empty())
                .collect(Collectors.joining("+"));
        Path directory = part.isEmpty() ? out : out.resolve(part.replaceAll("[^\\w.+-]+", "-"));
        if (paper.equals(GpuReproduction.KEY)) {
            if (!policies.isEmpty()) {
                throw new BadInputException("--policy: the table of fgd compares all its policies; leave it out");
            }
            new GpuReproduction(traces, directory, quick, options.threads, console()).run(figures);
            return;
        }
        Reproduction reproduction = new Reproduction(options, directory, traces, quick, some, reuse, console());
        if (paper.isEmpty()) {
            if (!some.isEmpty()) {
                throw new BadInputException(
                        "--policy: name the paper, too: stowage reproduce PAPER --policy " + String.join(",", some));
            }
            reproduction.list();
        } else {
            reproduction.run(paper, figures);
        }
    }
}
