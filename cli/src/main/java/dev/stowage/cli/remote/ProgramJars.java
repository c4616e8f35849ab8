package dev.stowage.cli.remote;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** The jars of this program that runs need. */
public final class ProgramJars {
    /** Libraries of the service and of Kubernetes: a third of all bytes, which no run uses. */
    private static final List<String> NOT_FOR_RUNS =
            List.of("armeria", "brotli4j", "grpc-", "kubernetes-", "native-", "netty-", "ratis-");
    /** These read files, and are larger than all others together. */
    private static final List<String> READERS = List.of("duckdb", "sqlite");

    private ProgramJars() {}

    /**
     * The jars in the order of the class path.
     *
     * @param withReaders whether to include the libraries that read traces and server lists of every format
     */
    public static List<Path> forRuns(boolean withReaders) {
        List<Path> jars = new ArrayList<>();
        for (Path entry : classPath()) {
            String name = String.valueOf(entry.getFileName());
            if (Files.isDirectory(entry)) {
                jars.add(packed(entry, jars.size()));
            } else if (NOT_FOR_RUNS.stream().noneMatch(name::startsWith)
                    && (withReaders || READERS.stream().noneMatch(name::startsWith))) {
                jars.add(entry);
            }
        }
        return jars;
    }

    private static Set<Path> classPath() {
        Set<Path> all = new LinkedHashSet<>();
        if (ProgramJars.class.getClassLoader() instanceof URLClassLoader own) {
            for (URL url : own.getURLs()) {
                add(URI.create(url.toString()), all);
            }
        } else {
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                add(Path.of(entry).toUri(), all);
            }
        }
        return all;
    }

    /** Adds an entry of the class path, and those that its manifest names. */
    private static void add(URI entry, Set<Path> all) {
        Path path;
        try {
            path = Path.of(entry);
        } catch (IllegalArgumentException | FileSystemNotFoundException e) {
            return;
        }
        if (!Files.exists(path) || !all.add(path) || Files.isDirectory(path)) {
            return;
        }
        try (JarFile jar = new JarFile(path.toFile())) {
            Manifest manifest = jar.getManifest();
            String more = manifest == null ? null : manifest.getMainAttributes().getValue("Class-Path");
            for (String each : more == null ? new String[0] : more.strip().split("\\s+", -1)) {
                add(entry.resolve(each), all);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(path + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** A directory of classes as a jar. */
    private static Path packed(Path directory, int number) {
        try {
            // Files registered last are deleted first.
            Path own = Files.createTempDirectory("stowage-");
            own.toFile().deleteOnExit();
            Path jar = own.resolve("classes-" + number + ".jar");
            jar.toFile().deleteOnExit();
            try (Stream<Path> inside = Files.walk(directory);
                    OutputStream out = Files.newOutputStream(jar);
                    JarOutputStream entries = new JarOutputStream(out)) {
                for (Path file : inside.filter(Files::isRegularFile).sorted().toList()) {
                    entries.putNextEntry(
                            new ZipEntry(directory.relativize(file).toString().replace(File.separatorChar, '/')));
                    Files.copy(file, entries);
                }
            }
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException(directory + ": cannot be packed: " + e.getMessage(), e);
        }
    }
}
