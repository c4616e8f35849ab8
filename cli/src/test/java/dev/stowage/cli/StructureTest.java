package dev.stowage.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What keeps the code easy to find: small cycles of files, small packages and files, one class per name. */
final class StructureTest {
    private static final int MOST_IN_A_CYCLE = 5;
    private static final int MOST_IN_A_PACKAGE = 40;
    private static final int MOST_IN_A_PACKAGE_OF_CLI = 19;
    private static final int MOST_LINES = 500;

    /** Packages that may have more files, and how many. */
    private static final Map<String, Integer> LARGE_PACKAGES = Map.of(
            // A class for each published format of traces and of server lists, and for each container they come in.
            "dev.stowage.sim.trace", 100,
            // Each table and figure is a file; all of them read rows through the same few package-private classes.
            "dev.stowage.report", 60,
            // A reader for each block of an experiment file, and the classes that it reads into.
            "dev.stowage.sim.experiment", 60,
            // The replicated state; the classes that list, save and export it need access that no other package may
            // have.
            "dev.stowage.service.state", 60,
            // A class for each thing that is asked of sizes, and what the answers are worked out with.
            "dev.stowage.study.size", 49,
            // A class for each call of the public API.
            "dev.stowage.service.api", 60);

    /** Files that may have more lines than {@value #MOST_LINES}, and why. */
    private static final Map<String, String> LONG_FILES = Map.ofEntries(
            Map.entry("OwnFormat", "where the columns, units and clock of a table of one's own come together"),
            Map.entry("Membership", "what runs, as whom, and what it waits for change together"),
            Map.entry("Hindsight", "one schedule: its order, what may be lost, and its check share every field"),
            Map.entry("RaftNode", "the one way into a node: a method for each thing that others may ask"),
            Map.entry("Auditor", "books that every effect has an entry in, and every command is checked against"),
            Map.entry("Node", "the roles of Raft share every field"),
            Map.entry("SlowShadow", "the pseudo-code of Algorithms A to D, to be read beside the paper"),
            Map.entry("ApiFuzzTest", "values for every kind of field, and what must hold of every answer"),
            Map.entry("ApiServerTest", "one service, asked in both protocols"),
            Map.entry("RaftNodeTest", "one group that every test takes apart in another way"),
            Map.entry("SecurityTest", "one set of certificates and tokens"));

    /** Names that each program or package may have for itself. */
    private static final Set<String> COMMON_NAMES = Set.of("package-info", "module-info");

    /**
     * Names that an inner class may share with a file, because both mean the same: a server block, an end, a result, a
     * replay of a log, a state.
     */
    private static final Set<String> SAME_CONCEPT = Set.of("Block", "End", "Finding", "Replay", "State");

    @Test
    void noCycleOfMoreThanFiveFiles() {
        FileGraph files = new FileGraph();
        OurClasses.all().forEach(type -> uses(type, files));
        assertThat(files.size()).isGreaterThan(500);
        assertThat(files.cycles())
                .filteredOn(cycle -> cycle.size() > MOST_IN_A_CYCLE)
                .as("large cycles of files that use each other; a sealed type may name its own kinds")
                .isEmpty();
    }

    @Test
    void aCycleIsFound() {
        FileGraph files = new FileGraph();
        files.uses("a", "b");
        files.uses("b", "c");
        files.uses("c", "d");
        files.uses("d", "b");
        files.uses("c", "c");
        files.uses("e", "f");
        files.uses("f", "e");
        assertThat(files.cycles()).containsExactly(Set.of("b", "c", "d"), Set.of("e", "f"));
    }

    @Test
    void noLargePackages() {
        Map<String, Integer> sizes = new TreeMap<>();
        for (Path file : sources("main")) {
            sizes.merge(packageOf(file), 1, Integer::sum);
        }
        assertThat(sizes).hasSizeGreaterThan(40);
        assertThat(sizes)
                .as("files of a package")
                .allSatisfy((name, files) -> assertThat(files)
                        .as(name)
                        .isLessThanOrEqualTo(LARGE_PACKAGES.getOrDefault(
                                name,
                                name.startsWith("dev.stowage.cli") ? MOST_IN_A_PACKAGE_OF_CLI : MOST_IN_A_PACKAGE)));
    }

