package dev.stowage.spark;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The command line as {@code spark-submit} starts it: {@code spark-submit [...] stowage-spark.jar run EXPERIMENT}.
 * Then the JVM's class path has Spark's classes, and Stowage's are loaded separately, from the directory above that of
 * this jar.
 */
public final class Submitted {
    private static final String PROGRAM = "dev.stowage.cli.StowageCommand";

    private Submitted() {}

    /** Runs one command of Stowage, on the master given to spark-submit, unless the command names another. */
    public static void main(String[] arguments) throws ReflectiveOperationException, IOException, URISyntaxException {
        Path jar = Path.of(Submitted.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        System.setProperty("stowage.spark.submitted", "true");
        System.setProperty("stowage.spark.jar", jar.toString());
        // It stays open until the JVM ends, which the program causes itself.
        @SuppressWarnings("resource")
        URLClassLoader stowage = new URLClassLoader(jars(jar), ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(stowage);
        try {
            stowage.loadClass(PROGRAM).getMethod("main", String[].class).invoke(null, (Object) withMaster(arguments));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "Stowage's jars are not beside its part for Spark: " + jar.getParent()
                            + " must be the directory 'spark' of an installation (beside lib/)",
                    e);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("Stowage ended with " + e.getCause(), e);
        }
    }

    private static URL[] jars(Path own) throws IOException {
        Path home = own.toAbsolutePath().resolve("../..").normalize();
        List<URL> urls = new ArrayList<>();
        for (String place : List.of("", "lib")) {
            File[] there = home.resolve(place).toFile().listFiles((directory, name) -> name.endsWith(".jar"));
            try (Stream<File> sorted =
                    Stream.of(there == null ? new File[0] : there).sorted()) {
                for (File jar : sorted.toList()) {
                    if (Files.isReadable(jar.toPath())) {
                        urls.add(jar.toURI().toURL());
                    }
                }
            }
        }
        return urls.toArray(URL[]::new);
    }

    private static String[] withMaster(String[] arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        String master = System.getProperty("spark.master");
        if (master != null
                && !all.isEmpty()
                && all.get(0).equals("run")
                && all.stream().noneMatch(each -> each.equals("--on") || each.startsWith("--on="))) {
            all.add(1, "--on=" + master);
        }
        return all.toArray(String[]::new);
    }
}
