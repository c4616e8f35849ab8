package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The packages of docs/api.md offer exactly what their lists in docs/api say, so that no change of the stable surface
 * goes unnoticed. {@code -Dstowage.api=write} writes the lists anew.
 */
final class StableApiTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `((?:core|policies|sim|service|testkit)[\\w.]*)` \\|");

    @Test
    void isAsListed() throws IOException {
        List<String> packages = ROW.matcher(Files.readString(DOCS.resolve("api.md")))
                .results()
                .map(row -> row.group(1))
                .toList();
        assertThat(packages).contains("core.policy", "core.model", "core.engine", "sim.driver", "service.client");
        Path lists = DOCS.resolve("api");
        for (String name : packages) {
            Path list = lists.resolve(name + ".txt");
            SortedSet<String> offered = offered("dev.stowage." + name);
            assertThat(offered).as(name).isNotEmpty();
            if ("write".equals(System.getProperty("stowage.api"))) {
                Files.createDirectories(lists);
                Files.writeString(list, String.join("\n", offered) + "\n");
            }
            assertThat(Files.readString(list).replace("\r\n", "\n").lines())
                    .as("docs/api/%s.txt; docs/api.md says which changes are allowed, and how to write it anew", name)
                    .containsExactlyElementsOf(offered);
        }
        try (var files = Files.list(lists)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".txt", "")))
                    .containsExactlyInAnyOrderElementsOf(packages);
        }
    }

    @Test
    void seesWhatCallersSee() {
        assertThat(PublicApi.of(PublicApiSample.class))
                .containsExactlyInAnyOrder(
                        "abstract class dev.stowage.cli.PublicApiSample<T extends Number>"
                                + " implements java.util.function.Supplier<T>",
                        "dev.stowage.cli.PublicApiSample.ONE static final int = 1",
                        "dev.stowage.cli.PublicApiSample.new(java.util.List<T>)",
                        "dev.stowage.cli.PublicApiSample.pick(T...) abstract protected T throws"
                                + " java.io.IOException");
    }

    private static SortedSet<String> offered(String packageName) {
        TreeSet<String> lines = new TreeSet<>();
        for (JavaClass one : OurClasses.all()) {
            // Without subpackages.
            if (one.getPackageName().equals(packageName)) {
                lines.addAll(PublicApi.of(one.reflect()));
            }
        }
        return lines;
    }
}