    @Test
    void noLongFiles() {
        assertThat(allSources())
                .hasSizeGreaterThan(1000)
                .filteredOn(file -> !LONG_FILES.containsKey(nameOf(file)))
                .as("files of more than " + MOST_LINES + " lines: part them, or say why not here")
                .allSatisfy(file -> assertThat(lines(file)).as(nameOf(file)).isLessThanOrEqualTo(MOST_LINES));
    }

    /** Exceptions are removed from the lists when they are no longer needed. */
    @Test
    void exceptionsAreNeeded() {
        for (String name : LONG_FILES.keySet()) {
            assertThat(allSources()).as(name).anyMatch(file -> nameOf(file).equals(name) && lines(file) > MOST_LINES);
        }
        for (String name : LARGE_PACKAGES.keySet()) {
            assertThat(sources("main").stream().filter(file -> packageOf(file).equals(name)))
                    .as(name)
                    .hasSizeGreaterThan(MOST_IN_A_PACKAGE);
        }
    }

    /** Those of tests included, so that {@code ./test NAME} means one. */
    @Test
    void noTwoClassesShareAName() {
        Map<String, Set<String>> places = allSources().stream()
                .collect(groupingBy(
                        StructureTest::nameOf, TreeMap::new, mapping(Path::toString, toCollection(TreeSet::new))));
        places.keySet().removeAll(COMMON_NAMES);
        assertThat(places).hasSizeGreaterThan(1000);
        assertThat(places.values())
                .filteredOn(files -> files.size() > 1)
                .as("files of the same name")
                .isEmpty();
    }

    /** No inner class has the name of a file elsewhere, except in bench, which is not shipped. */
    @Test
    void noInnerClassSharesAFilesName() {
        Map<String, String> files = new TreeMap<>();
        sources("main").forEach(file -> files.put(nameOf(file), packageOf(file)));
        files.values().removeIf(name -> name.startsWith("dev.stowage.bench"));
        List<String> shared = new ArrayList<>();
        for (JavaClass type : OurClasses.all()) {
            String name = type.getSimpleName();
            boolean ours = files.containsKey(outermost(type).getSimpleName());
            if (type.isNestedClass() && ours && files.containsKey(name) && !SAME_CONCEPT.contains(name)) {
                shared.add(type.getName() + " and " + files.get(name) + "." + name);
            }
        }
        assertThat(shared).isEmpty();
    }

    private static void uses(JavaClass type, FileGraph files) {
        JavaClass outer = outermost(type);
        files.add(outer.getName());
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            JavaClass other = outermost(dependency.getTargetClass().getBaseComponentType());
            if (other.getPackageName().startsWith("dev.stowage") && !isKindOf(other, outer)) {
                files.uses(outer.getName(), other.getName());
            }
        }
    }

    private static boolean isKindOf(JavaClass type, JavaClass family) {
        Class<?>[] kinds = family.reflect().getPermittedSubclasses();
        return kinds != null && Stream.of(kinds).anyMatch(kind -> kind.getName().equals(type.getName()));
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(StructureTest::outermost).orElse(type);
    }

    private static List<Path> allSources() {
        return Stream.concat(sources("main").stream(), sources("test").stream()).toList();
    }

    private static String nameOf(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String packageOf(Path file) {
        String path = file.getParent().toString().replace('\\', '/');
        return path.substring(path.indexOf("java/") + "java/".length()).replace('/', '.');
    }

    /** The files with Java of all modules. */
    static List<Path> sources(String kind) {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            return modules.map(module -> module.resolve("src/" + kind + "/java"))
                    .filter(Files::isDirectory)
                    .flatMap(StructureTest::javaFiles)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> javaFiles(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
