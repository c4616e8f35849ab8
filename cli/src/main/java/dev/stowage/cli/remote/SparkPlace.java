package dev.stowage.cli.remote;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.sim.remote.Machines;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds Spark, and Stowage's jar for it; neither is loaded before it is needed. */
public final class SparkPlace {
    /** Set by the class in that jar which spark-submit calls; Spark's classes are then those of the JVM. */
    private static final String SUBMITTED = "stowage.spark.submitted";
    /** Property with the place of the jar, if it is not the usual one. */
    private static final String JAR = "stowage.spark.jar";

    private static final String OURS = "stowage-spark.jar";
    private static final Pattern CORE = Pattern.compile("spark-core_(\\d+\\.\\d+)-(\\d+)\\.[^/]*\\.jar");
    private static final String ADVICE = "Set SPARK_HOME to the directory of Spark (which contains jars/), of the same"
            + " version as the cluster's; Stowage is tested with 4.2.0";

    private SparkPlace() {}

    /**
     * Spark.
     *
     * @throws BadInputException if it is missing, or its version cannot be used
     */
    public static Machines machines() {
        ClassLoader spark = Boolean.getBoolean(SUBMITTED)
                ? ClassLoader.getSystemClassLoader()
                : new URLClassLoader(jars(home()), ClassLoader.getPlatformClassLoader());
        // Both stay open as long as the program runs.
        ClassLoader loader = new SparkLoader(url(ours()), spark);
        Optional<Machines> found = ServiceLoader.load(Machines.class, loader).findFirst();
        return found.orElseThrow(() -> new BadInputException(ours() + ": is not Stowage's part for Spark"));
    }

    private static Path home() {
        String home = System.getenv("SPARK_HOME");
        if (home == null || home.isBlank()) {
            throw new BadInputException("--on needs Apache Spark, and SPARK_HOME is not set. " + ADVICE);
        }
        return Path.of(home);
    }

    private static URL[] jars(Path home) {
        Path directory = home.resolve("jars");
        List<Path> jars;
        try (Stream<Path> files = Files.list(directory)) {
            jars = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new BadInputException("SPARK_HOME is '" + home + "', where there is no directory jars. " + ADVICE, e);
        }
        checkVersion(home, jars);
        List<URL> urls = new ArrayList<>();
        jars.forEach(jar -> urls.add(url(jar)));
        // Where YARN and Hadoop's file systems are set up.
        for (String variable : List.of("HADOOP_CONF_DIR", "YARN_CONF_DIR")) {
            String conf = System.getenv(variable);
            if (conf != null && !conf.isBlank()) {
                urls.add(url(Path.of(conf)));
            }
        }
        return urls.toArray(URL[]::new);
    }

    private static void checkVersion(Path home, List<Path> jars) {
        for (Path jar : jars) {
            Matcher core = CORE.matcher(String.valueOf(jar.getFileName()));
            if (core.matches()) {
                if (!core.group(1).equals("2.13") || Integer.parseInt(core.group(2)) < 4) {
                    throw new BadInputException("SPARK_HOME is '" + home + "', a Spark that Stowage does not run on ("
                            + jar.getFileName() + "): it must be 4.0 or newer, with Scala 2.13");
                }
                return;
            }
        }
        throw new BadInputException("SPARK_HOME is '" + home + "', and there is no spark-core in its jars. " + ADVICE);
    }

    /** The jar of module spark. */
    private static Path ours() {
        String given = System.getProperty(JAR);
        Path jar = given != null ? Path.of(given) : usual();
        if (jar == null || !Files.isReadable(jar)) {
            throw new BadInputException("--on: Stowage's part for Spark is not installed here"
                    + (jar == null ? "" : ": there is no " + jar));
        }
        return jar;
    }

    /**
     * The usual place: beside the directory {@code lib} with all jars, or beside the program's jar if {@code lib} is
     * there.
     */
    private static @Nullable Path usual() {
        try {
            Path own = Path.of(SparkPlace.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path directory = own.getParent();
            Path home = directory != null && directory.endsWith("lib") ? directory.getParent() : directory;
            return home == null ? null : home.resolve("spark").resolve(OURS);
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("no URL for " + path, e);
        }
    }
}
