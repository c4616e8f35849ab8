package dev.stowage.cli.size;

import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.study.size.SizeWords;
import dev.stowage.study.size.Sizing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The answer as tables and sentences. */
final class SizeText {
    private static final double PERCENT = 100;
    private static final int MINUTES_PER_HOUR = 60;

    /** Of two that are drawn alike, each needs more with the same probability. */
    private static final String ONE_TRACE = "Another period as long, and drawn alike, needs no more than this trace with a"
            + " probability of one half; --resample 20 shows what depends on which of its days come.";

    private final Console console;
    private final Experiment point;
    private final SizeQuestion question;
    private final Sizing sizing;

    SizeText(Console console, Experiment point, SizeQuestion question, Sizing sizing) {
        this.console = console;
        this.point = point;
        this.question = question;
        this.sizing = sizing;
    }

    String of(List<SizeOverview.Sized> all) {
        boolean shown = all.stream().anyMatch(one -> one.shown() != null);
        boolean inventory = point.workload().isInventory();
        boolean hours = !inventory && all.stream().anyMatch(one -> one.hours() != null);
        boolean several = all.get(0).byReplication().size() > 1;
        List<String> header = new ArrayList<>(List.of("policy", "servers"));
        if (several) {
            header.add("mean");
        }
        if (shown) {
            header.addAll(List.of("fails with", "holds with"));
        }
        header.addAll(List.of("least", "above it"));
        if (hours) {
            header.add("hours");
        }
        Columns columns = new Columns(header.toArray(String[]::new));
        for (SizeOverview.Sized one : all) {
            List<String> row = new ArrayList<>();
            row.add(one.policy());
            row.add(SizeOverview.range(one.byReplication()));
            if (several) {
                row.add(one.servers() == null ? "-" : SizeOverview.text(one.servers()));
            }
            if (shown) {
                row.add(one.shown() == null ? "-" : number(one.shown().fails()));
                row.add(
                        one.shown() == null || one.shown().holds() == 0
                                ? "-"
                                : number(one.shown().holds()));
            }
            row.add(SizeOverview.range(one.boundBy()));
            row.add(SizeOverview.above(one.servers(), one.bound()));
            if (hours) {
                row.add(hours(one.hours()));
            }
            columns.row(row.toArray(String[]::new));
        }
        StringBuilder out = new StringBuilder(console.wrapped("", subject(inventory) + question.phrase() + ":") + "\n");
        out.append(columns.text(console.style()));
        out.append(console.wrapped("", bound(hours)));
        out.append(console.wrapped("", SizeOverview.hindsight(all)));
        if (inventory && question.spareServers() == 0) {
            out.append(console.wrapped("", loss(all)));
        }
        if (shown) {
            out.append(console.wrapped("", shown(all)));
        }
        out.append(resampled(all));
        if (!inventory) {
            String next = SizeOverview.next(all);
            out.append(console.wrapped("", next.isEmpty() && sizing.isGiven() ? ONE_TRACE : next));
        }
        all.forEach(one -> out.append(deciding(one)));
        return out.toString();
    }

    /** What is asked, and of which servers. */
    private String subject(boolean inventory) {
        List<String> kinds = SizeWords.kinds(point).stream().distinct().toList();
        return (inventory ? "An inventory: all of it runs now, without an end. " : "")
                + (kinds.size() == 1 ? "Servers that hold " + kinds.get(0) + " needed for " : "Servers needed for ");
    }

    /** Whether the answer bears the loss of a server. */
    private String loss(List<SizeOverview.Sized> all) {
        boolean none = all.stream()
                .allMatch(one -> one.servers() != null
                        && one.servers().mean() - 1 < one.bound().mean());
        return none
                ? "If a server fails, not all that ran on it can run elsewhere, proven; --spare 1 says how many bear it."
                : "Whether the others take what a lost server ran is not said by this; --spare 1 does.";
    }

    private static String number(long servers) {
        return String.format(Locale.ROOT, "%,d", servers);
    }

