package dev.stowage.cli;

import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Completion for the fish shell, which picocli does not write: a {@code complete} line per command and option. */
final class FishCompletion {
    private final String program;
    private final StringBuilder script = new StringBuilder();

    private FishCompletion(String program) {
        this.program = program;
    }

    static String of(String program, CommandLine root) {
        FishCompletion completion = new FishCompletion(program);
        completion.script.append("complete -c ").append(program).append(" -e\n");
        String commands = String.join(" ", root.getSubcommands().keySet());
        root.getSubcommands().forEach((name, command) -> {
            completion.command(name, command.getCommandSpec(), "not __fish_seen_subcommand_from " + commands);
            completion.below(name, command);
        });
        completion.options(root.getCommandSpec(), "not __fish_seen_subcommand_from " + commands);
        return completion.script.toString();
    }

    private void below(String name, CommandLine command) {
        String here = "__fish_seen_subcommand_from " + name;
        String before = here + "; and not __fish_seen_subcommand_from "
                + String.join(" ", command.getSubcommands().keySet());
        command.getSubcommands().forEach((inner, deeper) -> {
            command(inner, deeper.getCommandSpec(), before);
            arguments(deeper.getCommandSpec(), here + "; and __fish_seen_subcommand_from " + inner);
        });
        arguments(command.getCommandSpec(), here);
    }

    private void arguments(CommandSpec spec, String condition) {
        options(spec, condition);
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            Iterable<String> words = parameter.completionCandidates();
            if (words != null) {
                line(condition)
                        .append(parameter.type().isEnum() ? " -f" : "")
                        .append(choice(words))
                        .append('\n');
            }
        }
    }

    private void command(String name, CommandSpec spec, String condition) {
        line(condition)
                .append(" -f -a ")
                .append(name)
                .append(describe(spec.usageMessage().description()));
        script.append('\n');
    }

    private void options(CommandSpec spec, String condition) {
        for (OptionSpec option : spec.options()) {
            if (option.hidden()) {
                continue;
            }
            line(condition);
            for (String name : option.names()) {
                script.append(name.startsWith("--") ? " -l " : " -s ").append(name.replaceAll("^-+", ""));
            }
            if (option.arity().max() > 0) {
                script.append(" -r");
                Iterable<String> words = option.completionCandidates();
                if (words != null) {
                    script.append(choice(words));
                }
            }
            script.append(describe(option.description())).append('\n');
        }
    }

    private StringBuilder line(String condition) {
        return script.append("complete -c ")
                .append(program)
                .append(" -n '")
                .append(condition)
                .append('\'');
    }

    private static String choice(Iterable<String> words) {
        return " -a '" + String.join(" ", words) + "'";
    }

    /** The first sentence, in quotes. */
    private static String describe(String[] description) {
        String text =
                Arrays.stream(description).collect(Collectors.joining(" ")).replace("%%", "%");
        int end = text.replace("e.g. ", "e.g._").indexOf(". ");
        String first = (end < 0 ? text : text.substring(0, end)).replaceAll("[$][{][^}]*[}]", "...");
        return first.isEmpty() ? "" : " -d '" + first.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
