package dev.stowage.policies;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.Values;
import dev.stowage.testkit.Fuzz;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The diff that adds {@code worst-fit} in docs/adding-a-policy.md fits the files of today, and does what it says. */
class WorstFitOfTheDocsTest {
    private static final Path PROJECT = Path.of("..");
    private static final Pattern DIFF = Pattern.compile("```diff\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path directory;

    /** A file of a diff: its path, and per hunk the lines with their first character. */
    private record Change(String file, List<List<String>> hunks) {
        /** The file's lines after the change: each hunk takes the place of the only lines that it can mean. */
        List<String> applied() throws IOException {
            Path path = PROJECT.resolve(file);
            List<String> lines = Files.exists(path) ? new ArrayList<>(Files.readAllLines(path)) : new ArrayList<>();
            for (List<String> hunk : hunks) {
                List<String> before = lines(hunk, '+');
                int at = 0;
                while (at + before.size() <= lines.size()
                        && !lines.subList(at, at + before.size()).equals(before)) {
                    at++;
                }
                assertThat(at + before.size())
                        .as("%s has no lines %s", file, before)
                        .isLessThanOrEqualTo(lines.size());
                List<String> place = lines.subList(at, at + before.size());
                place.clear();
                place.addAll(lines(hunk, '-'));
            }
            return lines;
        }

        private static List<String> lines(List<String> hunk, char without) {
            return hunk.stream()
                    .filter(line -> line.charAt(0) != without)
                    .map(line -> line.substring(1))
                    .toList();
        }
    }

    private static List<Change> changes() throws IOException {
        var found = DIFF.matcher(Files.readString(PROJECT.resolve("docs/adding-a-policy.md")));
        assertThat(found.find()).isTrue();
        List<Change> changes = new ArrayList<>();
        for (String line : found.group(1).lines().toList()) {
            if (line.startsWith("+++ ")) {
                changes.add(new Change(line.substring(4), new ArrayList<>()));
            } else if (line.startsWith("@@")) {
                changes.get(changes.size() - 1).hunks().add(new ArrayList<>());
            } else if (!line.startsWith("--- ")) {
                List<List<String>> hunks = changes.get(changes.size() - 1).hunks();
                hunks.get(hunks.size() - 1).add(line);
            }
        }
        return changes;
    }

    @Test
    void theDiffIsShortAndFits() throws Exception {
        List<Change> changes = changes();
        assertThat(changes).hasSize(4);
        long added = changes.stream()
                .flatMap(change -> change.hunks().stream().flatMap(List::stream))
                .filter(line -> line.charAt(0) != ' ')
                .count();
        assertThat(added).isLessThan(80);
        for (Change change : changes) {
            assertThat(change.applied())
                    .as(change.file())
                    .containsAll(Change.lines(
                            change.hunks().stream().flatMap(List::stream).toList(), '-'));
        }
    }

    @Test
    void itsPolicyKeepsTheLawsAndHasTheDigest() throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-d", directory.toString(), "-cp", System.getProperty("java.class.path")));
        String pinned = "";
        for (Change change : changes()) {
            if (change.file().endsWith("WorstFit.java")) {
                Path source = directory.resolve("WorstFit.java");
                Files.write(source, change.applied(), UTF_8);
                arguments.add(source.toString());
            } else if (change.file().endsWith(".digests")) {
                pinned = change.hunks().get(0).stream()
                        .filter(line -> line.charAt(0) == '+')
                        .findFirst()
                        .orElseThrow()
                        .substring(1);
            }
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        URL[] urls = {directory.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, getClass().getClassLoader())) {
            var field =
                    loader.loadClass("dev.stowage.policies.baseline.WorstFit").getDeclaredField("ENTRY");
            field.setAccessible(true);
            Entry entry = (Entry) field.get(null);
            PolicyFactory policies = with(entry);
            PolicySpec spec = PolicySpec.of(entry.info().key());
            Fuzz.of(PolicyLawsTest.class, policies, spec).seeds(100).run();
            assertThat(Fuzz.of(PolicyLawsTest.class, policies, spec)
                            .handingOverTo(spec, PolicySpec.of("first-fit", Map.of("when-full", "queue")))
                            .digest(20))
                    .isEqualTo(pinned);
        }
    }

    private static PolicyFactory with(Entry entry) {
        Policies others = new Policies();
        return spec -> spec.name().equals(entry.info().key()) ? made(entry, spec) : others.create(spec);
    }

    private static Policy made(Entry entry, PolicySpec spec) {
        return entry.maker().apply(Values.of(spec, entry.info().parameters()));
    }
}
