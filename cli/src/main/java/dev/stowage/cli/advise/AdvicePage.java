package dev.stowage.cli.advise;

import dev.stowage.report.ClusterPage;
import dev.stowage.study.advise.AdviceView;
import dev.stowage.study.advise.ClusterAdvice;
import dev.stowage.study.advise.ClusterJob;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.DeploymentRoom;
import dev.stowage.study.advise.MovePlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Advice as a page with a picture of the servers. */
final class AdvicePage {
    private static final int MOST_RESOURCES = 2;
    private static final int MOST_STEPS = 2000;

    private final ClusterState state;
    private final ClusterAdvice advice;
    private final AdviceView view;
    private final AdviceWords words;
    private final AdviceSentences say;

    AdvicePage(ClusterState state, ClusterAdvice advice, AdviceView view, AdviceWords words) {
        this.state = state;
        this.advice = advice;
        this.view = view;
        this.words = words;
        say = new AdviceSentences(words);
    }

    ClusterPage page() {
        int resources = Math.min(MOST_RESOURCES, state.resources().size());
        return new ClusterPage(
                "Advice for a cluster of " + words.servers(view.servers()),
                say.lead(view),
                state.resources().subList(0, resources),
                bars(resources),
                parts());
    }

    private List<ClusterPage.Bar> bars(int resources) {
        int servers = state.servers().size();
        double[][] before = new double[servers][resources];
        double[][] after = new double[servers][resources];
        int[] jobs = new int[servers];
        int[] where = state.jobs().stream().mapToInt(ClusterJob::server).toArray();
        fill(before, where, resources);
        for (int at : where) {
            if (at >= 0) {
                jobs[at]++;
            }
        }
        for (MovePlan.Step step : advice.plan().steps()) {
            where[step.job()] = step.to();
        }
        fill(after, where, resources);
        Set<Integer> freed = new HashSet<>(advice.plan().freed());
        List<ClusterPage.Bar> bars = new ArrayList<>();
        for (int s = 0; s < servers; s++) {
            List<Double> now = new ArrayList<>();
            List<Double> then = new ArrayList<>();
            StringBuilder tip = new StringBuilder(state.servers().get(s).name() + ": " + words.jobs(jobs[s]));
            for (int r = 0; r < resources; r++) {
                now.add(before[s][r]);
                then.add(after[s][r]);
                tip.append(String.format(
                        Locale.ROOT,
                        ", %s %.0f %% now, %.0f %% after",
                        state.resources().get(r),
                        100 * before[s][r],
                        100 * after[s][r]));
            }
            bars.add(new ClusterPage.Bar(state.servers().get(s).name(), now, then, freed.contains(s), tip.toString()));
        }
        return bars;
    }

    private void fill(double[][] parts, int[] where, int resources) {
        for (int j = 0; j < where.length; j++) {
            long[] demand = state.jobs().get(j).demand();
            for (int r = 0; where[j] >= 0 && r < resources; r++) {
                parts[where[j]][r] += demand[r];
            }
        }
        for (int s = 0; s < parts.length; s++) {
            long[] capacity = state.servers().get(s).capacity();
            for (int r = 0; r < resources; r++) {
                parts[s][r] = capacity[r] > 0 ? parts[s][r] / capacity[r] : 0;
            }
        }
    }

    private List<ClusterPage.Part> parts() {
        List<ClusterPage.Part> parts = new ArrayList<>();
        List<List<String>> policies = new ArrayList<>();
        view.policies()
                .forEach(need -> policies.add(
                        List.of(need.policy(), Integer.toString(need.servers()), Integer.toString(need.without()))));
        policies.add(List.of("plan", Integer.toString(view.fewest().planEnd()), "0"));
        policies.add(List.of("proven least", Integer.toString(view.fewest().bound()), "0"));
        parts.add(new ClusterPage.Part(
                "How many " + words.server() + "s",
                "If each policy had placed the running " + words.job() + "s from scratch, in order of arrival.",
                List.of("policy", words.server() + "s", "without a place"),
                policies));
        parts.add(plan());
        if (!view.held().isEmpty()) {
            List<List<String>> held = new ArrayList<>();
            view.held().forEach(one -> held.add(List.of(Integer.toString(one.jobs()), one.reason())));
            parts.add(new ClusterPage.Part("Not moved", "", List.of(words.job() + "s", "because it"), held));
        }
        List<List<String>> waiting = new ArrayList<>();
        view.waiting()
                .forEach(one -> waiting.add(
                        List.of(one.job(), Integer.toString(one.alike()), say.reasons(one, view.servers()))));
        parts.add(new ClusterPage.Part(
                "Waiting", waiting.isEmpty() ? "Nothing waits." : "", List.of(words.job(), "alike", "why"), waiting));
        parts.add(losses());
        DeploymentRoom room = view.room();
        if (room != null) {
            parts.add(new ClusterPage.Part("One more deployment", say.room(room), List.of(), List.of()));
        }
        List<List<String>> notes = new ArrayList<>();
        view.notes().forEach(note -> notes.add(List.of(note)));
        if (!notes.isEmpty()) {
            parts.add(new ClusterPage.Part("Notes", "", List.of("about the input"), notes));
        }
        return parts;
    }

    private ClusterPage.Part plan() {
        List<List<String>> steps = new ArrayList<>();
        for (AdviceView.Move move : view.plan().steps()) {
            if (steps.size() < MOST_STEPS) {
                steps.add(List.of(
                        Integer.toString(move.step()),
                        Integer.toString(move.round()),
                        move.job(),
                        move.from(),
                        move.to(),
                        move.saves() == 0 ? "" : move.empties() + " is empty"));
            }
        }
        int rest = view.plan().steps().size() - steps.size();
        return new ClusterPage.Part(
                "Plan",
                say.plan(view)
                        + (rest > 0 ? " The first " + MOST_STEPS + " moves; " + rest + " more in the JSON." : ""),
                List.of("step", "round", words.job(), "from", "to", "saves"),
                steps);
    }

    private ClusterPage.Part losses() {
        List<List<String>> losses = new ArrayList<>();
        view.lossOfZones().forEach(loss -> losses.add(List.of(say.loss(loss))));
        view.lossOfServers().forEach(loss -> losses.add(List.of(say.loss(loss))));
        return new ClusterPage.Part(
                "Loss of a " + words.server(),
                view.lossOfServers().isEmpty()
                        ? "Each single " + words.server() + " can be lost."
                        : say.cannotBeLost(view),
                losses.isEmpty() ? List.of() : List.of("what is lost, and what is short then"),
                losses);
    }
}
