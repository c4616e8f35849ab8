package dev.stowage.spark;

import dev.stowage.sim.remote.Assignment;
import dev.stowage.sim.remote.Machines;
import dev.stowage.sim.remote.MachinesRefusedException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Apache Spark as the cluster engine: a standalone cluster, YARN, Kubernetes, or threads of this JVM
 * ({@code local[2]}).
 */
public final class SparkMachines implements Machines {
    /** Least heap of a driver; Spark refuses less, with different advice. */
    private static final long LEAST_HEAP = 450L << 20;

    private static final String LOGGING = "log4j2.configurationFile";

    @Override
    public Session connect(Assignment assignment) {
        MasterAddress.check(assignment.master());
        if (Runtime.getRuntime().maxMemory() < LEAST_HEAP) {
            throw new MachinesRefusedException(
                    "Spark needs a heap of at least 450 MiB here, and this JVM has "
                            + (Runtime.getRuntime().maxMemory() >> 20) + " MiB: STOWAGE_JAVA_OPTS=-Xmx1g",
                    null);
        }
        quiet();
        SparkConf conf = SparkSettings.of(assignment);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        // Spark looks for classes in the class loader of the thread that starts it.
        Thread.currentThread().setContextClassLoader(SparkMachines.class.getClassLoader());
        try {
            SparkContext context = started(assignment, conf);
            send(context, assignment);
            return new SparkSession(context, assignment, warnings(conf, assignment.master()));
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static void quiet() {
        URL ours = SparkMachines.class.getResource("/stowage-spark-log4j2.properties");
        if (System.getProperty(LOGGING) == null && !"1".equals(System.getenv("STOWAGE_DEBUG"))) {
            System.setProperty(LOGGING, Objects.requireNonNull(ours).toString());
        }
    }

    private static SparkContext started(Assignment assignment, SparkConf conf) {
        try {
            return new SparkContext(conf);
        } catch (RuntimeException | LinkageError e) {
            throw new MachinesRefusedException(
                    "--on " + assignment.master() + ": Spark does not start here: " + e
                            + ". STOWAGE_DEBUG=1 shows its log",
                    e);
        }
    }

    private static void send(SparkContext context, Assignment assignment) {
        Path own = ownJar();
        List<String> there = CollectionConverters.asJava(context.listJars());
        // If spark-submit was given this jar, it has been sent already.
        if (there.stream().noneMatch(jar -> jar.endsWith("/" + own.getFileName()))) {
            context.addJar(own.toUri().toString());
        }
        for (Path jar : assignment.programs()) {
            context.addFile(jar.toUri().toString());
        }
        for (Path file : assignment.files()) {
            context.addFile(file.toUri().toString());
        }
    }

    private static Path ownJar() {
        try {
            return Path.of(SparkMachines.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the place of Stowage's classes is not a URI", e);
        }
    }

    private static List<String> warnings(SparkConf conf, String master) {
        if (!master.startsWith("spark:") || conf.getBoolean("spark.authenticate", false)) {
            return List.of();
        }
        return List.of("this Spark cluster does not authenticate callers (spark.authenticate is off). Anyone"
                + " who reaches its ports can run programs there and see this run; docs/scale.md shows how to"
                + " change that");
    }
}