    /** Hours in use as a percentage of the least; empty if nothing has to be held. */
    static String hours(Sizing.@Nullable Hours hours) {
        return hours == null || hours.least() == 0
                ? "-"
                : String.format(Locale.ROOT, "%.1f %%", PERCENT * hours.occupied() / hours.least());
    }

    private String bound(boolean hours) {
        return binding(sizing)
                + (hours
                        ? " Hours: server-hours in use, of the least in which all requests that start at once can be held."
                        : "");
    }

    /** What the bound says, and what decides it. */
    static String binding(Sizing sizing) {
        if (sizing.decides().isEmpty()) {
            String why = sizing.obstacle();
            return "Least: no bound is known for such a target" + (why.isEmpty() ? "." : ": " + why + ".");
        }
        return (sizing.isBoundOfAll()
                        ? "Least: no policy does with fewer, proven"
                        : "Least: no policy that decides at once does with fewer")
                + (sizing.isGiven() ? "; it is decided by " : "; in the first replication it is decided by ")
                + sizing.decides()
                + binds(sizing) + ".";
    }

    /** {@code , where D4 holds 43 % of the cpu_milli}. */
    private static String binds(Sizing sizing) {
        Sizing.Binding binds = sizing.binds();
        return binds == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", where %s holds %.0f %% of the %s",
                        binds.type(),
                        PERCENT * binds.part(),
                        SizeWords.resource(binds.resource()));
    }

    private String shown(List<SizeOverview.Sized> all) {
        int replications = 0;
        int runs = 0;
        for (SizeOverview.Sized one : all) {
            if (one.shown() != null) {
                replications = Math.max(replications, one.shown().replications());
                runs += one.shown().runs();
            }
        }
        return String.format(
                Locale.ROOT,
                "\"Servers\" is what a run like the %d here needs, from its start. In the mean over all runs, after the"
                        + " warm-up, the target is shown to be missed and met with the numbers beside it, each policy's two"
                        + " with %.0f %% confidence (%,d more runs, at most %d at a number).",
                point.replications(),
                PERCENT * point.confidence(),
                runs,
                replications);
    }

    private String resampled(List<SizeOverview.Sized> all) {
        if (all.stream().allMatch(one -> one.resampled() == null)) {
            return "";
        }
        Columns columns =
                new Columns("policy", "servers", "mean", "fails with", "holds with", "least of any policy");
        int traces = 0;
        for (SizeOverview.Sized one : all) {
            SizeOverview.Resampled drawn = one.resampled();
            if (drawn == null) {
                continue;
            }
            traces = drawn.byReplication().size();
            Sizing.Shown shown = drawn.shown();
            columns.row(
                    one.policy(),
                    SizeOverview.range(drawn.byReplication()),
                    drawn.servers() == null ? "-" : SizeOverview.text(drawn.servers()),
                    shown == null ? "-" : number(shown.fails()),
                    shown == null || shown.holds() == 0 ? "-" : number(shown.holds()),
                    SizeOverview.range(drawn.boundBy()));
        }
        return "\n"
                + console.wrapped(
                        "", "The trace as one sample of many: " + traces + " traces of its blocks, drawn anew, need:")
                + "\n" + columns.text(console.style())
                + console.wrapped(
                        "",
                        "Random is only which blocks come, taken as alike and independent of one another. A busier block"
                                + " than those of this trace is not foreseen, and a real period as long has one with a"
                                + " probability of one half.");
    }

    private String deciding(SizeOverview.Sized one) {
        if (one.deciding().isEmpty()) {
            return "";
        }
        Columns columns = new Columns("minute", "misses", "types");
        for (Sizing.Deciding each : one.deciding()) {
            columns.row(
                    String.format(
                            Locale.ROOT,
                            "%d:%02d h",
                            each.minute() / MINUTES_PER_HOUR,
                            each.minute() % MINUTES_PER_HOUR),
                    Integer.toString(each.misses()),
                    SizeOverview.types(each.byType()));
        }
        return "\n"
                + console.wrapped(
                        "",
                        one.policy() + ", first replication, with one server less: the requests that miss it come at")
                + "\n" + columns.text(console.style());
    }
}
