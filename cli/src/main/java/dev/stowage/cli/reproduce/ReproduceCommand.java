package dev.stowage.cli.reproduce;

import dev.stowage.cli.experiment.ThreadsOption;
import dev.stowage.cli.run.ResultOptions;
import dev.stowage.cli.text.ConsoleCommand;
import java.nio.file.Path;
import java.util.List;
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
            "  stowage reproduce                       what there is",
            "  stowage reproduce randomized fig1",
            "  stowage reproduce bestfit --traces traces/",
            "  stowage reproduce fgd default           openb's GPUs, a list's published runs",
            "",
            "Writes a page with pictures, tables, claims and verdicts, and beside it the rows and reports."
        })
public final class ReproduceCommand extends ConsoleCommand implements Runnable {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PAPER",
            description = "randomized, bestfit, shadow, reservation, parallel, fgd. Without it: a list of all figures.")
    private String paper = "";

    @Parameters(
            index = "1..*",
            paramLabel = "FIGURE",
            description = "Figures, e.g. fig1; with fgd lists of requests, e.g. default. Without any: all.")
    private List<String> figures = List.of();

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = "Where pages, rows and reports go; replaces what an earlier call wrote"
                    + " (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("results", "reproduce");

    @Option(
            names = "--traces",
            paramLabel = "DIR",
            description = "Folder with the traces that some figures need (default: ${DEFAULT-VALUE}); where a trace is"
                    + " missing, its figure is skipped.")
    private Path traces = Path.of("..", "shared", "data");

    @Option(names = "--quick", description = "A short look: few requests, no verdicts.")
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
        if (paper.equals(GpuReproduction.KEY)) {
            new GpuReproduction(traces, out, quick, options.threads, console()).run(figures);
            return;
        }
        Reproduction reproduction = new Reproduction(options, out, traces, quick, reuse, console());
        if (paper.isEmpty()) {
            reproduction.list();
        } else {
            reproduction.run(paper, figures);
        }
    }
}
