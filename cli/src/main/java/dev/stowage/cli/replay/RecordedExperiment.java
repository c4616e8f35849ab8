package dev.stowage.cli.replay;

import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.policies.PluginOptions;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Names;
import dev.stowage.cli.text.PolicyArgument;
import dev.stowage.cli.text.ProgressBar;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.policy.Capability;
import dev.stowage.policies.Policies;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.driver.RecordedSetup;
import dev.stowage.sim.driver.Recording;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.PolicyNeeds;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.experiment.WarmUpRule;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.TraceWorkload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What was recorded as an experiment for other policies. */
public final class RecordedExperiment {
    private static final double CONFIDENCE = 0.95;

    private RecordedExperiment() {}

    /**
     * The experiment.
     *
     * @param log a recording
     * @param policies as arguments of the command line
     * @throws BadInputException if one of them cannot do what was asked
     */
    public static ReadExperiment of(Path log, List<String> policies) {
        Recording recording = Recording.replay(log, new Policies(), Effects.NONE);
        RecordedSetup setup = recording.setup();
        String name = Names.stem(log) + "-replay";
        Experiment experiment = new Experiment(
                name,
                recording.digest(),
                Map.of(),
                setup.cluster(),
                new TraceWorkload(recording.requests()),
                recording.origins(),
                policies.stream().map(policy -> under(policy, recording)).toList(),
                setup.steps(),
                setup.slotNanos(),
                end(recording),
                WarmUpRule.NONE,
                setup.seed(),
                1,
                CONFIDENCE,
                recording.changes(),
                setup.speedOneShare(),
                null,
                Hazards.NONE,
                false);
        List<String> again = new ArrayList<>(List.of("replay", log.toString(), "--policy", String.join(",", policies)));
        again.addAll(PluginOptions.again(Path.of("")));
        String text = "# " + ReportOption.again(again) + "\nname: " + name + "\n";
        List<String> notes = new ArrayList<>(estimated(recording));
        notes.add("No warm-up is cut from a recording: its figures are of the whole run. 'stowage run' cuts one from"
                + " generated requests, unless the experiment has 'warm-up: none'.");
        if (recording.recordedDigest() == null) {
            notes.add(String.format(
                    Locale.ROOT,
                    "The recording is incomplete: its run was interrupted or the file was truncated. What follows"
                            + " covers its %,d requests up to %s.",
                    recording.requests().size(),
                    ProgressBar.duration(recording.endNanos() / 1e9)));
        }
        recording.notKept().forEach(note -> notes.add("In the recording, " + note + "."));
        return new ReadExperiment(
                List.of(experiment), text, notes.stream().map(Remark::plain).toList());
    }

    /** Its last command's time; a run that ended with its last arrival is to end with it again, and not before it. */
    private static End end(Recording recording) {
        long end = Math.max(1, recording.endNanos());
        boolean withLastArrival = recording.requests().lastArrivalNanos() >= end;
        return new End(withLastArrival ? Long.MAX_VALUE : end, Long.MAX_VALUE, false);
    }

    private static List<String> estimated(Recording recording) {
        int requests = recording.requests().size();
        return recording.estimated() == 0
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "The log does not contain the work of its requests. Of %,d requests, %,d (%.1f %%) did not end"
                                + " in it, because they were rejected or still running: how long they run is estimated"
                                + " from others of the same type (Kaplan-Meier).",
                        requests,
                        recording.estimated(),
                        100.0 * recording.estimated() / requests));
    }

    private static LabelledPolicy under(String argument, Recording recording) {
        LabelledPolicy policy = PolicyArgument.labelled(argument);
        TraceWorkload requests = new TraceWorkload(recording.requests());
        Set<Capability> needed =
                PolicyNeeds.of(recording.setup().cluster(), requests, recording.origins(), Hazards.NONE);
        PolicyNeeds.obstacle(policy.spec(), new Policies(), needed, requests).ifPresent(obstacle -> {
            throw new BadInputException("--policy " + argument + ": " + obstacle);
        });
        return policy;
    }
}
