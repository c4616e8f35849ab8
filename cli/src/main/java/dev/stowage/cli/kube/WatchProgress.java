package dev.stowage.cli.kube;

import dev.stowage.cli.advise.AdviceWords;
import dev.stowage.cli.advise.ConsolidationProgress;
import dev.stowage.cli.text.Console;
import dev.stowage.core.metrics.PrometheusText;
import dev.stowage.kube.consolidate.ControllerLease;
import dev.stowage.study.advise.AdviceView;
import dev.stowage.study.advise.NextServers;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a controller does: a line for each decision, its ConfigMap, and metrics. */
final class WatchProgress extends ConsolidationProgress {
    private static final int DECISIONS = 20;
    private static final int NAMED = 50;

    private final ControllerLease lease;
    private final Consumer<String> emptied;
    private final Clock clock = Clock.systemUTC();
    private final Map<String, Long> counts = new TreeMap<>();
    private final Deque<String> decisions = new ArrayDeque<>();
    private String state = "";
    private @Nullable NextServers plan;
    private volatile int inUse;
    private volatile int held;
    private volatile boolean leads;

    /** @param emptied is told of each node that is empty */
    WatchProgress(Console console, AdviceWords words, boolean json, ControllerLease lease, Consumer<String> emptied) {
        super(console, words, json);
        this.lease = lease;
        this.emptied = emptied;
    }

    @Override
    protected void line(String text, String event, Object... more) {
        super.line(text, event, more);
        synchronized (counts) {
            counts.merge(event, 1L, Long::sum);
        }
        state = text;
        decisions.addLast(clock.instant().truncatedTo(ChronoUnit.SECONDS) + " " + text);
        if (decisions.size() > DECISIONS) {
            decisions.removeFirst();
        }
        write();
    }

    /** What it does, or why it does nothing; said once as long as it is so. */
    void idles(String why) {
        if (!why.equals(state)) {
            line(why, "idle", "why", why);
        }
    }

    /** Something else that was decided. */
    void says(String event, String text, String node) {
        line(text, event, "node", node);
    }

    @Override
    public void planned(int nodes, NextServers found) {
        boolean same = found.equals(plan);
        plan = found;
        inUse = nodes;
        if (!found.next().isEmpty() && !same) {
            super.planned(nodes, found);
        }
    }

    @Override
    public void emptied(String server) {
        emptied.accept(server);
        super.emptied(server);
    }

    /** Nodes that were emptied and are there still. */
    void held(int nodes) {
        held = nodes;
    }

    void leads(boolean now) {
        leads = now;
    }

    /** Why the last plan names no nodes. */
    String whyNothing() {
        NextServers last = plan;
        if (last == null || !last.next().isEmpty()) {
            return "";
        }
        int stay = last.kept().size();
        String first = last.kept().entrySet().stream()
                .findFirst()
                .map(one -> stay + " nodes stay, the first " + one.getKey() + ": " + one.getValue())
                .orElse("no plan uses fewer nodes");
        return "nothing to empty: " + (last.limit().isEmpty() ? first : last.limit());
    }

    /** Writes the ConfigMap; only the holder of the lease does. */
    void write() {
        if (!lease.holds()) {
            return;
        }
        Map<String, String> data = new LinkedHashMap<>();
        data.put("state", state);
        data.put("decisions", String.join("\n", decisions) + "\n");
        NextServers last = plan;
        if (last != null) {
            data.put("plan", plan(last));
            List<String> kept = new ArrayList<>();
            last.kept().entrySet().stream()
                    .limit(NAMED)
                    .forEach(one -> kept.add(one.getKey() + ": " + one.getValue() + "\n"));
            data.put("kept", String.join("", kept));
        }
        lease.say(data);
    }

    private static String plan(NextServers last) {
        StringBuilder text = new StringBuilder();
        last.next().forEach((node, moves) -> {
            text.append(String.format(
                    Locale.ROOT, "%s: score %.2f%n", node, last.scores().get(node)));
            for (AdviceView.Move move : moves) {
                text.append("  ").append(move.job()).append(" from ").append(move.from());
                text.append(" to ").append(move.to()).append('\n');
            }
        });
        if (!last.limit().isEmpty()) {
            text.append("no more, because ").append(last.limit()).append('\n');
        }
        return text.toString();
    }

    /** The metrics, in the text form of Prometheus. */
    String metrics() {
        String decided = "stowage_consolidate_decisions_total";
        PrometheusText text = new PrometheusText()
                .gauge("stowage_consolidate_leading", "1 if this replica acts.", leads ? 1 : 0)
                .gauge("stowage_consolidate_nodes_in_use", "Nodes in use, by the last plan.", inUse)
                .gauge("stowage_consolidate_nodes_emptied", "Emptied nodes that still exist.", held)
                .head(decided, "counter", "Decisions, as in the log.");
        synchronized (counts) {
            counts.forEach((event, count) -> text.sample(decided, "decision=\"" + event + "\"", count));
        }
        return text.toString();
    }
}
