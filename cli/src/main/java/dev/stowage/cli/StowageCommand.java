package dev.stowage.cli;

import dev.stowage.cli.advise.AdviseCommand;
import dev.stowage.cli.advise.ConsolidateCommand;
import dev.stowage.cli.bound.BoundCommand;
import dev.stowage.cli.experiment.ExperimentsCommand;
import dev.stowage.cli.experiment.ValidateCommand;
import dev.stowage.cli.kube.KubeCommand;
import dev.stowage.cli.live.AdoptCommand;
import dev.stowage.cli.live.AgentCommand;
import dev.stowage.cli.live.ConfirmCommand;
import dev.stowage.cli.live.EvictCommand;
import dev.stowage.cli.live.ExplainCommand;
import dev.stowage.cli.live.GetCommand;
import dev.stowage.cli.live.ReleaseCommand;
import dev.stowage.cli.live.ServersCommand;
import dev.stowage.cli.live.StatusCommand;
import dev.stowage.cli.live.SubmitCommand;
import dev.stowage.cli.live.WatchCommand;
import dev.stowage.cli.load.LoadCommand;
import dev.stowage.cli.newpolicy.NewCommand;
import dev.stowage.cli.openstack.OpenStackCommand;
import dev.stowage.cli.plan.PlanCommand;
import dev.stowage.cli.policies.PoliciesCommand;
import dev.stowage.cli.recommend.RecommendCommand;
import dev.stowage.cli.replay.ReplayCommand;
import dev.stowage.cli.report.ReportCommand;
import dev.stowage.cli.reproduce.ReproduceCommand;
import dev.stowage.cli.run.MergeCommand;
import dev.stowage.cli.run.RunCommand;
import dev.stowage.cli.salvage.BackupCommand;
import dev.stowage.cli.salvage.RestoreCommand;
import dev.stowage.cli.salvage.SalvageCommand;
import dev.stowage.cli.serve.MembersCommand;
import dev.stowage.cli.serve.ServeCommand;
import dev.stowage.cli.serve.TokenCommand;
import dev.stowage.cli.size.SizeCommand;
import dev.stowage.cli.text.ColourMode;
import dev.stowage.cli.text.Failures;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.ProgramOptions;
import dev.stowage.cli.text.Terminal;
import dev.stowage.cli.text.Version;
import dev.stowage.cli.trace.TraceCommand;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The program. Exit codes: 0 ok, 1 the run failed, 2 bad usage or bad input, 130 interrupted.
 *
 * <p>Command classes use no classes of the simulator or the report in fields and signatures, so that a start loads only
 * what its command needs.
 */
@Command(
        name = "stowage",
        description = "Decides where VMs and jobs run, and shows what each policy would do with your workload.",
        versionProvider = Version.class,
        commandListHeading = "%nCommands:%n",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Start with:",
            "  stowage run                        an experiment that needs no file",
            "  stowage size                       how many servers each policy needs for it",
            "  stowage run --trace requests.csv --servers \"1400 x 48 cores, 128 GiB\"",
            "  stowage run --help"
        })
public final class StowageCommand implements Runnable, ProgramOptions {
    /** In the order of the help. */
    private static final List<Class<?>> COMMANDS = List.of(
            RunCommand.class,
            MergeCommand.class,
            ExperimentsCommand.class,
            SizeCommand.class,
            RecommendCommand.class,
            ValidateCommand.class,
            BoundCommand.class,
            PlanCommand.class,
            AdviseCommand.class,
            PoliciesCommand.class,
            NewCommand.class,
            TraceCommand.class,
            ReplayCommand.class,
            ReportCommand.class,
            ReproduceCommand.class,
            ServeCommand.class,
            SubmitCommand.class,
            ReleaseCommand.class,
            AdoptCommand.class,
            ConfirmCommand.class,
            EvictCommand.class,
            GetCommand.class,
            WatchCommand.class,
            ExplainCommand.class,
            ServersCommand.class,
            ConsolidateCommand.class,
            AgentCommand.class,
            MembersCommand.class,
            StatusCommand.class,
            LoadCommand.class,
            KubeCommand.class,
            OpenStackCommand.class,
            TokenCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            SalvageCommand.class,
            CompletionCommand.class,
            VersionCommand.class);

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    // Picocli itself handles these two.
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    private boolean helpAsked;

