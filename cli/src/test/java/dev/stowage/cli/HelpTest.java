package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.text.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * Help texts as they are. After a change on purpose, {@code -Dstowage.help=write} writes the new ones into
 * {@code cli/src/test/resources}; read them before they are committed.
 */
final class HelpTest {
    private static final Pattern OPTION = Pattern.compile("(?<=[ \"])--[a-z][a-z-]+");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "run",
                "experiments",
                "recommend",
                "size",
                "validate",
                "bound",
                "plan",
                "advise",
                "policies",
                "trace",
                "trace stats",
                "trace convert",
                "trace formats",
                "trace guess",
                "replay",
                "reproduce",
                "report",
                "merge",
                "serve",
                "submit",
                "release",
                "adopt",
                "agent",
                "confirm",
                "evict",
                "get",
                "watch",
                "explain",
                "servers",
                "members",
                "status",
                "load",
                "kube",
                "kube schedule",
                "kube advise",
                "openstack",
                "openstack advise",
                "openstack consolidate",
                "openstack serve",
                "openstack submit",
                "token",
                "completion",
                "version"
            })
    void helpIs(String command) throws IOException {
        String arguments = command.isEmpty() ? "--help" : command + " --help-all";
        String help = Program.run(arguments.split(" ")).out().replace("\r\n", "\n");
        String name = "help" + (command.isEmpty() ? "" : "-" + command.replace(' ', '-')) + ".txt";
        if ("write".equals(System.getProperty("stowage.help"))) {
            Path file = Path.of("src", "test", "resources", "dev", "stowage", "cli", name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, help);
        }

        assertThat(help).isEqualTo(expected(name));
        assertThat(help.lines()).allMatch(line -> line.length() <= 100);
        assertThat(List.of(help)).noneMatch(text -> text.contains("WARN") || text.contains("${"));
    }

    /** The word help, as in other programs; and a long example can be copied. */
    @Test
    void helpOfACommand() {
        String help = Program.run("size", "--help").out();
        assertThat(Program.run("help", "size").out()).isEqualTo(help);
        assertThat(Program.run("help").out()).isEqualTo(Program.run("--help").out());
        assertThat(Program.run("size", "--help-all").out())
                .contains("\\\n      --policy first-fit,best-fit --target \"rejected <= 0.1 %\"");
    }

    /** What most need is on one screen, and all of a command's options are somewhere. */
    @Test
    void everyCommandShowsItsOptions() {
        everyCommand(StowageCommand.commandLine(Terminal.detect(), "*"), "");
    }

    private static void everyCommand(CommandLine command, String path) {
        String help = Program.run((path + " --help").strip().split(" ")).out();
        assertThat(help.lines()).as(help).hasSizeLessThanOrEqualTo(40).allMatch(line -> line.length() <= 100);
        assertThat(hiddenInExamples(command, path, help)).as(help).isEmpty();
        if (!path.isEmpty()) {
            String all = Program.run((path + " --help-all").split(" ")).out();
            assertThat(command.getCommandSpec().options().stream()
                            .filter(option -> !option.hidden() && !all.contains(option.longestName())))
                    .as(all)
                    .isEmpty();
        }
        command.getSubcommands().forEach((name, its) -> everyCommand(its, (path + " " + name).strip()));
    }

    /** Options of the command that its examples use and its list leaves out. */
    private static List<String> hiddenInExamples(CommandLine command, String path, String help) {
        int examples = Math.max(0, help.indexOf("\nExample"));
        String begins = "  stowage " + path + " ";
        return help.substring(examples)
                .lines()
                .filter(line -> line.startsWith(begins)
                        && !command.getSubcommands()
                                .containsKey(line.substring(begins.length()).split(" ", 2)[0]))
                .flatMap(line -> OPTION.matcher(line).results().map(MatchResult::group))
                .filter(option -> !help.substring(0, examples).contains(option))
                .toList();
    }

    private static String expected(String name) throws IOException {
        Path file = Path.of("src", "test", "resources", "dev", "stowage", "cli", name);
        if (Files.exists(file)) {
            return Files.readString(file).replace("\r\n", "\n");
        }
        try (InputStream in = HelpTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
