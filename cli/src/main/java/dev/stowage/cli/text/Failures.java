package dev.stowage.cli.text;

import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.report.ResultsException;
import dev.stowage.sim.driver.RecordingException;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.RunFailedException;
import dev.stowage.sim.remote.MachinesException;
import dev.stowage.sim.remote.MachinesRefusedException;
import dev.stowage.sim.trace.TraceException;
import dev.stowage.sim.unit.UnitException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns an exception into one message and an exit code. {@code STOWAGE_DEBUG=1} adds the stack trace. */
public final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
    /** The run failed, or there is a bug. */
    public static final int FAILED = 1;
    /** Bad usage or bad input. */
    public static final int BAD_INPUT = 2;

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
        boolean expected = input || FAILURES.stream().anyMatch(kind -> kind.isInstance(failure));
        say(command, expected ? String.valueOf(failure.getMessage()) : unexpected(failure));
        if (debug()) {
            failure.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return input ? BAD_INPUT : FAILED;
    }

    @Override
    public int handleParseException(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        say(command, failure instanceof UnmatchedArgumentException unknown ? unknown(unknown) : message(failure));
        command.getErr().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        if (debug()) {
            failure.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return BAD_INPUT;
    }

    private static String message(ParameterException failure) {
        return String.valueOf(failure.getMessage());
    }

    /** A word that no option or command has, and the one that was probably meant. */
    private static String unknown(UnmatchedArgumentException failure) {
        CommandSpec command = failure.getCommandLine().getCommandSpec();
        String word = failure.getUnmatched().get(0);
        boolean option = word.startsWith("-");
        Collection<String> known =
                option ? command.optionsMap().keySet() : command.subcommands().keySet();
        String said = option
                ? command.qualifiedName() + " has no option '" + word + "'"
                : known.isEmpty()
                        ? command.qualifiedName() + " takes no '" + word + "' here"
                        : command.qualifiedName() + " has no command '" + word + "'";
        return said + Suggestion.of(word, known);
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
