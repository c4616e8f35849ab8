package dev.stowage.cli.plan;

import dev.stowage.cli.answer.FormatOption;
import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.ProgramOptions.Rare;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage plan}: where the tasks of one job run, and how much each gets. */
@Command(
        name = "plan",
        description =
                "Plan one job of many tasks: assign each task a server and an amount of the resource, so that the job"
                        + " completes as early as possible within the limits and an energy budget.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "JOB:     CSV with load_s; optional: task, power, efficiencies in columns named after servers or classes.",
            "SERVERS: CSV with server, capacity; optional: rack, pod, class.",
            "",
            "Example:",
            "  stowage plan job.csv servers.csv --rack 0.3 --energy-budget 5000 --picture plan.svg",
            "  stowage plan --paper 100x8 --planner tapra-fast"
        })
public final class PlanCommand extends ConsoleCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "JOB", description = "The tasks.")
    private @Nullable Path job;

    @Parameters(index = "1", arity = "0..1", paramLabel = "SERVERS", description = "The servers.")
    private @Nullable Path servers;

    @Rare
    @Option(
            names = "--planner",
            paramLabel = "KEY",
            description = "tapra, tapra-fast, thrifty, priced-search, thrifty-search, min-min, mm-ga, gsa (default:"
                    + " ${DEFAULT-VALUE}).")
    private String planner = "tapra";

    @Rare
    @Option(
            names = "--allocation",
            paramLabel = "KEY",
            description = "Divide the resource by: equation-16 (of the paper), shared-out, equal-share (default:"
                    + " ${DEFAULT-VALUE}).")
    private String allocation = "equation-16";

    @Option(
            names = "--energy-budget",
            paramLabel = "E",
            description = "Energy budget, in power times seconds (default: none).")
    private @Nullable Double energyBudget;

    @Option(
            names = "--center",
            paramLabel = "PART",
            description = "Fraction of all capacity that the job may use, e.g. 0.2.")
    private @Nullable Double center;

    @Option(names = "--pod", paramLabel = "PART", description = "Fraction of each pod's capacity that the job may use.")
    private @Nullable Double pod;

    @Option(
            names = "--rack",
            paramLabel = "PART",
            description = "Fraction of each rack's capacity that the job may use.")
    private @Nullable Double rack;

    @Option(
            names = "--fat-tree",
            paramLabel = "ARITY",
            description = "Take racks and pods from a fat tree with SERVERS in its order, not from columns.")
    private @Nullable Integer fatTree;

    @Option(
            names = "--limits",
            paramLabel = "FILE",
            description = "More limits: CSV with row, limit, server; optional: coefficient (default 1).")
    private @Nullable Path limits;

    @Rare
    @Option(
            names = "--no-server-rows",
            description = "Ignore the capacity of single servers, as in the paper's own set-up.")
    private boolean noServerRows;

    @Rare
    @Option(
            names = "--paper",
            paramLabel = "TASKSxARITY",
            description = "Instead of files: a random job and fat tree as in the paper's evaluation.")
    private @Nullable String paper;

    @Rare
    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "Seed for --paper and for planners that use random numbers: mm-ga, gsa, priced-search, thrifty,"
                            + " thrifty-search (default: 1).")
    private @Nullable Long seed;

    @Rare
    @Option(names = "--no-bound", description = "Do not compute the lower bound.")
    private boolean noBound;

    @Rare
    @Option(
            names = "--whole-task-bound",
            description = "Also compute a bound for tasks that are not divided; it solves some more linear programs.")
    private boolean wholeTaskBound;

    @Option(
            names = "--energy-picture",
            paramLabel = "FILE",
            description = "Draw completion time against the energy budget, with the lower bound, as SVG.")
    private @Nullable Path energyPicture;

    @Option(
            names = "--picture",
            paramLabel = "FILE",
            description = "Draw when tasks run, and the shares of servers, as SVG.")
    private @Nullable Path picture;

    @Mixin
    private ReportOption report = new ReportOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Override
    public Integer call() {
        if (paper != null) {
            refuseBesidePaper();
        }
        if (paper == null && seed != null && !PlanRun.draws(planner)) {
            throw new BadInputException(
                    "--seed " + seed + ": planner " + planner + " uses no random numbers; leave it out");
        }
        long drawn = seed == null ? 1 : seed;
        PlanInput input = paper != null
                ? PlanInput.ofPaper(paper, drawn, !noServerRows)
                : PlanInput.read(
                        job,
                        servers,
                        new PlanInput.LimitSources(center, pod, rack, fatTree, limits, !noServerRows),
                        energyBudget == null ? Double.POSITIVE_INFINITY : energyBudget);
        if (noBound && wholeTaskBound) {
            throw new BadInputException("--no-bound and --whole-task-bound: leave out one");
        }
        PlanRun run = new PlanRun(input, console(), noBound, wholeTaskBound, report);
        return run.show(planner, allocation, drawn, format.format(), new PlanRun.Pictures(picture, energyPicture));
    }

    /** Refuses options for what --paper draws itself. */
    private void refuseBesidePaper() {
        if (job != null) {
            throw new BadInputException("--paper generates job and servers; leave out " + job + ", or --paper");
        }
        Map<String, Optional<?>> drawn = new LinkedHashMap<>();
        drawn.put("--energy-budget", Optional.ofNullable(energyBudget));
        drawn.put("--center", Optional.ofNullable(center));
        drawn.put("--pod", Optional.ofNullable(pod));
        drawn.put("--rack", Optional.ofNullable(rack));
        drawn.put("--fat-tree", Optional.ofNullable(fatTree));
        drawn.put("--limits", Optional.ofNullable(limits));
        drawn.forEach((option, value) -> {
            if (value.isPresent()) {
                throw new BadInputException("--paper generates servers, limits and budget; leave out " + option + " "
                        + value.get() + ", or --paper");
            }
        });
    }
}
