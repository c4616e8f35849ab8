package dev.stowage.spark;

import java.io.IOException;
import java.io.Serializable;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.SparkFiles;

/**
 * The worker of an executor; one per application, so that a trace is read once. Its classes come from the jars that
 * were sent, by a class loader whose only parent is the JDK: an executor's own class path has Spark's libraries, some
 * of them in versions that conflict with Stowage's.
 */
final class ExecutorWorker {
    private static final Map<String, Function<String, byte[]>> WORKERS = new HashMap<>();

    private ExecutorWorker() {}

    /** The parts of a worker. */
    record Recipe(String id, String[] programs, String worker, HashMap<String, String> setup) implements Serializable {}

    /** The worker, made at the first call. */
    static Function<String, byte[]> of(Recipe recipe) {
        synchronized (WORKERS) {
            return WORKERS.computeIfAbsent(recipe.id, id -> make(recipe));
        }
    }

    // It lives as long as the executor.
    @SuppressWarnings({"unchecked", "resource"})
    private static Function<String, byte[]> make(Recipe recipe) {
        try {
            Path directory = Path.of(SparkFiles.getRootDirectory());
            URL[] urls = new URL[recipe.programs.length];
            for (int i = 0; i < urls.length; i++) {
                urls[i] = directory.resolve(recipe.programs[i]).toUri().toURL();
            }
            ClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
            return (Function<String, byte[]>) loader.loadClass(recipe.worker)
                    .getConstructor(Map.class, Path.class)
                    .newInstance(recipe.setup, directory);
        } catch (ReflectiveOperationException | IOException e) {
            throw new IllegalStateException("the program that was sent here cannot be started: " + e, e);
        }
    }
}
