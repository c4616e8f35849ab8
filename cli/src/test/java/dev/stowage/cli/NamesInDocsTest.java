package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Everything that the documentation names in {@code `code`} exists: every class of two words ({@code BestFitPolicies}),
 * every member of one ({@code Policies.ENTRIES}), every Java file. Blocks of code are left out, and so are decisions
 * and the changelog, which describe the past.
 */
class NamesInDocsTest {
    private static final Path ROOT = Path.of("..");
    /** Names of the JDK, of libraries and of other systems; and units. */
    private static final Set<String> NOT_OURS = Set.of(
            "Double",
            "StrictMath",
            "NullMarked",
            "VmAllocationPolicyBestFit",
            "BinPackingFitnessCalculators",
            "KiB",
            "MiB",
            "GiB",
            "TiB",
            "V100M16",
            "V100M32",
            "PodScheduled",
            "ProctrackType",
            "TaskPlugin",
            "SelectType",
            "ReturnToService",
            "ReadWriteMany",
            "ReadWriteOncePod",
            "WaitForFirstConsumer",
            "ScheduleAnyway",
            "PreferNoSchedule");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern NAME =
            Pattern.compile("(?<![\\w./=<:+-])([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)*)(?:\\.([A-Za-z_]\\w*))?(?![\\w-])");
    private static final Pattern TWO_WORDS = Pattern.compile("[A-Z][a-z0-9]+[A-Z].*");
    private static final Pattern FILE = Pattern.compile("[\\w/.-]+\\.java");
    private static final Pattern DECLARED =
            Pattern.compile("\\b(?:class|interface|enum|record|message|service|rpc)\\s+([A-Z]\\w*)");

    /** Where each class, message or call of ours is declared. */
    private final Map<String, List<String>> declared = new HashMap<>();

    private final List<String> files = new ArrayList<>();

    @Test
    void areThere() throws IOException {
        for (Path source : files(".java", ".proto")) {
            files.add(source.toString().replace('\\', '/'));
            String text = Files.readString(source);
            Matcher names = DECLARED.matcher(text);
            while (names.find()) {
                declared.computeIfAbsent(names.group(1), name -> new ArrayList<>())
                        .add(text);
            }
        }
        assertThat(declared).hasSizeGreaterThan(1000);
        List<String> wrong = new ArrayList<>();
        int looked = 0;
        for (Path page : files(".md")) {
            String name = ROOT.relativize(page).toString().replace('\\', '/');
            if (!name.equals("CHANGELOG.md") && !name.startsWith("docs/internals/decisions/")) {
                looked++;
                missing(BLOCK.matcher(Files.readString(page)).replaceAll(""))
                        .forEach(what -> wrong.add(name + ": " + what));
            }
        }
        assertThat(looked).isGreaterThan(20);
        assertThat(wrong).as("named in the documentation, and not there").isEmpty();
        assertThat(missing("`PolicyListing`, `Policies.NO_SUCH_LIST` and `baseline/Nothing.java`"))
                .as("what this test would find")
                .containsExactly("PolicyListing", "Policies.NO_SUCH_LIST", "baseline/Nothing.java");
    }

    private List<String> missing(String text) {
        List<String> missing = new ArrayList<>();
        CODE.matcher(text).results().map(code -> code.group(1)).forEach(code -> {
            if (FILE.matcher(code).matches()) {
                if (files.stream().noneMatch(file -> file.endsWith("/" + code))) {
                    missing.add(code);
                }
                return;
            }
            Matcher names = NAME.matcher(code);
            while (names.find()) {
                if (!there(names.group(1), names.group(2), code.equals(names.group()))) {
                    missing.add(names.group());
                }
            }
        });
        return missing;
    }

    /** A class of one word counts only with a member, and if nothing else is in the code; others are just words. */
    private boolean there(String type, String member, boolean alone) {
        boolean twoWords = TWO_WORDS.matcher(type).matches();
        if (NOT_OURS.contains(type) || (!twoWords && (member == null || !alone))) {
            return true;
        }
        Pattern word = Pattern.compile("\\b" + member + "\\b");
        return declared.containsKey(type)
                && (member == null
                        || declared.get(type).stream()
                                .anyMatch(text -> word.matcher(text).find()));
    }

    private static List<Path> files(String... endings) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> tops = Files.list(ROOT)) {
            for (Path top : tops.sorted().toList()) {
                String name = top.getFileName().toString();
                if (name.startsWith(".") || name.equals("target")) {
                    continue;
                }
                try (Stream<Path> below = Files.walk(top)) {
                    below.filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
                            .filter(file -> !ROOT.relativize(file).toString().contains("target"))
                            .forEach(found::add);
                } catch (UncheckedIOException e) {
                    // A test of another module has just deleted it.
                    if (!(e.getCause() instanceof java.nio.file.NoSuchFileException)) {
                        throw e;
                    }
                }
            }
        }
        return found;
    }
}
