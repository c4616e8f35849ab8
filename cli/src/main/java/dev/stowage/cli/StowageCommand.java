package dev.stowage.cli;

import dev.stowage.cli.answer.JsonOption;
import dev.stowage.cli.text.ColourMode;
import dev.stowage.cli.text.Failures;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.ProgramOptions;
import dev.stowage.cli.text.Terminal;
import dev.stowage.cli.text.Version;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The program. Exit codes: 0 ok, 1 the run failed, 2 bad usage or bad input, 3 no servers are enough, 130 interrupted.
 *
 * <p>Command classes use no classes of the simulator or the report in fields and signatures, so that a start loads only
 * what its command needs.
 */
@Command(
        name = "stowage",
        description = "Decides where VMs and jobs run, and compares policies on your own workload.",
        versionProvider = Version.class,
        commandListHeading = "",
        customSynopsis = "stowage COMMAND",
        footer = {
            "",
            "Each command: stowage COMMAND --help. All of its options: --help-all.",
            "Exit codes: 0 done, 1 failed, 2 bad input, 3 no place or too few servers."
        })
public final class StowageCommand implements Runnable, ProgramOptions {
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

    @Option(
            names = "--help-all",
            help = true,
            scope = ScopeType.INHERIT,
            description = "Show all options, including rarely needed ones.")
    private boolean allHelpAsked;

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
            description = "Color the output: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}, i.e. on a terminal"
                    + " unless NO_COLOR is set).")
    private ColourMode colour = ColourMode.AUTO;

    @Option(
            names = {"-q", "--quiet"},
            scope = ScopeType.INHERIT,
            description = "No progress and no notes, only warnings and errors.")
    private boolean quiet;

    private StowageCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Runs one command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        // Before anything is logged; the name alone, because the class itself would already start the JDK's own.
        System.setProperty("java.util.logging.manager", "dev.stowage.cli.log.LogsToTheEnd");
        // Picocli would look through every jar for a class of Groovy.
        System.setProperty("picocli.disable.closures", "true");
        // Pages keep numbers and units together by blanks that do not break; they are copied as such.
        String[] words = withoutHelpWord(
                Arrays.stream(args).map(word -> word.replace('\u00a0', ' ')).toArray(String[]::new));
        CommandLine commandLine = commandLine(Terminal.detect(), words);
        int code = commandLine.execute(words);
        // Writers do not throw, so failed output is checked at the end.
        if (commandLine.getOut().checkError() || System.out.checkError()) {
            System.err.println("stowage: standard output could not be written (is the disk full, or the pipe closed?)");
            code = Math.max(code, Failures.FAILED);
        }
        // Told to exit, a JVM from 21 on looks for a logger in every jar. It ends by itself when nothing else runs.
        if (code != 0 || othersRun()) {
            System.exit(code);
        }
    }

    private static boolean othersRun() {
        Thread[] threads = new Thread[Thread.activeCount() + 1];
        int count = Thread.enumerate(threads);
        return count == threads.length
                || Arrays.stream(threads, 0, count)
                        .anyMatch(thread -> thread != Thread.currentThread() && !thread.isDaemon());
    }

    /** {@code help size} as {@code size --help}. */
    static String[] withoutHelpWord(String... args) {
        if (args.length == 0 || !args[0].equals("help")) {
            return args;
        }
        String[] words = Arrays.copyOfRange(args, 1, args.length + 1);
        words[args.length - 1] = "--help";
        return words;
    }

    /**
     * The program for these arguments. If the first is a command, only that one is added, because most of a start is
     * reading the options of commands; the help of the program names all without their options; otherwise, and for the
     * command that describes all, all are added.
     */
    static CommandLine commandLine(Terminal terminal, String... arguments) {
        String word = arguments.length == 0 ? "--help" : arguments[0];
        StowageCommand program = new StowageCommand(terminal);
        CommandLine commandLine = new CommandLine(program);
        List<Class<?>> commands = CommandList.commands();
        List<Class<?>> named = commands.stream()
                .filter(command -> command != CompletionCommand.class)
                .filter(command -> command.getAnnotation(Command.class).name().equals(word))
                .toList();
        // The list of commands and the version need none of them.
        if (!List.of("--help", "-h", "--version", "-V").contains(word)) {
            (named.isEmpty() ? commands : named).forEach(commandLine::addSubcommand);
        }
        registerWords(commandLine, ColourMode.class);
        registerWords(commandLine, OutputFormat.class);
        registerWords(commandLine, JsonOption.Form.class);
        registerWords(commandLine, CompletionCommand.Shell.class);
        commandLine.setUsageHelpAutoWidth(false);
        commandLine.setUsageHelpWidth(Math.max(80, Math.min(120, terminal.width())));
        HelpText.use(commandLine, false);
        Map<String, IHelpSectionRenderer> sections = new HashMap<>(commandLine.getHelpSectionMap());
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> CommandList.text());
        CommandLine list = commandLine;
        list.getCommandSpec().usageMessage().sectionMap(sections);
        Failures failures = new Failures();
        commandLine.setExecutionExceptionHandler(failures);
        commandLine.setParameterExceptionHandler(failures);
        commandLine.setExecutionStrategy(parsed -> program.execute(commandLine, parsed));
        return commandLine;
    }

    /** Enum values in lower case, as messages and help show them. */
    private static <E extends Enum<E>> void registerWords(CommandLine commandLine, Class<E> words) {
        commandLine.registerConverter(words, text -> {
            for (E word : words.getEnumConstants()) {
                if (word.toString().equals(text.toLowerCase(Locale.ROOT))) {
                    return word;
                }
            }
            throw new TypeConversionException("'" + text + "' must be one of "
                    + Stream.of(words.getEnumConstants()).map(Object::toString).collect(Collectors.joining(", ")));
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
    public boolean quiet() {
        return quiet;
    }

    @Override
    public int carryOut(String... arguments) {
        return commandLine(terminal, arguments).execute(arguments);
    }

    private int execute(CommandLine commandLine, ParseResult parsed) {
        boolean coloured = colour.on(terminal.out(), terminal);
        commandLine.setColorScheme(Help.defaultColorScheme(coloured ? Ansi.ON : Ansi.OFF));
        CommandLine asked = last(parsed);
        List<String> unknown = asked.getParseResult().unmatched();
        if (!unknown.isEmpty() && !asked.getSubcommands().isEmpty()) {
            // Asked for help, the parser accepts any words.
            throw new UnmatchedArgumentException(asked, unknown);
        }
        if (allHelpAsked) {
            HelpText.use(asked, true);
            asked.usage(asked.getOut(), asked.getColorScheme());
            return 0;
        }
        // In a group of options the parser accepts a repeated one, and forgets the group's others.
        for (OptionSpec option : asked.getParseResult().matchedOptionsSet()) {
            if (!option.typeInfo().isMultiValue()
                    && option.originalStringValues().size() > 1) {
                throw new ParameterException(asked, option.longestName() + " may be given only once");
            }
        }
        try {
            return new RunLast().execute(parsed);
        } finally {
            asked.getOut().flush();
        }
    }

    private static CommandLine last(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        return last.commandSpec().commandLine();
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
