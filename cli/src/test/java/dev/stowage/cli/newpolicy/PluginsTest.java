package dev.stowage.cli.newpolicy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The project that {@code stowage new policy} makes, and the use of its jar. */
final class PluginsTest {
    private static final String KEY = "emptiest-first";
    private static final String SERVICE = "META-INF/services/dev.stowage.policies.catalog.PolicyProvider";
    private static final String PROVIDER = "org.example.sched.EmptiestFirstProvider";

    @TempDir
    private Path directory;

    private Path project;
    private Path jar;

    @BeforeEach
    void make() throws IOException {
        project = directory.resolve("project");
        Program made = Program.run("new", "policy", KEY, "--package", "org.example.sched", "--dir", project.toString());
        assertThat(made.code()).isZero();
        assertThat(made.err()).contains("EmptiestFirst.java").contains("README.md");
        compile("main");
        Path services = classes("main").resolve(SERVICE);
        Files.createDirectories(services.getParent());
        Files.copy(project.resolve("src/main/resources").resolve(SERVICE), services);
        jar = jar("policy.jar", "");
    }

    @Test
    void theExampleIsAllThatTheProjectHas() throws IOException {
        Path example = Path.of("..", "examples", "policy-plugin");
        try (Stream<Path> files = Files.walk(example)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> example.relativize(file).toString())
                            .filter(file -> !file.startsWith("target")))
                    .containsExactlyInAnyOrderElementsOf(PolicyProject.FILES);
        }
        assertThat(Files.readString(project.resolve("pom.xml")))
                .contains("<artifactId>" + KEY + "</artifactId>", "<groupId>org.example.sched</groupId>")
                .contains("<stowage.version>"
                        + Files.readString(Path.of("pom.xml")).replaceAll("(?s).*?<version>(.*?)</version>.*", "$1")
                        + "<");
        try (Stream<Path> files = Files.walk(project)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(file.toString().toLowerCase(java.util.Locale.ROOT)).doesNotContain("roomiest");
                assertThat(Files.readString(file)).as("%s", file).doesNotContainIgnoringCase("roomiest");
            }
        }
    }

    @Test
    void thePolicyWithAnIndexOfTheDocsKeepsTheLaws() throws Exception {
        String page =
                Files.readString(Path.of("..", "docs", "adding-a-policy.md")).replace("\r\n", "\n");
        String code = page.replaceAll("(?s).*```java\n(.*?)```.*", "$1");
        assertThat(code).contains("new FirstFit(view)");
        Files.writeString(
                project.resolve("src/main/java/org/example/sched/EmptiestFirst.java"),
                code.replace("com.example.roomiest", "org.example.sched")
                        .replace("\"indexed-first-fit\"", "\"" + KEY + "\"")
                        .replace("IndexedFirstFit", "EmptiestFirst"));
        compile("main");
        assertThat(testsThatPass("keepsTheLaws")).isEqualTo(2);
        Program listed =
                Program.run("policies", KEY, "--plugins", jar("indexed.jar", "").toString());
        assertThat(listed.out()).contains("the first server with room");
    }

    @Test
    void thePolicyWithAParameterOfItsReadmeKeepsTheLaws() throws Exception {
        String readme = Files.readString(project.resolve("README.md"));
        String code = readme.replaceAll("(?s).*```java\n(.*?)```.*", "$1");
        int round = code.indexOf("    @Override");
        Path file = project.resolve("src/main/java/org/example/sched/EmptiestFirst.java");
        String before = Files.readString(file);
        String after = before.substring(0, before.indexOf("    static final Entry"))
                + code.substring(0, round)
                + before.substring(
                        before.indexOf("    @Override"), before.indexOf("    @Override\n    public void round"))
                + code.substring(round)
                + "}\n";
        Files.writeString(file, after);
        compile("main");
        String expected = readme.replaceAll("(?s).*`(assertEquals[^`]*)`.*", "$1;");
        Path test = project.resolve("src/test/java/org/example/sched/EmptiestFirstTest.java");
        Files.writeString(
                test, Files.readString(test).replace("assertEquals(List.of(0, 1, 1, 0), servers);", expected));
        assertThat(testsThatPass("")).isEqualTo(3);
        Path three = jar("choices.jar", "");
        String out = directory.resolve("out").toString();
        assertThat(run(three, "--policy", KEY + ":choices=3", "--out", out).out())
                .contains(KEY + ":choices=3");
        assertThat(run(three, "--policy", KEY + ":choices=0").err())
                .contains("choices")
                .contains("1 to 100");
    }

    @Test
    void itsTestsPass() throws Exception {
        assertThat(testsThatPass("")).isEqualTo(3);
    }

    /** Number of tests whose name has this prefix. */
    private int testsThatPass(String name) throws Exception {
        compile("test");
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        URL[] urls = {classes("main").toUri().toURL(), classes("test").toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            Class<?> test = loader.loadClass("org.example.sched.EmptiestFirstTest");
            var constructor = test.getDeclaredConstructor();
            constructor.setAccessible(true);
            int passed = 0;
            for (var method : test.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class) && method.getName().startsWith(name)) {
                    method.setAccessible(true);
                    method.invoke(constructor.newInstance());
                    passed++;
                }
            }
            return passed;
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void itIsListedAndSimulatedLikeAnyOther() throws IOException {
        assertThat(Program.run("policies", KEY).err()).contains("unknown policy");
        Program listed = Program.run("policies", KEY, "--plugins", jar.toString());
        assertThat(listed.code()).isZero();
        assertThat(listed.out()).contains("that has the most free of the first");

        Path out = directory.resolve("out");
        Program run = run(jar, "--policy", KEY + ",first-fit", "--out", out.toString());
        assertThat(run.err()).doesNotContain("mistake");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains(KEY).contains("first-fit");
        String rows = Files.readString(out.resolve("results.jsonl"));
        assertThat(rows).contains("\"policy\":\"" + KEY + "\"").contains("\"jar\":\"");

        Path experiment = out.resolve("experiment.yaml");
        String plugins = "--plugins ../" + jar.getFileName();
        assertThat(Files.readString(experiment)).contains("# " + plugins + "\n");
        assertThat(Files.readString(out.resolve("report.html")))
                .contains("again: stowage run experiment.yaml <span class=\"option\">--plugins</span> ../");
        // The line is no part of the experiment, which is the same with a copy of the jar.
        assertThat(Program.run(
                                "run",
                                experiment.toString(),
                                "--plugins",
                                jar.toString(),
                                "--out",
                                out.toString(),
                                "--resume")
                        .err())
                .contains("there is nothing to do");
    }

    @Test
    void aRecordingIsReplayedByTheSameJarOnly() throws IOException {
        String log = directory.resolve("run.log").toString();
        Path out = directory.resolve("out");
        assertThat(run(jar, "--policy", KEY, "--out", out.toString(), "--record", log)
                        .code())
                .isZero();
        Program same = Program.run("replay", log, "--plugins", jar.toString());
        assertThat(same.err() + same.out()).doesNotContain("another jar");
        assertThat(same.code()).isZero();

        Program without = Program.run("replay", log);
        assertThat(without.code()).isEqualTo(2);
        assertThat(without.err()).contains("from a jar that is not here").contains("--plugins");

        Program another = Program.run(
                "replay", log, "--plugins", jar("another.jar", "a comment").toString());
        assertThat(another.code()).isEqualTo(2);
        assertThat(another.err()).contains("is from another jar");
    }

    @Test
    void shardsOfOneJarAreMerged() throws IOException {
        Path out = directory.resolve("out");
        assertThat(run(jar, "--policy", KEY, "--out", out.toString(), "--shard", "1/1")
                        .code())
                .isZero();
        Program without = Program.run("merge", out.toString());
        assertThat(without.code()).isEqualTo(2);
        assertThat(without.err()).contains("unknown policy");
        Program another = Program.run(
                "merge",
                out.toString(),
                "--plugins",
                jar("another.jar", "a comment").toString());
        assertThat(another.code()).isEqualTo(2);
        assertThat(another.err()).contains("another trace, server list or jar");
        Program merged = Program.run("merge", out.toString(), "--plugins", jar.toString(), "--no-report");
        assertThat(merged.code()).isZero();
        assertThat(merged.out()).contains(KEY);
    }

    @Test
    void whatIsNoPluginIsRefused() throws IOException {
        Path missing = directory.resolve("missing.jar");
        assertRefused(missing, "--plugins " + missing + ": no such file");
        assertRefused(directory, "--plugins " + directory + ": it is a directory");
        assertRefused(Files.writeString(directory.resolve("text.jar"), "no jar"), "is not a jar");
        assertRefused(Files.write(directory.resolve("short.jar"), new byte[0]), "is not a jar");
        Path empty = directory.resolve("empty.jar");
        try (JarOutputStream none = new JarOutputStream(Files.newOutputStream(empty))) {
            none.putNextEntry(new JarEntry("a"));
        }
        assertRefused(empty, "offers no policies");
        Path wrong = directory.resolve("wrong.jar");
        try (JarOutputStream named = new JarOutputStream(Files.newOutputStream(wrong))) {
            named.putNextEntry(new JarEntry(SERVICE));
            named.write("org.example.Nobody\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        assertRefused(wrong, "org.example.Nobody");

        Program twice = Program.run("policies", "--plugins", jar + "," + jar("again.jar", "another"));
        assertThat(twice.code()).isEqualTo(2);
        assertThat(twice.err()).contains(PROVIDER + " is defined twice");
    }

    @Test
    void namesThatCannotBeAreRefused() {
        assertThat(Program.run("new", "policy", "Bad_Name").err()).contains("lower-case words with dashes");
        assertThat(Program.run("new", "policy", "first-fit").err()).contains("is a policy of Stowage already");
        assertThat(Program.run("new", "policy", "a-b", "--package", "a.class.b").err())
                .contains("not the name of a Java package");
        Program there = Program.run("new", "policy", "a-b", "--dir", project.toString());
        assertThat(there.code()).isEqualTo(2);
        assertThat(there.err()).contains("exists already; nothing was written");
        assertThat(Program.run("new").err()).contains("a command is missing");
    }

    private static void assertRefused(Path jar, String reason) {
        Program program = Program.run("policies", "--plugins", jar.toString());
        assertThat(program.code()).as("%s", jar).isEqualTo(2);
        assertThat(program.err()).contains(reason).contains(jar.getFileName().toString());
    }

    private Program run(Path jar, String... more) throws IOException {
        StringBuilder rows = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib\n");
        for (int i = 0; i < 60; i++) {
            rows.append(10 * i).append(",").append(100 + i % 7).append(",1000,2048\n");
        }
        Path trace = Files.writeString(directory.resolve("requests.csv"), rows);
        List<String> arguments = new ArrayList<>(List.of("run", "--trace", trace.toString()));
        arguments.addAll(List.of("--servers", "4 x 8 cores, 32 GiB", "--plugins", jar.toString(), "--quiet"));
        arguments.addAll(List.of(more));
        return Program.run(arguments.toArray(String[]::new));
    }

    private Path classes(String kind) {
        return directory.resolve("classes-" + kind);
    }

    private void compile(String kind) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-d",
                classes(kind).toString(),
                "-proc:none",
                "-cp",
                classes("main") + java.io.File.pathSeparator + System.getProperty("java.class.path")));
        try (Stream<Path> sources = Files.walk(project.resolve("src").resolve(kind))) {
            sources.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, errors, arguments.toArray(String[]::new));
        assertThat(code).as("%s", errors).isZero();
    }

    private Path jar(String name, String comment) throws IOException {
        Path made = directory.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(made));
                Stream<Path> files = Files.walk(classes("main"))) {
            out.setComment(comment);
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new JarEntry(classes("main").relativize(file).toString()));
                out.write(Files.readAllBytes(file));
            }
        }
        return made;
    }
}
