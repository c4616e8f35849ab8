package dev.stowage.cli.run;

import dev.stowage.cli.experiment.Runs;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.experiment.RowAddition;
import dev.stowage.sim.experiment.RunFailedException;
import dev.stowage.sim.experiment.ServerChangeReader;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.study.load.PolicyCautions;
import dev.stowage.study.load.RejectedByDesign;
import dev.stowage.study.row.RowAdditions;
import dev.stowage.study.size.InventoryFit;
import dev.stowage.study.size.SizeAddition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts the rows of an experiment into its directory, wherever its units come from, and warns of oddities in them.
 */
final class RowMaking {
    private final ReadExperiment experiment;
    private final Console console;
    private final StatusLine status;
    private final RowAddition addition;
    /** Requests that fit no server, by policy, over all its runs except those of {@link #withoutPlace}. */
    private final Map<String, Double> unfit = new TreeMap<>();
    /** Greatest part of the requests that was rejected in a run, by policy. */
    private final Map<String, Double> rejected = new LinkedHashMap<>();

    private final Set<String> measured = new HashSet<>();
    /** Points of the sweep that are inventories of which some policy finds no place for all. */
    private final Set<Map<String, String>> withoutPlace = new HashSet<>();

    private final List<Remark> cautions;
    /** Of points that end without the wanted precision, a sentence each. */
    private final List<Remark> missed = new ArrayList<>();
    /** Changes of servers that were refused, likewise. */
    private final Map<String, Double> changes = new TreeMap<>();

    /** Makes rows, and delivers them in order. */
    @FunctionalInterface
    interface Maker {
        void make(RowAddition addition, Consumer<ResultRow> rows) throws InterruptedException;
    }

    /** With everything that a run of the experiment adds to its rows. */
    RowMaking(ReadExperiment experiment, Console console) {
        this(experiment, console, size(experiment.size(), console));
    }

    /** With {@code addition} beside the usual additions. */
    RowMaking(ReadExperiment experiment, Console console, RowAddition addition) {
        this.experiment = experiment;
        this.console = console;
        status = new StatusLine(console);
        this.addition = addition;
        cautions = PolicyCautions.of(experiment.points()).stream()
                .map(Remark::plain)
                .toList();
    }

    /** Of policies that are used far outside their assumptions, a sentence each. */
    List<Remark> cautions() {
        return cautions;
    }

    /** A point ends without the wanted precision. */
    void missed(String warning) {
        missed.add(Remark.plain(warning));
    }

    private static RowAddition size(@Nullable SizeQuestion question, Console console) {
        return question == null ? RowAddition.NONE : new SizeAddition(question, new Policies(), console::note);
    }

    /**
     * Writes the rows.
     *
     * @param kept how many units need not be run again if this is interrupted; null if none are kept
     */
    void carryOut(ResultsDirectory directory, @Nullable IntSupplier kept, Maker maker) {
        int runs = Runs.of(experiment.points()).count();
        List<Remark> warnings = new ArrayList<>(experiment.warnings());
        warnings.addAll(cautions);
        directory.writeWarnings(warnings);
        try (RowFile writer = new RowFile(directory.resultsFile());
                Interruption interruption = new Interruption(console, directory.path(), runs, kept)) {
            RowAddition bounds = shown("stowage: computing bounds for ", RowAdditions.all(console::note));
            RowAddition size = addition == RowAddition.NONE
                    ? addition
                    : shown("stowage: finding out how many servers are enough for ", addition);
            maker.make(bounds.then(size), row -> {
                interruption.guarded(row, writer::write);
                count(row);
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInputException("interrupted", e);
        } catch (RunFailedException e) {
            console.note("The rows of the runs finished so far are in " + directory.resultsFile());
            throw e;
        }
        warnings.addAll(missed);
        experiment.points().stream()
                .filter(point -> withoutPlace.contains(point.point()))
                .flatMap(point -> InventoryFit.of(point).stream())
                .forEach(fit -> warnings.add(Remark.plain(fit.sentence())));
        byCount()
                .forEach((count, policies) -> console.note(Remark.warning(String.format(
                        Locale.ROOT,
                        "%s%,.0f request%s no server%s%s, even an empty one, and count%s as rejected",
                        policies.size() < measured.size() ? String.join(", ", policies) + ": " : "",
                        count,
                        count == 1 ? " fits" : "s fit",
                        experiment.points().get(0).origins().areLimited() ? " of the sites allowed" : "",
                        serversGo() ? " that was there when " + (count == 1 ? "it" : "they") + " arrived" : "",
                        count == 1 ? "s" : ""))));
        changes.forEach((policy, count) -> console.note(Remark.warning(String.format(
                Locale.ROOT,
                "%s: %,.0f change%s of servers %s refused: %s.",
                policy,
                count,
                count == 1 ? "" : "s",
                count == 1 ? "was" : "were",
                ServerChangeReader.NEEDS))));
        RejectedByDesign.of(experiment.points().get(0), rejected)
                .map(Remark::plain)
                .forEach(warnings::add);
        directory.writeWarnings(warnings);
    }

    /** By how many requests fit no server: under which policies. */
    private Map<Double, List<String>> byCount() {
        Map<Double, List<String>> policies = new TreeMap<>();
        unfit.forEach((policy, count) ->
                policies.computeIfAbsent(count, first -> new ArrayList<>()).add(policy));
        return policies;
    }

    /** Whether servers may be away when a request arrives. */
    private boolean serversGo() {
        return experiment.points().stream()
                .anyMatch(point -> !point.changes().isEmpty()
                        || !point.hazards().failures().isEmpty());
    }

    /** The addition, which may take long, with a line that shows what it is about. */
    private RowAddition shown(String what, RowAddition slow) {
        return (point, rows) -> {
            status.step(what + rows.get(0).origin().policy());
            try {
                return slow.with(point, rows);
            } finally {
                status.clear();
            }
        };
    }

    private void count(ResultRow row) {
        if (row instanceof RunRow run && run.replication() == 0 && run.horizonSeconds() <= run.warmupSeconds()) {
            console.note(Remark.warning(String.format(
                    Locale.ROOT,
                    "%s: the run ended after %.4g s, within its warm-up of %.4g s: nothing was measured",
                    run.origin().policy(),
                    run.horizonSeconds(),
                    run.warmupSeconds())));
        }
        if (row instanceof RunRow run) {
            Map<String, Double> metrics = run.metrics();
            measured.add(run.origin().policy());
            if (metrics.getOrDefault("without_place", 0.0) > 0) {
                withoutPlace.add(run.origin().point());
            } else {
                add(
                        unfit,
                        run,
                        Math.rint(metrics.getOrDefault("fits_no_server_fraction", 0.0)
                                * metrics.getOrDefault("arrived", 0.0)));
            }
            rejected.merge(
                    run.origin().policy(),
                    metrics.getOrDefault("rejection_fraction", 0.0)
                            - metrics.getOrDefault("fits_no_server_fraction", 0.0),
                    Math::max);
            add(changes, run, metrics.getOrDefault("server_changes_refused", 0.0));
        }
    }

    private static void add(Map<String, Double> byPolicy, RunRow run, double count) {
        if (count > 0) {
            byPolicy.merge(run.origin().policy(), count, Double::sum);
        }
    }
}
