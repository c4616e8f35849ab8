package dev.stowage.testkit;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Commands;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Commands in order, with a text form of one line each; blank lines and lines from {@code #} on are comments. */
public record CommandLog(List<Command> commands) {
    /** Takes a copy. */
    public CommandLog {
        commands = List.copyOf(commands);
    }

    /** A log of these commands. */
    public static CommandLog of(Command... commands) {
        return new CommandLog(List.of(commands));
    }

    /**
     * The log of a text.
     *
     * @throws IllegalArgumentException if a line is not a command; the message has its number
     */
    public static CommandLog parse(String text) {
        String[] lines = text.split("\n", -1);
        Command[] commands = new Command[lines.length];
        int size = 0;
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                try {
                    commands[size++] = Command.parse(line);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("line " + (i + 1) + ": " + e.getMessage(), e);
                }
            }
        }
        return new CommandLog(Arrays.asList(commands).subList(0, size));
    }

    /** Number of commands. */
    public int size() {
        return commands.size();
    }

    /** Gives all commands to an engine, in order. */
    public void send(Commands engine) {
        commands.forEach(command -> command.send(engine));
    }

    /** The text form. */
    @Override
    public String toString() {
        return commands.stream().map(command -> command + "\n").collect(Collectors.joining());
    }
}
