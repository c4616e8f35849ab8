package dev.stowage.cli.run;

import dev.stowage.cli.policies.PluginOptions;
import dev.stowage.cli.remote.ProgramJars;
import dev.stowage.cli.remote.SparkPlace;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.experiment.Units;
import dev.stowage.sim.remote.Assignment;
import dev.stowage.sim.remote.Machines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code stowage run} that choose the machines. */
final class OnOptions {
    @Rare
    @Option(
            names = "--on",
            paramLabel = "MASTER",
            description =
                    "Run on Apache Spark: spark://HOST:7077, yarn, k8s://HOST:PORT, or local[2] to try it. Spark's jars"
                            + " are those of SPARK_HOME. See docs/scale.md.")
    @Nullable
    String master;

    @Rare
    @Option(
            names = "--conf",
            paramLabel = "KEY=VALUE",
            description = "A setting of Spark, e.g. spark.executor.memory=4g; it overrides conf/spark-defaults.conf.")
    List<String> settings = List.of();

    @Rare
    @Option(
            names = "--shared",
            description =
                    "Assume that all machines have this machine's files under the same names: the experiment's files"
                            + " are read there and not sent, and --decisions and --record write there.")
    boolean shared;

    @Rare
    @Option(
            names = "--patience",
            paramLabel = "TIME",
            description = "How long to wait before giving up while no run is in progress on any machine (default: 2"
                    + " min).")
    @Nullable
    String patience;

    /** Whether other machines are asked for. */
    boolean isAsked() {
        return master != null;
    }

    /** Refuses mistakes that can be seen before anything is read. */
    void check(ResultOptions results, boolean hasThreads) {
        if (master == null) {
            if (!settings.isEmpty() || shared || patience != null) {
                throw new BadInputException("--conf, --shared and --patience are allowed only with --on");
            }
            return;
        }
        if (hasThreads) {
            throw new BadInputException(
                    "--threads is for runs on this machine; on Spark --conf spark.cores.max=N says how"
                            + " many run at a time, and --conf spark.executor.cores=N how many in one executor");
        }
        if ((results.decisions != null || results.record != null) && !shared && !master.startsWith("local")) {
            throw new BadInputException(
                    "--decisions and --record: runs on other machines would write these files there;"
                            + " if the directory is the same on all of them (NFS, Lustre), say so with --shared");
        }
        settings();
        patience();
    }

    private Duration patience() {
        return BadInputException.saying(
                "--patience ", () -> Duration.ofNanos(Units.durationNanos(patience == null ? "2 min" : patience, 1)));
    }

    private Map<String, String> settings() {
        Map<String, String> read = new TreeMap<>();
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            if (equals < 1 || !setting.startsWith("spark.")) {
                throw new BadInputException("--conf '" + setting
                        + "' must be KEY=VALUE with a key of Spark, e.g. spark.executor.memory=4g");
            }
            read.put(
                    setting.substring(0, equals).strip(),
                    setting.substring(equals + 1).strip());
        }
        return read;
    }

    /**
     * Connects to the machines.
     *
     * @param name of the experiment
     * @param base directory against which its files are resolved
     * @throws BadInputException if they cannot be used
     */
    Machines.Session connect(
            String name, ReadExperiment experiment, Path base, ResultOptions results, PluginOptions plugins) {
        String where = String.valueOf(master);
        Machines spark = SparkPlace.machines();
        List<Path> files = new ArrayList<>(plugins.jars());
        if (!shared) {
            experiment.files().values().stream().distinct().forEach(files::add);
        }
        refuseEqualNames(files);
        return spark.connect(new Assignment(
                where,
                "stowage " + name,
                settings(),
                ProgramJars.forRuns(!experiment.files().isEmpty()),
                files.stream().map(Path::toAbsolutePath).toList(),
                UnitWorker.class.getName(),
                UnitWorker.setup(experiment, base, results, plugins.jars(), shared || where.startsWith("local")),
                patience()));
    }

    private static void refuseEqualNames(List<Path> files) {
        Set<String> names = new HashSet<>();
        for (Path file : files) {
            if (!names.add(String.valueOf(file.getFileName()))) {
                throw new BadInputException(
                        file + ": another file that is sent to the machines has this name, too; rename one,"
                                + " or use --shared");
            }
        }
    }
}
