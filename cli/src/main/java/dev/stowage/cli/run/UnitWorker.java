package dev.stowage.cli.run;

import dev.stowage.cli.experiment.Runs;
import dev.stowage.cli.policies.PluginOptions;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Version;
import dev.stowage.cli.watch.RunObservers;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.InputFiles;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.experiment.RemoteRuns;
import dev.stowage.sim.experiment.RunObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The worker on another machine, which runs units of one experiment. The cluster engine makes it, by its class name.
 */
public final class UnitWorker implements Function<String, byte[]> {
    private static final String TEXT = "experiment";
    private static final String BASE = "base";
    private static final String SHARED = "shared";
    private static final String PLUGINS = "plugins";
    private static final String DECISIONS = "decisions";
    private static final String RECORD = "record";
    /** A file whose only purpose is to be seen by other machines. */
    private static final String PROBE = "probe";
    /** Prefix of the experiment's name for a file. */
    private static final String FILE = "file:";

    private final Map<String, String> setup;
    private final Path directory;
    /** Finds policies, also in the jars that were sent. */
    private final ClassLoader loader;

    private final RemoteRuns runs;
    private ExperimentRunner.@Nullable ObserverFactory observers;

    /** For {@link #setup}; {@code directory} is where sent files are. */
    public UnitWorker(Map<String, String> setup, Path directory) {
        this.setup = setup;
        this.directory = directory;
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(UnitWorker.class.getClassLoader());
        try {
            loader = PluginOptions.loader(
                    text(PLUGINS).lines().map(directory::resolve).toList());
            thread.setContextClassLoader(loader);
            runs = new RemoteRuns(
                    host(), this::read, Version.number(), text(BASE), new Policies(), new WrittenWithRuns());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** The settings that a worker needs. */
    static Map<String, String> setup(
            ReadExperiment experiment, Path base, ResultOptions results, List<Path> plugins, boolean shared) {
        Map<String, String> setup = new HashMap<>();
        setup.put(TEXT, InputFiles.places(experiment.files(), base) + experiment.resolvedYaml());
        setup.put(BASE, base.toAbsolutePath().toString());
        setup.put(SHARED, String.valueOf(shared));
        setup.put(
                PLUGINS,
                String.join(
                        "\n",
                        plugins.stream()
                                .map(jar -> String.valueOf(jar.getFileName()))
                                .toList()));
        experiment.files().forEach((name, file) -> setup.put(FILE + name, String.valueOf(file.getFileName())));
        put(setup, DECISIONS, results.decisions);
        put(setup, RECORD, results.record);
        return setup;
    }

    private static void put(Map<String, String> setup, String key, @Nullable Path file) {
        if (file != null) {
            setup.put(key, file.toAbsolutePath().toString());
            Path probe = probe(file);
            setup.put(PROBE + key, probe.toString());
        }
    }

    /**
     * Written next to files that many machines write: a machine that does not see it has another directory of the same
     * name.
     */
    private static Path probe(Path file) {
        try {
            Path probe = Files.createTempFile(file.toAbsolutePath().getParent(), ".stowage-", ".shared");
            probe.toFile().deleteOnExit();
            return probe;
        } catch (IOException e) {
            throw new BadInputException(file + ": its directory does not exist or is not writable; make it first", e);
        }
    }

    @Override
    public byte[] apply(String task) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return runs.run(task);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private ReadExperiment read() {
        ReadExperiment experiment =
                ExperimentReader.read("the experiment", text(TEXT), files(), List.of(), new Policies());
        observers = RunObservers.of(written(DECISIONS), written(RECORD), Runs.of(experiment.points()));
        return experiment;
    }

    private InputFiles files() {
        if (Boolean.parseBoolean(text(SHARED))) {
            return InputFiles.in(Path.of(text(BASE)), text(TEXT));
        }
        Map<String, Path> sent = new HashMap<>();
        setup.forEach((key, file) -> {
            if (key.startsWith(FILE)) {
                sent.put(key.substring(FILE.length()), directory.resolve(file));
            }
        });
        return InputFiles.brought(sent);
    }

    private @Nullable Path written(String key) {
        String file = setup.get(key);
        if (file == null) {
            return null;
        }
        Path probe = Path.of(text(PROBE + key));
        if (!Files.exists(probe)) {
            throw new BadInputException(probe.getParent()
                    + ": is not the same directory here as on the machine that started the runs (there is no "
                    + probe.getFileName() + "): --decisions and --record need a shared one");
        }
        return Path.of(file);
    }

    private String text(String key) {
        return setup.getOrDefault(key, "");
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "without a name";
        }
    }

    /** Its delegate is known when the experiment has been read, which is before the first run. */
    private final class WrittenWithRuns implements ExperimentRunner.ObserverFactory {
        @Override
        public RunObserver observe(Experiment point, LabelledPolicy policy, int replication) {
            ExperimentRunner.ObserverFactory known = observers;
            return known == null ? RunObserver.NONE : known.observe(point, policy, replication);
        }
    }
}
