package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What README.md promises: the lines of its {@code sh} blocks that begin with {@code ./stowage} or {@code curl}, in
 * order. A block without a language shows what the command before it prints: these words, in this order, and nothing
 * between them.
 *
 * <p>The rule of what is masked: a number with its digits, commas and points counts as any number, and blanks, ends of
 * lines and rules of a table as one blank, because they follow the numbers' widths. The numbers themselves are tested
 * where they are computed.
 */
final class Readme {
    /** The first command, which builds and simulates for a minute. */
    static final String QUICKSTART = "./stowage run";

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(sh)?\\R(.*?)^```");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    private final List<String> commands = new ArrayList<>();
    private final Map<String, String> shown = new HashMap<>();

    Readme() throws IOException {
        Matcher blocks = BLOCK.matcher(Files.readString(Path.of("..", "README.md")));
        while (blocks.find()) {
            if (blocks.group(1) != null) {
                blocks.group(2)
                        .lines()
                        .filter(line -> line.startsWith("./stowage") || line.startsWith("curl "))
                        .forEach(commands::add);
            } else if (!blocks.group(2).startsWith("mvn ")) {
                shown.put(commands.get(commands.size() - 1), masked(blocks.group(2)));
            }
        }
        assertThat(commands).contains(QUICKSTART, "./stowage serve");
        assertThat(shown).containsKey(QUICKSTART);
    }

    /** Those before the first service is started: each stands alone. */
    List<String> withoutService() {
        return commands.subList(0, commands.indexOf("./stowage serve"));
    }

    /** From the first service on. */
    List<String> withService() {
        return commands.subList(commands.indexOf("./stowage serve"), commands.size());
    }

    /** What README shows of the output, masked; null if nothing. */
    @Nullable
    String shown(String command) {
        return shown.get(command);
    }

    static String masked(String text) {
        return text.replaceAll("\\d[\\d,.]*", "#").replaceAll("[\\s-]+", " ").strip();
    }

    /** What follows {@code ./stowage}, as the shell would part it. */
    static List<String> arguments(String command) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(command.substring("./stowage".length()));
        while (word.find()) {
            words.add(word.group(1) != null ? word.group(1) : word.group(2));
        }
        return words;
    }

    /** The files that README's commands name, small. */
    static void files(Path directory) throws IOException {
        Files.createSymbolicLink(
                directory.resolve("experiments"), Path.of("..", "experiments").toRealPath());
        StringBuilder requests = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib\n");
        for (int i = 0; i < 200; i++) {
            requests.append(30 * i)
                    .append(",3600,")
                    .append(1000 << (i % 4))
                    .append(',')
                    .append(2048 << (i % 4))
                    .append('\n');
        }
        Files.writeString(directory.resolve("requests.csv"), requests);
        Files.createSymbolicLink(
                directory.resolve("examples"), Path.of("..", "examples").toRealPath());
        Files.writeString(directory.resolve("servers.csv"), "site,count,cpu_milli,mem_mib\neast,10,48000,131072\n");
    }
}
