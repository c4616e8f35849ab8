package dev.stowage.cli.text;

import dev.stowage.core.model.Spelling;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.report.ResultsException;
import dev.stowage.sim.driver.RecordingException;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.RunFailedException;
import dev.stowage.sim.remote.MachinesException;
import dev.stowage.sim.remote.MachinesRefusedException;
import dev.stowage.sim.trace.MissingFile;
import dev.stowage.sim.trace.TraceException;
import dev.stowage.sim.unit.UnitException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.MutuallyExclusiveArgsException;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns an exception into one message and an exit code. {@code STOWAGE_DEBUG=1} adds the stack trace. */
public final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
    /** The run failed, or there is a bug. */
    public static final int FAILED = 1;
    /** Bad usage or bad input. */
    public static final int BAD_INPUT = 2;
    /** A request fits no server, or no number of servers meets the target. */
    public static final int NOT_ENOUGH = 3;

    /** The option or the parameter, and what is wrong with its value. */
    private static final Pattern VALUE = Pattern.compile(
            "Invalid value for (?:option '([^' ]+)'[^:]*|positional parameter at index \\S+ \\(([^)]*)\\)): (.*)");

    /** Options that other programs have, and what they are here. */
    private static final Map<String, String> ELSEWHERE = Map.ofEntries(
            Map.entry("--hosts", "--servers"),
            Map.entry("--nodes", "--servers"),
            Map.entry("--machines", "--servers"),
            Map.entry("--host-list", "--servers"),
            Map.entry("--vms", "--trace"),
            Map.entry("--input", "--trace"),
            Map.entry("--file", "--trace"),
            Map.entry("--output", "--out"),
            Map.entry("--out", "--report"),
            Map.entry("--json", "--format"),
            Map.entry("--csv", "--format"),
            Map.entry("--html", "--report"),
            Map.entry("--jobs", "--threads"),
            Map.entry("--policies", "--policy"),
            Map.entry("--scheduler", "--policy"),
            Map.entry("--url", "--at"),
            Map.entry("--server", "--at"),
            Map.entry("--cpu", "--demand"),
            Map.entry("--memory", "--demand"));

    /** An option, and another one where its value should be. */
    private static final Pattern NEXT = Pattern.compile("Expected parameter for option '([^']+)' but found '.*'");

    private static final Pattern QUOTED = Pattern.compile("'([^']+)'");

    private static final List<Class<? extends Exception>> INPUT = List.of(
            BadInputException.class,
            ExperimentException.class,
            TraceException.class,
            ResultsException.class,
            RecordingException.class,
            UnitException.class,
            MachinesRefusedException.class);
    private static final List<Class<? extends Exception>> FAILURES = List.of(
            RunFailedException.class, CallFailedException.class, MachinesException.class, UncheckedIOException.class);

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        boolean input = INPUT.stream().anyMatch(kind -> kind.isInstance(failure));
        boolean notEnough = failure instanceof NotEnoughException;
        boolean expected = input || notEnough || FAILURES.stream().anyMatch(kind -> kind.isInstance(failure));
        say(command, expected ? String.valueOf(failure.getMessage()) : unexpected(failure));
        if (debug()) {
            failure.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return input ? BAD_INPUT : notEnough ? NOT_ENOUGH : FAILED;
    }

    @Override
    public int handleParseException(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        // What is missing may be the value of an option that there is not.
        List<String> options = command.getUnmatchedArguments().stream()
                .filter(argument -> argument.startsWith("-"))
                .toList();
        say(
                command,
                failure instanceof UnmatchedArgumentException unknown
                        ? unknown(unknown)
                        : failure instanceof MissingParameterException && !options.isEmpty()
                                ? unknown(new UnmatchedArgumentException(command, options))
                                : message(failure));
        command.getErr().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        if (debug()) {
            failure.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return BAD_INPUT;
    }

    /** Picocli's message in the words of the others. */
    private static String message(ParameterException failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof MissingParameterException missing && message.startsWith("Missing required")) {
            return message.startsWith("Missing required parameter for option")
                            && missing.getMissing().get(0) instanceof OptionSpec option
                    ? option.longestName() + " needs a value: " + option.paramLabel()
                    : name(failure.getCommandLine().getCommandSpec()) + " needs "
                            + QUOTED.matcher(message)
                                    .results()
                                    .map(one -> one.group(1).replaceFirst("^(-[^=]*)=", "$1 "))
                                    .collect(Collectors.joining(" and "));
        }
        if (failure instanceof OverwrittenOptionException twice
                && twice.getOverwritten() instanceof OptionSpec option) {
            return option.longestName() + " may be given only once";
        }
        if (failure instanceof MutuallyExclusiveArgsException) {
            return exclusive(failure.getCommandLine().getCommandSpec(), message);
        }
        Matcher next = NEXT.matcher(message);
        OptionSpec without =
                next.matches() ? failure.getCommandLine().getCommandSpec().findOption(next.group(1)) : null;
        if (without != null) {
            return without.longestName() + " needs a value: " + without.paramLabel();
        }
        Matcher value = VALUE.matcher(message);
        if (!value.matches()) {
            return message;
        }
        return value.group(value.group(1) == null ? 2 : 1) + " "
                + value.group(3)
                        .replaceFirst("is not an? (int|long)$", "must be a whole number")
                        .replaceFirst("is not an? (double|float)$", "must be a number");
    }

    /** Which options exclude each other: all of the group that has the first of a message. */
    private static String exclusive(CommandSpec command, String message) {
        List<String> all = command.argGroups().stream()
                .map(group ->
                        group.options().stream().map(OptionSpec::longestName).toList())
                .filter(names -> names.stream().anyMatch(name -> message.contains(name)))
                .findFirst()
                .orElse(List.of());
        return all.size() < 2
                ? message
                : "give only one of " + String.join(", ", all.subList(0, all.size() - 1)) + " and "
                        + all.get(all.size() - 1);
    }

    /** The command as it is typed after the program's name. */
    private static String name(CommandSpec command) {
        return command.qualifiedName().replaceFirst("^\\S+ ", "");
    }

    /** Why a file cannot be read, without names of classes. */
    public static String why(IOException failure) {
        return failure instanceof NoSuchFileException missing
                ? MissingFile.why(Path.of(missing.getFile()))
                : failure instanceof AccessDeniedException
                        ? "it cannot be read: no permission"
                        : "it cannot be read: " + failure.getMessage();
    }

    /** Why a file cannot be written. */
    public static String whyNotWritten(Path file, IOException failure) {
        return file + ": cannot be written: "
                + (failure instanceof NoSuchFileException
                        ? "there is no directory " + file.getParent()
                        : failure instanceof AccessDeniedException
                                ? "no permission"
                                : Files.isDirectory(file) ? "it is a directory" : failure.getMessage());
    }

    /** Why a directory cannot be made. */
    public static String whyNotMade(IOException failure) {
        return failure instanceof FileAlreadyExistsException there
                ? there.getFile() + " is a file"
                : failure instanceof AccessDeniedException denied
                        ? "no permission to make " + denied.getFile()
                        : String.valueOf(failure.getMessage());
    }

    /** A word that no option or command has, and the one that was probably meant. */
    private static String unknown(UnmatchedArgumentException failure) {
        CommandSpec command = failure.getCommandLine().getCommandSpec();
        String word = failure.getUnmatched().get(0);
        boolean option = word.startsWith("-");
        Collection<String> known =
                option ? command.optionsMap().keySet() : command.subcommands().keySet();
        String said = command.parent() == null
                ? "there is no " + (option ? "option '" : "command '") + word + "'"
                : name(command)
                        + (option
                                ? " has no option '" + word + "'"
                                : known.isEmpty()
                                        ? " does not accept '" + word + "' here" + servers(command, word)
                                        : " has no command '" + word + "'" + experiment(command, word));
        if (word.matches("--(report|html)\\b.*") && command.name().equals("run")) {
            return said + "; it always writes its page, report.html in the directory of --out";
        }
        if (word.matches("--resample\\b.*") && !known.contains("--resample")) {
            return said + "; stowage size --resample has it";
        }
        String elsewhere = ELSEWHERE.getOrDefault(word.replaceFirst("=.*", ""), "");
        String within = within(command, word);
        String other = other(command, word.replaceFirst("=.*", ""));
        return said
                + (known.contains(elsewhere)
                        ? "; did you mean " + elsewhere + "?"
                        : !other.isEmpty()
                                ? "; did you mean '" + other + "'?"
                                : within.isEmpty() ? Suggestion.of(word, known) : within);
    }

    /** The command that an option was taken for, or the option that a command was; empty if none is called so. */
    private static String other(CommandSpec command, String word) {
        String bare = word.replaceFirst("^-+", "");
        boolean option = !bare.equals(word);
        return option && command.subcommands().containsKey(bare)
                ? command.qualifiedName() + " " + bare
                : !option && command.findOption("--" + bare) != null ? command.qualifiedName() + " --" + bare : "";
    }

    /** The commands of the commands with this name, or nearly; of {@code guard} it is {@code kube guard}. */
    private static String within(CommandSpec command, String word) {
        List<String> found = command.subcommands().entrySet().stream()
                .filter(sub -> sub.getValue().getSubcommands().containsKey(word))
                .map(sub -> sub.getKey() + " " + word)
                .sorted()
                .toList();
        // A letter more or less, or another one: as likely as that a word is missing.
        Stream<String> near = command.subcommands().keySet().stream()
                .filter(known -> Spelling.distance(word, known) == 1)
                .sorted();
        return found.isEmpty()
                ? ""
                : Stream.concat(found.stream(), near).collect(Collectors.joining(" or ", "; did you mean ", "?"));
    }

    /** What {@code new} does not make. */
    private static String experiment(CommandSpec command, String word) {
        return command.name().equals("new") && word.matches(".*\\.ya?ml")
                ? "; an experiment is a YAML file that you write: docs/experiments.md shows how"
                : "";
    }

    /** That a second table may have the servers. */
    private static String servers(CommandSpec command, String word) {
        return command.findOption("--servers") != null && Files.isRegularFile(Path.of(word))
                ? "; a list of servers is given as --servers " + word
                : "";
    }

    private static void say(CommandLine command, String message) {
        command.getErr().println(Console.broken("stowage: " + message));
    }

    private static String unexpected(Exception failure) {
        return "internal error: " + failure
                + (debug() ? "" : ". This is a bug; STOWAGE_DEBUG=1 shows where it happened");
    }

    private static boolean debug() {
        return "1".equals(System.getenv("STOWAGE_DEBUG"));
    }
}
