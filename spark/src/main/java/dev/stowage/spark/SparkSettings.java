package dev.stowage.spark;

import dev.stowage.sim.remote.Assignment;
import dev.stowage.sim.remote.MachinesRefusedException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.spark.SparkConf;
import org.jspecify.annotations.Nullable;

/**
 * The settings of Spark: the user's, else those of spark-submit or {@code conf/spark-defaults.conf}, else those that
 * runs of experiments need.
 */
final class SparkSettings {
    private SparkSettings() {}

    static SparkConf of(Assignment assignment) {
        // Reads what spark-submit put into system properties.
        SparkConf conf = new SparkConf();
        defaults()
                .forEach((key, value) ->
                        conf.setIfMissing(key.toString(), value.toString().strip()));
        assignment.settings().forEach(conf::set);
        conf.setMaster(assignment.master());
        conf.setAppName(assignment.name());
        // Each answer is written to the disk at once; all of them together may be larger than memory.
        conf.setIfMissing("spark.driver.maxResultSize", "0");
        conf.setIfMissing("spark.ui.enabled", "false");
        conf.setIfMissing("spark.ui.showConsoleProgress", "false");
        // Tasks have no data locality.
        conf.setIfMissing("spark.locality.wait", "0");
        // Workers that were not started by Spark's own scripts lack this variable, and their executors would not start.
        conf.setIfMissing("spark.executorEnv.SPARK_SCALA_VERSION", "2.13");
        return conf;
    }

    private static Properties defaults() {
        Properties properties = new Properties();
        Path file = file();
        if (file != null && Files.isReadable(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            } catch (IOException e) {
                throw new MachinesRefusedException(file + ": cannot be read: " + e, e);
            }
        }
        properties.keySet().removeIf(key -> !key.toString().startsWith("spark."));
        return properties;
    }

    private static @Nullable Path file() {
        String conf = System.getenv("SPARK_CONF_DIR");
        String home = System.getenv("SPARK_HOME");
        Path directory = conf != null ? Path.of(conf) : home != null ? Path.of(home, "conf") : null;
        return directory == null ? null : directory.resolve("spark-defaults.conf");
    }
}
