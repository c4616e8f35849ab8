package dev.stowage.cli.size;

import dev.stowage.cli.text.Version;
import dev.stowage.report.SizePage;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.trace.ResourceWords;
import dev.stowage.study.size.Sizing;
import dev.stowage.study.size.Week;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The answer as a page. */
final class SizeReport {
    private final Experiment point;
    private final SizeQuestion question;
    private final Sizing sizing;
    private final List<String> command;

    SizeReport(Experiment point, SizeQuestion question, Sizing sizing, List<String> command) {
        this.point = point;
        this.question = question;
        this.sizing = sizing;
        this.command = command;
    }

    SizePage page(List<SizeOverview.Sized> all, SizePage.Chart chart) {
        return new SizePage(
                "How many servers: " + point.name(),
                answer(all),
                List.of(
                        "Servers needed for " + question.phrase()
                                + ". Policies decide on the same requests at every number.",
                        "Stowage " + Version.number() + " · again: " + again(command)),
                tables(all),
                List.of(chart),
                heats(all),
                facts(all));
    }

    /** The command, as a shell takes it. */
    static String again(List<String> command) {
        return "stowage " + command.stream().map(SizeReport::quoted).collect(Collectors.joining(" "));
    }

    /** As a shell takes it. */
    private static String quoted(String argument) {
        return argument.matches("[\\w./:=,%+@-]+")
                ? argument
                : argument.matches("[^\"$`\\\\!]*") ? '"' + argument + '"' : "'" + argument.replace("'", "'\\''") + "'";
    }

    private String answer(List<SizeOverview.Sized> all) {
        boolean several = all.get(0).byReplication().size() > 1;
        List<String> parts = new ArrayList<>();
        for (SizeOverview.Sized one : all) {
            parts.add(one.policy()
                    + (one.servers() == null
                            ? ": no number that was tried"
                            : (several ? " needed " : " needs ") + SizeOverview.range(one.byReplication())));
        }
        String bound = SizeOverview.range(all.get(0).boundBy());
        return String.join(", ", parts)
                + (bound.equals("-")
                        ? "; no bound is known."
                        : (several ? "; proven run by run, no policy" : "; no policy")
                                + (sizing.isBoundOfAll() ? "" : " that decides at once")
                                + " can do with fewer than " + bound + ".")
                + (point.workload().isInventory()
                        ? ""
                        : " " + SizeOverview.next(all, point.workload().isGiven()));
    }

    private List<SizePage.Part> tables(List<SizeOverview.Sized> all) {
        boolean shown = all.stream().anyMatch(one -> one.shown() != null);
        List<String> columns = new ArrayList<>(
                List.of("policy", "servers", "mean", "least of any policy", "above it", "server-hours of the least"));
        if (shown) {
            columns.addAll(List.of("shown to fail with", "shown to hold with"));
        }
        List<List<String>> rows = new ArrayList<>();
        for (SizeOverview.Sized one : all) {
            List<String> row = new ArrayList<>(List.of(
                    one.policy(),
                    SizeOverview.range(one.byReplication()),
                    one.servers() == null ? "-" : SizeOverview.text(one.servers()),
                    SizeOverview.range(one.boundBy()),
                    SizeOverview.above(one),
                    SizeText.hours(one.hours())));
            if (shown) {
                Sizing.Shown its = one.shown();
                row.add(its == null ? "-" : String.format(Locale.ROOT, "%,d", its.fails()));
                row.add(its == null || its.holds() == 0 ? "-" : String.format(Locale.ROOT, "%,d", its.holds()));
            }
            rows.add(row);
        }
        List<SizePage.Part> tables = new ArrayList<>();
        tables.add(new SizePage.Part(
                "Servers",
                (SizeText.binding(sizing) + " "
                                + SizeOverview.hindsight(all, point.workload().isInventory()))
                        .strip(),
                columns,
                rows));
        resampled(all, tables);
        deciding(all, tables);
        return tables;
    }

    private static void resampled(List<SizeOverview.Sized> all, List<SizePage.Part> tables) {
        List<List<String>> rows = new ArrayList<>();
        for (SizeOverview.Sized one : all) {
            SizeOverview.Resampled drawn = one.resampled();
            if (drawn != null) {
                rows.add(List.of(
                        one.policy(),
                        SizeOverview.range(drawn.byReplication()),
                        drawn.servers() == null ? "-" : SizeOverview.text(drawn.servers()),
                        SizeOverview.range(drawn.boundBy())));
            }
        }
        if (!rows.isEmpty()) {
            tables.add(new SizePage.Part(
                    "The trace as one sample of many",
                    "Traces made of random blocks of this one, as if blocks were alike and independent of one another."
                            + " They contain no busier block than this trace.",
                    List.of("policy", "servers", "mean", "least of any policy"),
                    rows));
        }
    }

    private void deciding(List<SizeOverview.Sized> all, List<SizePage.Part> tables) {
        List<List<String>> rows = new ArrayList<>();
        for (SizeOverview.Sized one : all) {
            for (Sizing.Deciding each : one.deciding()) {
                rows.add(List.of(
                        one.policy(),
                        SizeText.minute(point, each.minute()),
                        Integer.toString(each.misses()),
                        SizeOverview.types(each.byType())));
            }
        }
        if (!rows.isEmpty()) {
            tables.add(new SizePage.Part(
                    "Minutes that decide",
                    "With one server less: when the requests of the first replication come that miss the target.",
                    List.of("policy", "minute", "misses", "types"),
                    rows));
        }
    }

    private List<SizePage.Heat> heats(List<SizeOverview.Sized> all) {
        List<SizePage.Heat> heats = new ArrayList<>();
        for (SizeOverview.Sized one : all) {
            long servers = one.byReplication().get(0);
            if (servers == 0) {
                continue;
            }
            LabelledPolicy policy = point.policies().stream()
                    .filter(each -> each.label().equals(one.policy()))
                    .findFirst()
                    .orElseThrow();
            Week week = sizing.week(policy.spec(), servers);
            heats.add(new SizePage.Heat(
                    String.format(Locale.ROOT, "%s: the week with %,d servers", one.policy(), servers),
                    String.format(
                            Locale.ROOT,
                            "Part of the %s of all %,d servers in use under %s, hour by hour, first replication%s; most %.0f %%.",
                            ResourceWords.resource(week.resource()),
                            servers,
                            one.policy(),
                            week.days() > week.part().length ? ", in the mean over " + week.days() + " days" : "",
                            100 * week.most()),
                    week.rows(),
                    week.part(),
                    "of the " + ResourceWords.resource(week.resource())));
        }
        return heats;
    }

    private Map<String, String> facts(List<SizeOverview.Sized> all) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Target", question.phrase());
        facts.put("Replications", Integer.toString(point.replications()));
        facts.put("Confidence", String.format(Locale.ROOT, "%.0f %%", 100 * point.confidence()));
        facts.put("Seed", Long.toString(point.seed()));
        facts.put(
                "Policies",
                String.join("; ", all.stream().map(SizeOverview.Sized::policy).toList()));
        return facts;
    }
}
