package dev.stowage.cli.replay;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.directory.RecordedLog;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Figures;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.ReplayedPolicy;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.ServiceState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Replays the log of a service: with its own policy, and with others. */
final class LogReplay implements RecordedLog.Listener {
    /** Assumptions, for what a live log does not contain. */
    private static final String ASSUMED =
            "Assumption: a request runs as long as in the log, wherever and whenever it is placed; one that has not"
                    + " ended in the log runs on. ";

    private static final double NANOS = 1e9;

    private final RecordedLog log;
    private final List<PolicySpec> policies;
    private final Console console;
    /** Length of the end of the log that is counted, in nanoseconds; negative for all. */
    private final long last;
    /** The first has the recorded policy, and so must make the recorded decisions. */
    private final List<ReplayedPolicy> replayed = new ArrayList<>();

    private long entries;
    private long from = Long.MIN_VALUE;

    LogReplay(RecordedLog log, List<PolicySpec> policies, long last, Console console) {
        this.log = log;
        this.policies = policies;
        this.last = last;
        this.console = console;
    }

    @Override
    public void begun(ServiceState state) {
        if (state.now() >= from) {
            begin(state);
        }
    }

    private void begin(ServiceState state) {
        replayed.add(ReplayedPolicy.of(state, null, new Policies()));
        for (PolicySpec policy : policies) {
            replayed.add(ReplayedPolicy.of(state, policy, new Policies()));
        }
    }

    @Override
    public void applied(ServiceState state, Batch batch, List<Outcome> outcomes, List<Request> changes) {
        if (replayed.isEmpty() && state.now() >= from) {
            begin(state);
            return;
        }
        entries += replayed.isEmpty() ? 0 : 1;
        replayed.forEach(one -> one.apply(state.now(), batch, outcomes, changes));
    }

    /** Replays and shows it; false if the replay differs from what was recorded. */
    boolean run(OutputFormat format) {
        ServiceState end = StatusLine.during(console, "stowage: replaying " + log.data(), this::replay);
        if (replayed.isEmpty()) {
            throw new BadInputException(log.data() + ": nothing is recorded yet");
        }
        List<Figures> figures = replayed.stream().map(ReplayedPolicy::figures).toList();
        List<String> resources = end.world() == null ? List.of() : end.world().resources();
        switch (format) {
            case JSON -> console.out().print(Data.json(figures));
            case CSV -> console.out().print(csv(figures, resources));
            case TABLE -> console.out().print(table(figures, resources));
        }
        return agrees(end, figures.get(0));
    }

