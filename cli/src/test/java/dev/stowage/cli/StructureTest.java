package dev.stowage.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What keeps the house easy to find one's way in: small circles of files, small packages, one class per name. */
final class StructureTest {
    private static final int MOST_IN_A_CIRCLE = 5;
    private static final int MOST_IN_A_PACKAGE = 40;
    private static final int MOST_IN_A_PACKAGE_OF_CLI = 20;

    /** Packages that may have more files, and how many. */
    private static final Map<String, Integer> LARGE_PACKAGES = Map.of(
            // A class for each published format of traces and of server lists, and for each container they come in.
            "dev.stowage.sim.trace", 80,
            // Each table and figure is a file; all of them read rows through the same few package-private classes.
            "dev.stowage.report", 60,
            // A reader for each block of an experiment file, and what it reads.
            "dev.stowage.sim.experiment", 60,
            // What is replicated is one state; what lists, saves and exports it sees what no other package may.
            "dev.stowage.service.state", 60,
            // A class for each call of the public API.
            "dev.stowage.service.api", 60);

    /** Words that each program or package has for itself. */
    private static final Set<String> COMMON_NAMES = Set.of("package-info", "module-info");

    @Test
    void noCircleOfMoreThanFiveFiles() {
        FileGraph files = new FileGraph();
        importedClasses().forEach(type -> uses(type, files));
        assertThat(files.size()).isGreaterThan(500);
        assertThat(files.circles())
                .filteredOn(circle -> circle.size() > MOST_IN_A_CIRCLE)
                .as("large circles of files that use each other; a sealed type may name its own kinds")
                .isEmpty();
    }

    @Test
    void aCircleIsFound() {
        FileGraph files = new FileGraph();
        files.uses("a", "b");
        files.uses("b", "c");
        files.uses("c", "d");
        files.uses("d", "b");
        files.uses("c", "c");
        files.uses("e", "f");
        files.uses("f", "e");
        assertThat(files.circles()).containsExactly(Set.of("b", "c", "d"), Set.of("e", "f"));
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

    /** The names of exceptions are taken out when the reason is gone. */
    @Test
    void exceptionsAreNeeded() {
        for (String name : LARGE_PACKAGES.keySet()) {
            assertThat(sources("main").stream().filter(file -> packageOf(file).equals(name)))
                    .as(name)
                    .hasSizeGreaterThan(MOST_IN_A_PACKAGE);
        }
    }

    @Test
    void noTwoClassesShareAName() {
        Map<String, Set<String>> places = sources("main").stream()
                .collect(groupingBy(
                        file -> file.getFileName().toString().replace(".java", ""),
                        TreeMap::new,
                        mapping(Path::toString, toCollection(TreeSet::new))));
        places.keySet().removeAll(COMMON_NAMES);
        assertThat(places).hasSizeGreaterThan(500);
        assertThat(places.values())
                .filteredOn(files -> files.size() > 1)
                .as("files of the same name")
                .isEmpty();
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

    private static Iterable<JavaClass> importedClasses() {
        return new ClassFileImporter()
                .withImportOption(place -> !place.contains("test-classes"))
                .importPackages("dev.stowage");
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
