package dev.stowage.cli.report;

import dev.stowage.cli.experiment.Runs;
import dev.stowage.cli.log.ServiceLog;
import dev.stowage.cli.log.StopSignal;
import dev.stowage.cli.replay.RecordedExperiment;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.cli.text.Version;
import dev.stowage.cli.watch.RunObservers;
import dev.stowage.policies.Policies;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.service.api.LocalPage;
import dev.stowage.sim.driver.RecordingReader;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.study.step.RecordedRun;
import dev.stowage.study.step.StepAnswers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Recorded runs on a page of this machine, from the first command to Ctrl-C.
 *
 * @param place a recording, or a directory with some
 * @param names which of them; empty for all, if they are not more than fit
 * @param policy another policy for the same requests, beside the only recording
 */
record StepPage(Path place, List<String> names, @Nullable String policy, Console console) {
    /** As many as fit beside each other. */
    private static final int MOST = 2;

    /** Serves until a signal ends it. */
    int serve(int port) throws InterruptedException {
        ServiceLog.quiet();
        List<Path> files = files();
        if (policy != null && files.size() > 1) {
            throw new BadInputException("--policy is shown beside one recording, but there are " + names(files)
                    + "; name one with --recording");
        }
        StopSignal signal = new StopSignal();
        List<RecordedRun> runs = new ArrayList<>();
        try {
            for (Path file : files) {
                runs.add(read(file, stem(file)));
            }
            if (policy != null) {
                runs.add(other(files.get(0), policy));
            }
            serve(port, answers(runs), signal);
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException("the page cannot be served: " + e.getMessage(), e);
        } finally {
            runs.forEach(RecordedRun::close);
            signal.close();
        }
    }

    private static StepAnswers answers(List<RecordedRun> runs) {
        return BadInputException.saying("", () -> new StepAnswers(runs));
    }

    private void serve(int port, StepAnswers answers, StopSignal signal) throws IOException, InterruptedException {
        try (LocalPage page = LocalPage.start(port, "step.html", answers::answer)) {
            console.out().println("Step through it at http://127.0.0.1:" + page.port() + "/  (Ctrl-C ends the page)");
            console.out().flush();
            signal.await();
        }
    }

    private RecordedRun read(Path file, String name) {
        StatusLine line = new StatusLine(console);
        try {
            line.step("stowage: reads " + file);
            RecordedRun run = RecordedRun.read(
                    file,
                    name,
                    new Policies(),
                    commands -> line.step(String.format(Locale.ROOT, "stowage: %s: %,d commands", file, commands)));
            line.clear();
            warn(file, run);
            return run;
        } finally {
            line.clear();
        }
    }

    private void warn(Path file, RecordedRun run) {
        if (run.commands() == 0) {
            throw new BadInputException(
                    file + ": has no commands; its run ended immediately, or the file was truncated");
        }
        if (!run.whole()) {
            console.warn("stowage: " + file + " is incomplete: its run was interrupted or the file was truncated; it is"
                    + " shown as far as it goes");
        } else if (!run.agrees()) {
            console.warn("stowage: the decisions recorded in " + file + " differ from those made now: another version"
                    + " of Stowage or of the policy; the page shows those made now");
        }
    }

    /** The requests of a recording under another policy, recorded too. */
    private RecordedRun other(Path file, String argument) throws IOException, InterruptedException {
        ReadExperiment experiment = RecordedExperiment.of(file, List.of(argument));
        experiment.notes().forEach(note -> console.note("stowage: ", note));
        Path directory = Files.createTempDirectory("stowage-step-");
        Path record = directory.resolve("other.log");
        StatusLine line = new StatusLine(console);
        try {
            line.step("stowage: " + argument + " on the same requests");
            new ExperimentRunner(
                            new Policies(),
                            Version.number(),
                            1,
                            ProgressListener.NONE,
                            RunObservers.of(null, record, Runs.of(experiment.points())))
                    .run(experiment.points(), row -> {});
            line.clear();
            return read(record, argument + " (" + stem(file) + ")");
        } finally {
            line.clear();
            Files.deleteIfExists(record);
            Files.deleteIfExists(directory);
        }
    }

    /** The recordings that are to be shown. */
    private List<Path> files() {
        if (!Files.isDirectory(place)) {
            if (!names.isEmpty()) {
                throw new BadInputException("--recording is allowed only with a directory; " + place + " is not one");
            }
            return List.of(place);
        }
        List<Path> all = recordings();
        if (all.isEmpty()) {
            throw new BadInputException("there is no recording in " + place
                    + "; record a run with: stowage run EXPERIMENT --replications 1 --out " + place + " --record "
                    + place
                    + "/run.log.gz");
        }
        if (names.isEmpty() && all.size() > MOST) {
            throw new BadInputException("there are " + all.size() + " recordings in " + place + ": " + names(all)
                    + "; name one or two of them with --recording");
        }
        if (names.size() > MOST) {
            throw new BadInputException(
                    "--recording names " + names.size() + "; at most two can be shown side by side");
        }
        return names.isEmpty()
                ? all
                : names.stream().map(name -> named(name, all)).toList();
    }

    private static Path named(String name, List<Path> all) {
        return all.stream()
                .filter(file -> stem(file).equals(name)
                        || String.valueOf(file.getFileName()).equals(name))
                .findFirst()
                .orElseThrow(() -> {
                    String hint =
                            Suggestion.of(name, all.stream().map(StepPage::stem).toList());
                    return new BadInputException("--recording " + name + ": there is no recording of this name"
                            + (hint.isEmpty() ? "; known: " + names(all) : hint));
                });
    }

    private List<Path> recordings() {
        try (Stream<Path> files = Files.list(place)) {
            return files.filter(file ->
                            file.toString().endsWith(".log") || file.toString().endsWith(".log.gz"))
                    .filter(RecordingReader::isRecording)
                    .sorted(Comparator.comparing(Path::toString))
                    .toList();
        } catch (IOException e) {
            throw new BadInputException(place + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static String names(List<Path> files) {
        return String.join(", ", files.stream().map(StepPage::stem).toList());
    }

    private static String stem(Path file) {
        return String.valueOf(file.getFileName()).replaceAll("\\.log(\\.gz)?$", "");
    }
}
