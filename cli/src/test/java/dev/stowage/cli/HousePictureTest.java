package dev.stowage.cli;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The picture of modules and packages in docs/internals/architecture.md agrees with the code. After a change on
 * purpose, {@code -Dstowage.pictures=write} draws it anew; look at it before it is committed.
 */
final class HousePictureTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|.*\\| ([^|]+) \\|$");
    private static final Path PICTURE = Path.of("..", "docs", "images", "modules.svg");

    @Test
    void thePictureIsTheCodes() throws IOException {
        String drawn = new HousePicture(StructureTest.sources("main")).svg();
        if ("write".equals(System.getProperty("stowage.pictures"))) {
            Files.writeString(PICTURE, drawn);
        }
        assertThat(drawn).contains(">core<").contains(">policies<").contains(">engine<");
        assertThat(Files.readString(PICTURE).replace("\r\n", "\n"))
                .as("docs/images/modules.svg; -Dstowage.pictures=write draws it anew")
                .isEqualTo(drawn);
    }

    @Test
    void theTableOfModulesIsTheCodes() throws IOException {
        Map<String, Set<String>> needs = new HousePicture(StructureTest.sources("main")).modules();
        Map<String, Set<String>> table = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("..", "docs", "internals", "architecture.md")));
        while (row.find()) {
            String said = row.group(2);
            Set<String> named = said.equals("all above")
                    ? Set.copyOf(table.keySet())
                    : Stream.of(said.replaceAll(";.*", "").split(", ", -1))
                            .filter(needs::containsKey)
                            .collect(toSet());
            table.put(row.group(1), named);
        }
        table.keySet().retainAll(needs.keySet());
        assertThat(table).isEqualTo(needs);
    }

    @Test
    void noArrowRunsBehindABox() {
        LayeredGraph graph = new LayeredGraph(10);
        graph.addNode("top", 0, 100);
        graph.addNode("left", 1, 100);
        graph.addNode("right", 1, 100);
        graph.addNode("bottom", 2, 100);
        graph.addEdge("top", "left");
        graph.addEdge("top", "right");
        graph.addEdge("top", "bottom");
        graph.addEdge("left", "bottom");
        assertThat(graph.arrange()).isGreaterThanOrEqualTo(220);
        double passing = graph.edges().get(2).get(1).centre();
        for (String node : List.of("left", "right")) {
            assertThat(Math.abs(graph.place(node).centre() - passing)).as(node).isGreaterThan(59.9);
        }
    }

    @Test
    void theDocumentationShowsIt() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "internals", "architecture.md")))
                .contains("](../images/modules.svg)");
    }
}
