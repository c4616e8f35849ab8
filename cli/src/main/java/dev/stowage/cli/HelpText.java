package dev.stowage.cli;

import dev.stowage.cli.text.ProgramOptions.Rare;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The options in a help text: those that most need, or all. */
final class HelpText {
    private static final List<String> OF_EVERY_COMMAND =
            List.of("--help", "--help-all", "--version", "--color", "--quiet");

    /** A blank one, a heading, three examples. */
    private static final int MOST_LINES = 5;

    private static final String EXIT_CODE = "Exit code";
    /** Spaces outside quotes, except between an option and its value. */
    private static final String WORD_ENDS = "(?<! --[\\w-]{1,30}) (?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)| (?=--)";

    private HelpText() {}

    /** Has a command and those below it leave out {@link Rare} options, or show them. */
    static void use(CommandLine command, boolean all) {
        Map<String, IHelpSectionRenderer> sections = new HashMap<>(command.getHelpSectionMap());
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> options(help, all));
        sections.put(UsageMessageSpec.SECTION_KEY_FOOTER, help -> footer(help, all));
        command.setHelpSectionMap(sections);
    }

    /** Examples and what else there is to know; where not all is asked for, few of them, and the exit codes. */
    private static String footer(Help help, boolean all) {
        String[] lines = help.commandSpec().usageMessage().footer();
        int examples = Arrays.asList(lines).lastIndexOf("");
        int few = examples > 0 ? Math.min(examples, MOST_LINES) : Math.min(lines.length, MOST_LINES);
        List<String> shown = new ArrayList<>(List.of(lines).subList(0, all ? lines.length : few));
        List.of(lines).subList(shown.size(), lines.length).stream()
                .filter(line -> line.startsWith(EXIT_CODE))
                .forEach(shown::add);
        return Help.join(
                        help.colorScheme().ansi(),
                        help.commandSpec().usageMessage().width(),
                        true,
                        shown.stream()
                                .flatMap(line -> wrapped(
                                        line, help.commandSpec().usageMessage().width()))
                                .toArray(String[]::new),
                        new StringBuilder())
                .toString();
    }

    /** A command that is longer than a line goes on after a backslash, as a shell reads it; nothing quoted is split. */
    private static Stream<String> wrapped(String line, int width) {
        // A line with a gap is one of a table.
        if (!line.startsWith("  stowage ") || line.strip().contains("  ")) {
            return Stream.of(line);
        }
        List<String> lines = new ArrayList<>();
        StringBuilder now = new StringBuilder("  ");
        for (String word : line.strip().split(WORD_ENDS, -1)) {
            // A percent sign is written twice. The last two columns are for the backslash.
            if (!now.toString().isBlank()
                    && (now + " " + word).replace("%%", "%").length() > width - 3) {
                lines.add(now + " \\");
                now = new StringBuilder("      ");
            }
            now.append(now.toString().isBlank() ? "" : " ").append(word);
        }
        lines.add(now.toString());
        return lines.stream();
    }

    private static String options(Help help, boolean all) {
        List<OptionSpec> underHeadings = help.optionSectionGroups().stream()
                .flatMap(group -> group.allOptionsNested().stream())
                .toList();
        List<OptionSpec> own = help.commandSpec().options().stream()
                .filter(option -> !underHeadings.contains(option))
                .toList();
        StringBuilder text = new StringBuilder(list(help, own, all));
        for (ArgGroupSpec group : help.optionSectionGroups()) {
            String its = list(help, group.allOptionsNested(), all);
            if (!its.isEmpty()) {
                text.append(help.createHeading(group.heading())).append(its);
            }
        }
        long hidden = help.commandSpec().options().stream()
                .filter(option -> !shown(option, all))
                .count();
        if (!all && hidden > 0 && help.commandSpec().parent() != null) {
            text.append(String.format(
                    Locale.ROOT,
                    "%n%d more option%s: %s --help-all%n",
                    hidden,
                    hidden == 1 ? "" : "s",
                    help.commandSpec().qualifiedName()));
        }
        return text.toString();
    }

    private static String list(Help help, List<OptionSpec> options, boolean all) {
        List<OptionSpec> shown =
                options.stream().filter(option -> shown(option, all)).toList();
        return shown.isEmpty()
                ? ""
                : help.optionListExcludingGroups(
                        shown,
                        help.createDefaultLayout(shown, List.of(), help.colorScheme()),
                        help.createDefaultOptionSort(),
                        help.parameterLabelRenderer());
    }

    private static boolean shown(OptionSpec option, boolean all) {
        boolean rare = option.userObject() instanceof AnnotatedElement field && field.isAnnotationPresent(Rare.class);
        Rare ofCommand = option.command() == null
                ? null
                : option.command().userObject().getClass().getAnnotation(Rare.class);
        rare |= ofCommand != null && List.of(ofCommand.value()).contains(option.longestName());
        boolean ofAll = OF_EVERY_COMMAND.contains(option.longestName());
        return !option.hidden() && (all || (!rare && !ofAll));
    }
}
