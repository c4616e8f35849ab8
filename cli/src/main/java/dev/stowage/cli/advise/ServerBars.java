package dev.stowage.cli.advise;

import dev.stowage.core.model.ResourceWords;
import dev.stowage.report.AnswerPage;
import dev.stowage.study.advise.AdviceView;
import dev.stowage.study.advise.ClusterAdvice;
import dev.stowage.study.advise.ClusterJob;
import dev.stowage.study.advise.ClusterState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The servers as bars, before and after the plan. */
final class ServerBars {
    private static final int MOST_RESOURCES = 2;

    private ServerBars() {}

    static AnswerPage.BarsOfServers of(ClusterState state, ClusterAdvice advice, AdviceView view, AdviceWords words) {
        int resources = Math.min(MOST_RESOURCES, state.resources().size());
        List<String> names = state.resources().stream()
                .limit(resources)
                .map(ResourceWords::resource)
                .toList();
        int servers = state.servers().size();
        int[] jobs = new int[servers];
        int[] where = state.jobs().stream().mapToInt(ClusterJob::server).toArray();
        double[][] before = parts(state, where, resources);
        for (int at : where) {
            if (at >= 0) {
                jobs[at]++;
            }
        }
        where = advice.after().jobs().stream().mapToInt(ClusterJob::server).toArray();
        double[][] after = parts(state, where, resources);
        Map<String, Boolean> off = new LinkedHashMap<>();
        view.off().forEach(one -> off.put(one.server(), one.emptyAlready()));
        List<AnswerPage.Bar> bars = new ArrayList<>();
        for (int s = 0; s < servers; s++) {
            String name = state.servers().get(s).name();
            List<Double> now = new ArrayList<>();
            List<Double> then = new ArrayList<>();
            StringBuilder tip = new StringBuilder(name + ": " + words.jobs(jobs[s]));
            for (int r = 0; r < resources; r++) {
                now.add(before[s][r]);
                then.add(after[s][r]);
                tip.append(String.format(
                        Locale.ROOT,
                        ", %s %.0f %% now, %.0f %% after",
                        names.get(r),
                        100 * before[s][r],
                        100 * after[s][r]));
            }
            boolean empty = off.getOrDefault(name, false);
            bars.add(new AnswerPage.Bar(
                    empty ? name + " · empty" : name,
                    now,
                    then,
                    off.containsKey(name),
                    tip + (empty ? "; empty already" : "")));
        }
        return new AnswerPage.BarsOfServers(names, bars);
    }

    private static double[][] parts(ClusterState state, int[] where, int resources) {
        double[][] parts = new double[state.servers().size()][resources];
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
        return parts;
    }
}
