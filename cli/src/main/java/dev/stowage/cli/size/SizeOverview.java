package dev.stowage.cli.size;

import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.sim.result.Estimate;
import dev.stowage.study.size.Sizing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Shows how many servers the policies of an experiment need. */
final class SizeOverview {
    private final Console console;

    SizeOverview(Console console) {
        this.console = console;
    }

    /**
     * What is shown of a policy.
     *
     * @param servers null where no number of servers is enough
     * @param byReplication 0 where none was found
     */
    record Sized(
            String policy, @Nullable Estimate servers, Estimate bound, List<Long> byReplication, List<Long> boundBy) {}

    void show(ExperimentSource source, OutputFormat format) {
        ReadExperiment read = source.experiment();
        read.notes().forEach(console::note);
        SizeTarget target = read.size();
        if (read.points().size() != 1 || target == null) {
            throw new BadInputException("size answers for one point: leave the sweep out ("
                    + read.points().size() + " points)");
        }
        Experiment point = read.points().get(0);
        Sizing sizing = new Sizing(point, target, new Policies());
        List<Sized> all = new ArrayList<>();
        for (LabelledPolicy policy : point.policies()) {
            Sizing.Need need = sizing.need(policy.spec());
            need.notes().forEach(note -> console.note("stowage: " + note));
            all.add(new Sized(
                    policy.label(),
                    need.known() ? sizing.estimate(need.servers()) : null,
                    sizing.estimate(sizing.least()),
                    need.servers(),
                    sizing.least()));
        }
        switch (format) {
            case JSON -> console.out().print(Data.json(all));
            case CSV -> console.out().print(csv(all));
            case TABLE -> console.out().print(table(target, sizing, all));
        }
        console.out().flush();
        if (all.stream().allMatch(one -> one.servers() == null)) {
            throw new BadInputException(
                    "the target is not met by any policy, with any number of servers that was tried");
        }
    }

    private String table(SizeTarget target, Sizing sizing, List<Sized> all) {
        StringBuilder out =
                new StringBuilder(console.wrapped("", "Servers needed for " + target.phrase() + ":") + "\n");
        Columns columns = new Columns("policy", "servers", "least of any policy", "more than that");
        for (Sized one : all) {
            Estimate servers = one.servers();
            columns.row(
                    one.policy(),
                    servers == null ? "-" : text(servers),
                    text(one.bound()),
                    servers == null || one.bound().mean() == 0
                            ? "-"
                            : String.format(
                                    Locale.ROOT,
                                    "%.1f %%",
                                    100 * (servers.mean() / one.bound().mean() - 1)));
        }
        out.append(columns.text(console.style()));
        out.append(console.wrapped(
                "",
                (target.waitsForEver() ? "The least is that of policies that decide at once" : "The least is proven")
                        + "; in the first replication it is decided by " + sizing.decides() + "."));
        return out.toString();
    }

    private static String text(Estimate estimate) {
        Double half = estimate.halfWidth();
        return half == null
                ? String.format(Locale.ROOT, "%,.0f", estimate.mean())
                : String.format(Locale.ROOT, "%,.1f +- %,.1f", estimate.mean(), half);
    }

    private static String csv(List<Sized> all) {
        Data.Csv csv = new Data.Csv("policy", "replication", "servers", "bound");
        for (Sized one : all) {
            for (int r = 0; r < one.byReplication().size(); r++) {
                long servers = one.byReplication().get(r);
                csv.row(
                        one.policy(),
                        Integer.toString(r),
                        servers == 0 ? "" : Long.toString(servers),
                        Long.toString(one.boundBy().get(r)));
            }
        }
        return csv.text();
    }
}