    private ServiceState replay() {
        try {
            from = last < 0 ? Long.MIN_VALUE : log.end() - last;
            return log.replay(new Policies(), this);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private boolean agrees(ServiceState end, Figures recorded) {
        String done = String.format(
                Locale.ROOT,
                "%s: %,d entries, %s",
                log.data(),
                entries,
                duration((recorded.untilNanos() - recorded.sinceNanos()) / NANOS));
        String halted = end.halted();
        if (halted != null) {
            console.warn("stowage: " + done + ", but then: " + halted);
            return false;
        }
        if (end.world() == null || recorded.digest() != end.world().engine().digest()) {
            console.warn("stowage: " + done + ", but a second engine with the recorded policy does something else: "
                    + (recorded.failure().isEmpty() ? "the digest differs" : recorded.failure()));
            return false;
        }
        console.note(done + ": replays to the recorded digests");
        return true;
    }

    private String table(List<Figures> figures, List<String> resources) {
        List<String> header = new ArrayList<>(List.of(
                "policy",
                "requests",
                "placed",
                "rejected",
                "gave up",
                "waiting",
                "running",
                "mean wait",
                "moves",
                "servers used"));
        resources.forEach(resource -> header.add(resource + " used"));
        Columns columns = new Columns(header);
        for (int i = 0; i < figures.size(); i++) {
            columns.row(cells(figures.get(i), i == 0).toArray(String[]::new));
        }
        StringBuilder text = new StringBuilder(columns.text(console.style()));
        if (several(figures.get(0))) {
            text.append(console.wrapped("", "Recorded: " + figures.get(0).policy() + "."));
        }
        if (figures.stream().anyMatch(LogReplay::countsSomeAgain)) {
            text.append(console.wrapped(
                    "",
                    "Those placed, rejected, given up and still waiting add up to more than came: a request that"
                            + " lost its server is placed or rejected again, and some may have waited when counting"
                            + " began."));
        }
        if (figures.size() > 1) {
            text.append(console.wrapped("", ASSUMED + estimated(figures)));
        }
        for (Figures one : figures) {
            if (!one.failure().isEmpty()) {
                text.append(one.policy()).append(": ").append(one.failure()).append('\n');
            }
            if (one.refusedChanges() > 0) {
                text.append(one.policy())
                        .append(": ")
                        .append(one.refusedChanges())
                        .append(" servers could not be removed at the recorded time: requests ran on them\n");
            }
        }
        return text.toString();
    }

    private static String estimated(List<Figures> figures) {
        List<String> parts = figures.stream()
                .filter(one -> one.estimated() > 0)
                .map(one -> String.format(
                        Locale.ROOT,
                        "%,d of %,d (%.1f %%) with %s",
                        one.estimated(),
                        one.arrived(),
                        100.0 * one.estimated() / one.arrived(),
                        one.policy()))
                .toList();
        return parts.isEmpty()
                ? "Every request that another policy placed was placed in the log, too: nothing is estimated."
                : "How long requests run that the recorded policy never placed is unknown. It is estimated from"
                        + " requests of the same type and demand that it placed (Kaplan-Meier): "
                        + String.join(", ", parts) + ".";
    }

    private static boolean countsSomeAgain(Figures one) {
        return one.placed() + one.rejected() + one.gaveUp() + one.waiting() > one.arrived();
    }

    /** Whether the policy was changed in the log, so that several have decided. */
    private static boolean several(Figures recorded) {
        return recorded.policy().contains(ReplayedPolicy.THEN);
    }

    private static List<String> cells(Figures one, boolean recorded) {
        List<String> cells = new ArrayList<>(List.of(
                !recorded ? one.policy() : several(one) ? "recorded" : one.policy() + " (recorded)",
                count(one.arrived()),
                count(one.placed()),
                count(one.rejected()),
                count(one.gaveUp()),
                count(one.waiting()),
                count(one.running()),
                duration(one.meanWaitSeconds()),
                count(one.migrated()),
                String.format(Locale.ROOT, "%.1f", one.meanOccupied())));
        one.meanUtilization().forEach(mean -> cells.add(String.format(Locale.ROOT, "%.1f %%", 100 * mean)));
        return cells;
    }

    private static String csv(List<Figures> figures, List<String> resources) {
        List<String> header = new ArrayList<>(List.of(
                "policy",
                "arrived",
                "placed",
                "rejected",
                "gave_up",
                "waiting",
                "running",
                "estimated",
                "mean_wait_s",
                "migrated",
                "mean_occupied"));
        resources.forEach(resource -> header.add("mean_utilization_" + resource));
        Data.Csv csv = new Data.Csv(header.toArray(String[]::new));
        for (Figures one : figures) {
            List<String> row = new ArrayList<>();
            row.add(one.policy());
            for (long count : List.of(
                    one.arrived(),
                    one.placed(),
                    one.rejected(),
                    one.gaveUp(),
                    one.waiting(),
                    one.running(),
                    one.estimated())) {
                row.add(Long.toString(count));
            }
            row.add(Double.toString(one.meanWaitSeconds()));
            row.add(Long.toString(one.migrated()));
            row.add(Double.toString(one.meanOccupied()));
            one.meanUtilization().forEach(mean -> row.add(mean.toString()));
            csv.row(row.toArray(String[]::new));
        }
        return csv.text();
    }

    private static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String duration(double seconds) {
        return seconds < 120
                ? String.format(Locale.ROOT, "%.3g s", seconds)
                : String.format(Locale.ROOT, "%.1f min", seconds / 60);
    }

    /** The log in a directory, or null if the path is not a log. */
    static @Nullable RecordedLog in(java.nio.file.Path path) {
        try {
            return RecordedLog.in(path);
        } catch (IOException e) {
            throw new BadInputException(String.valueOf(e.getMessage()), e);
        }
    }
}