    @SuppressWarnings("UnusedVariable")
    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version and exit.")
    private boolean versionAsked;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            scope = ScopeType.INHERIT,
            description = "Colours: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}: on a terminal, unless NO_COLOR"
                    + " is set).")
    private ColourMode colour = ColourMode.AUTO;

    private StowageCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Runs one command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        CommandLine commandLine = commandLine(Terminal.detect(), args);
        int code = commandLine.execute(args);
        // Writers do not throw, so failed output is checked at the end.
        if (commandLine.getOut().checkError() || System.out.checkError()) {
            System.err.println("stowage: standard output could not be written (is the disk full, or its reader gone?)");
            code = Math.max(code, Failures.FAILED);
        }
        System.exit(code);
    }

    /**
     * The program for these arguments. If the first is a command, only that one is added, because most of a start is
     * reading the options of commands; the help of the program names all without their options; otherwise, and for the
     * command that describes all, all are added.
     */
    static CommandLine commandLine(Terminal terminal, String... arguments) {
        String word = arguments.length == 0 ? "" : arguments[0];
        StowageCommand program = new StowageCommand(terminal);
        CommandLine commandLine = new CommandLine(program);
        List<Class<?>> named = COMMANDS.stream()
                .filter(command -> command != CompletionCommand.class)
                .filter(command -> command.getAnnotation(Command.class).name().equals(word))
                .toList();
        if (List.of(List.of("--help"), List.of("-h")).contains(List.of(arguments))) {
            COMMANDS.forEach(command -> commandLine.addSubcommand(onlyNamed(command)));
        } else {
            (named.isEmpty() ? COMMANDS : named).forEach(commandLine::addSubcommand);
        }
        registerWords(commandLine, ColourMode.class);
        registerWords(commandLine, OutputFormat.class);
        registerWords(commandLine, CompletionCommand.Shell.class);
        commandLine.setUsageHelpAutoWidth(false);
        commandLine.setUsageHelpWidth(Math.max(80, Math.min(120, terminal.width())));
        Failures failures = new Failures();
        commandLine.setExecutionExceptionHandler(failures);
        commandLine.setParameterExceptionHandler(failures);
        commandLine.setExecutionStrategy(parsed -> program.execute(commandLine, parsed));
        return commandLine;
    }

    /** What the list of commands says of one. */
    private static CommandSpec onlyNamed(Class<?> command) {
        Command its = command.getAnnotation(Command.class);
        CommandSpec spec = CommandSpec.create().name(its.name());
        spec.usageMessage().description(its.description()).hidden(its.hidden());
        return spec;
    }

    /** Enum values in lower case, as messages and help show them. */
    private static <E extends Enum<E>> void registerWords(CommandLine commandLine, Class<E> words) {
        commandLine.registerConverter(words, text -> {
            for (E word : words.getEnumConstants()) {
                if (word.toString().equals(text.toLowerCase(Locale.ROOT))) {
                    return word;
                }
            }
            throw new TypeConversionException("'" + text + "' is not one of " + List.of(words.getEnumConstants()));
        });
    }

    @Override
    public Terminal terminal() {
        return terminal;
    }

    @Override
    public ColourMode colour() {
        return colour;
    }

    @Override
    public int carryOut(String... arguments) {
        return commandLine(terminal, arguments).execute(arguments);
    }

    private int execute(CommandLine commandLine, ParseResult parsed) {
        boolean coloured = colour.on(terminal.out(), terminal);
        commandLine.setColorScheme(Help.defaultColorScheme(coloured ? Ansi.ON : Ansi.OFF));
        return new RunLast().execute(parsed);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say which command to run.");
    }
}
