package dev.stowage.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The classes of the tests, parsed and verified once for all JVMs that tests start: half of the processor time of a
 * service that starts. The JVM takes only classes of jars from such an archive, so directories of the class path become
 * jars first. Made by the first test that needs it, for one class path and JVM; kept in target.
 */
final class ClassArchive {
    private static final String CLASSES = "classes.jsa";
    private static final Pattern ADDRESS = Pattern.compile(" serves at (http://\\S+) ");
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    /** Until a service that starts answers; without the answer the archive has less. */
    private static final Duration ANSWER = Duration.ofMinutes(2);
    /** After its last use: JVMs of another run may have it open. */
    private static final Duration KEPT = Duration.ofDays(1);

    private static final List<String> OPTIONS = make();

    private ClassArchive() {}

    /** What a command of Java needs to have the classes of this JVM. */
    static List<String> options() {
        return OPTIONS;
    }

    private static List<String> make() {
        try {
            Path all = Files.createDirectories(Path.of("target", "archive").toAbsolutePath());
            // Surefire's class path ends with an empty one: the current directory, which has this archive in it.
            String[] elements = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(element -> !element.isEmpty())
                    .toArray(String[]::new);
            Path place = all.resolve(key(elements));
            try (FileChannel lock =
                    FileChannel.open(all.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                // JVMs of tests run side by side; the operating system takes the lock of one that dies.
                lock.lock();
                List<String> options = options(place, elements);
                if (!Files.exists(place.resolve(CLASSES))) {
                    make(all, place, elements);
                }
                Files.setLastModifiedTime(place, FileTime.from(Instant.now()));
                return options;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> options(Path place, String[] elements) {
        List<String> jars = new ArrayList<>();
        for (int i = 0; i < elements.length; i++) {
            Path element = Path.of(elements[i]);
            if (Files.isDirectory(element)) {
                jars.add(place.resolve(i + ".jar").toString());
            } else if (Files.exists(element)) {
                jars.add(element.toAbsolutePath().toString());
            }
        }
        return List.of(
                "-Xlog:disable",
                "-XX:SharedArchiveFile=" + place.resolve(CLASSES),
                "-cp",
                String.join(File.pathSeparator, jars));
    }

    /** Of the JVM, and of every file that its classes may come from. */
    private static String key(String[] elements) throws IOException {
        StringBuilder seen = new StringBuilder(System.getProperty("java.vm.version"));
        for (String element : elements) {
            Path path = Path.of(element);
            if (Files.exists(path)) {
                try (Stream<Path> files = Files.walk(path)) {
                    for (Path file :
                            (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
                        seen.append(file).append(Files.size(file)).append(Files.getLastModifiedTime(file));
                    }
                }
            }
        }
        return UUID.nameUUIDFromBytes(seen.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    private static void make(Path all, Path place, String[] elements) throws IOException, InterruptedException {
        try (Stream<Path> old = Files.list(all)) {
            for (Path one : (Iterable<Path>) old.filter(Files::isDirectory)::iterator) {
                if (Files.getLastModifiedTime(one)
                        .toInstant()
                        .isBefore(Instant.now().minus(KEPT))) {
                    delete(one);
                }
            }
        }
        // The archive keeps the names of the jars, so they are made where they stay; what is whole has the archive.
        Path underWay = all.resolve(CLASSES);
        Files.deleteIfExists(underWay);
        Files.createDirectories(place);
        for (int i = 0; i < elements.length; i++) {
            if (Files.isDirectory(Path.of(elements[i]))) {
                pack(Path.of(elements[i]), place.resolve(i + ".jar"));
            }
        }
        List<String> command = new ArrayList<>();
        command.add(ProgramElsewhere.JAVA);
        command.addAll(options(place, elements));
        command.set(2, "-XX:ArchiveClassesAtExit=" + underWay);
        command.addAll(ProgramElsewhere.LIKE_TESTS);
        command.addAll(List.of(StowageCommand.class.getName(), "serve", "--port", "0"));
        Path out = place.resolve("out.txt");
        Process serves = new ProcessBuilder(command)
                .directory(place.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            Matcher address;
            while (!(address = ADDRESS.matcher(Files.readString(out))).find()
                    && serves.isAlive()
                    && System.nanoTime() < end) {
                Thread.sleep(100);
            }
            if (address.reset().find()) {
                ask(address.group(1));
            }
            // It writes the archive when it ends.
            serves.destroy();
            if (!serves.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                serves.destroyForcibly().waitFor();
                Files.deleteIfExists(underWay);
            }
        } finally {
            serves.destroyForcibly();
        }
        if (!Files.exists(underWay)) {
            // This JVM makes none, or not in time: all go on without if that is empty.
            Files.createFile(underWay);
        }
        Files.move(underWay, place.resolve(CLASSES), StandardCopyOption.ATOMIC_MOVE);
    }

    /** As tests do, so that the archive has what answers, too; where nothing does, it goes without. */
    private static void ask(String address) {
        try {
            HttpURLConnection call = (HttpURLConnection)
                    URI.create(address + "/v1/requests").toURL().openConnection();
            call.setConnectTimeout((int) ANSWER.toMillis());
            call.setReadTimeout((int) ANSWER.toMillis());
            call.setDoOutput(true);
            call.setRequestProperty("content-type", "application/json");
            call.getOutputStream()
                    .write("{\"requestId\":\"a\",\"demand\":{\"cpu_milli\":1}}".getBytes(StandardCharsets.UTF_8));
            int unused = call.getResponseCode();
        } catch (IOException e) {
            System.out.println("the archive of classes goes without an answer of " + address + ": " + e);
        }
    }

    private static void pack(Path directory, Path jar) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(directory)) {
            zip.setLevel(0);
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
                zip.putNextEntry(
                        new ZipEntry(directory.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
