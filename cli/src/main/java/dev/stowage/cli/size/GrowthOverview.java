package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.NotEnoughException;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.policies.Policies;
import dev.stowage.report.Picture;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.study.load.LoadGrowth;
import dev.stowage.study.load.MoreLoad;
import dev.stowage.study.size.GrowthPlan;
import dev.stowage.study.size.InventoryFit;
import dev.stowage.study.size.SizeWords;
import dev.stowage.study.size.Sizing;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Shows how many servers to buy while the load grows. */
final class GrowthOverview {
    private static final int QUARTERS = 4;

    private final Console console;
    private final StatusLine progress;
    private final SizeSettings settings;

    GrowthOverview(Console console, StatusLine progress, SizeSettings settings) {
        this.console = console;
        this.progress = progress;
        this.settings = settings;
    }

    /** With how many servers are there. */
    void show(AnswerParts answer, Experiment point, long have, SizeQuestion question, List<String> warnings) {
        GrowthOption option =
                GrowthOption.of(settings.growth(), point.workload().types());
        LoadGrowth growth = option.perYear();
        int quarters = settings.quarters();
        String hopeless = new Sizing(point, question, new Policies()).hopeless();
        if (!hopeless.isEmpty()) {
            answer.first(hopeless);
            answer.print(settings.format(), () -> Data.json(Map.of("problem", hopeless), warnings), () -> "");
            throw new NotEnoughException("some requests fit no server");
        }
        String how =
                MoreLoad.of(point.workload()).sentence(growth, point.workload().isInventory())
                        + (option.compounded().isEmpty() ? "" : " " + option.compounded());
        GrowthPlan plan = new GrowthPlan(point, question, new Policies());
        Map<String, List<GrowthPlan.Step>> plans = new LinkedHashMap<>();
        for (LabelledPolicy policy : point.policies()) {
            progress.step(policy.label() + ": " + (quarters + 1) + " quarters");
            plans.put(policy.label(), plan.of(policy.spec(), growth, quarters, have));
        }
        progress.clear();
        plans.values()
                .forEach(steps -> steps.forEach(step -> step.notes()
                        .forEach(note -> console.warn("stowage: quarter " + step.quarter() + ": " + note))));
        boolean several = SizeWords.kinds(point).stream().distinct().count() > 1;
        answer.firstOfPage(answer(question, have, plans, several));
        table(how, growth, SizeText.inventory(point), question, have, plans, answer);
        answer.say(models(point));
        answer.print(settings.format(), () -> Data.json(plans, warnings), () -> csv(plans));
        settings.report().write(answer, "How many servers: " + point.name(), settings.facts(point, question));
    }

    private static String answer(
            SizeQuestion question, long have, Map<String, List<GrowthPlan.Step>> plans, boolean several) {
        StringBuilder out = new StringBuilder("For " + question.phrase() + ":");
        plans.forEach((policy, steps) -> {
            GrowthPlan.Step last = steps.get(steps.size() - 1);
            GrowthPlan.Step most = steps.stream()
                    .filter(GrowthPlan.Step::known)
                    .max(Comparator.comparingLong(step -> Collections.max(step.servers())))
                    .filter(step -> last.known() && Collections.max(step.servers()) > Collections.max(last.servers()))
                    .orElse(last);
            boolean planned = policy.equals(InventoryFit.PLAN);
            out.append(" ")
                    .append(String.format(
                            Locale.ROOT,
                            "%s%s %s in %s years, when the load is %.3f times today's%s; no policy needs"
                                    + " fewer than %s%s%s.",
                            planned ? "" : policy + " needs ",
                            most.known() ? SizeOverview.range(most.servers()) : "more than were tried",
                            most.known() && most.servers().equals(List.of(1L)) ? "server" : "servers",
                            BigDecimal.valueOf((double) most.quarter() / QUARTERS)
                                    .stripTrailingZeros()
                                    .toPlainString(),
                            most.load(),
                            planned
                                    ? ", if everything may be moved"
                                    : most.quarter() == last.quarter() ? "" : ", and no more at the end",
                            SizeOverview.range(most.bound()),
                            most.bound().size() > 1 ? ", proven for each run" : "",
                            several ? " of this list, repeated with the largest first" : ""));
        });
        return out.append(
                        have == 0
                                ? " None is there now."
                                : have == 1
                                        ? " There is 1 now."
                                        : String.format(Locale.ROOT, " There are %,d now.", have))
                .toString();
    }

    /** That the answer is about several kinds of servers together; empty where they are of one. */
    private static String models(Experiment point) {
        return SizeWords.kinds(point).stream().distinct().count() == 1
                ? ""
                : "The servers are of several kinds, and more are taken from their list again, the largest first;"
                        + " the bound is for that order, and other mixes may need fewer."
                        + (point.cluster().sites().size() > 1
                                ? ""
                                : " Which kinds to buy, year by year: the same with --buy, and the kinds on offer.");
    }

    private void table(
            String how,
            LoadGrowth growth,
            String inventory,
            SizeQuestion question,
            long have,
            Map<String, List<GrowthPlan.Step>> plans,
            AnswerParts answer) {
        answer.say(inventory + "Servers for " + question.phrase()
                + (plans.containsKey(InventoryFit.PLAN) ? ", if everything may be moved" : "")
                + (have == 0
                        ? ", beginning with none, as --servers gives no number:"
                        : ", beginning with " + have + ":"));
        List<Picture.Curve> curves = new ArrayList<>();
        plans.forEach((policy, steps) -> {
            boolean byYear = byYear(plans);
            List<String> header = new ArrayList<>(List.of("in", "load", "servers", "to buy"));
            header.add("bound for any policy");
            if (byYear) {
                header.add("needed by");
            }
            Columns columns = new Columns(header);
            List<String> when = new ArrayList<>();
            long buy = 0;
            int most = 0;
            List<Long> servers = List.of();
            List<Long> least = List.of();
            for (GrowthPlan.Step step : steps) {
                buy += step.buy();
                if (step.buy() > 0) {
                    when.add(SizeText.in((double) step.quarter() / QUARTERS) + ": " + step.buy());
                }
                List<Long> before = servers;
                servers = greatest(servers, step.servers());
                most = servers.equals(before) ? most : step.quarter();
                least = greatest(least, step.bound());
                if (byYear && step.quarter() % QUARTERS != 0 && step.quarter() < steps.size() - 1) {
                    continue;
                }
                List<String> cells = new ArrayList<>(List.of(
                        SizeText.in((double) step.quarter() / QUARTERS),
                        growth.words(step.load(), (double) step.quarter() / QUARTERS),
                        SizeOverview.range(step.known() ? servers : step.servers())
                                + (step.known() && !servers.equals(step.servers())
                                        ? " (at " + SizeText.in((double) most / QUARTERS) + ")"
                                        : ""),
                        Long.toString(buy)));
                cells.add(SizeOverview.range(least));
                if (byYear) {
                    cells.add(when.isEmpty() ? "-" : String.join(", ", when));
                }
                columns.row(cells);
                when.clear();
                buy = 0;
                servers = List.of();
                least = List.of();
            }
            List<GrowthPlan.Step> known =
                    steps.stream().filter(GrowthPlan.Step::known).toList();
            double[] times = known.stream()
                    .mapToDouble(step -> byYear ? (double) step.quarter() / QUARTERS : step.quarter())
                    .toArray();
            curves.add(new Picture.Curve(policy, times, most(known, GrowthPlan.Step::servers), false));
            double[] bound = most(known, GrowthPlan.Step::bound);
            if (curves.size() == plans.size() && DoubleStream.of(bound).sum() > 0) {
                curves.add(new Picture.Curve("bound for any policy", times, bound, true));
            }
            if (policy.equals(InventoryFit.PLAN)) {
                answer.gap();
            } else {
                answer.heading(policy);
            }
            answer.table(columns);
        });
        answer.say((byYear(plans)
                        ? "Of each year the quarter that needs most; \"needed by\" says how many from which quarter on. "
                        : "")
                + (several(plans)
                        ? "Numbers are the minimum and maximum over the runs; each bound is proven for its run. \"To"
                                + " buy\" is for the run with the greatest need, beyond what was bought before. "
                        : "\"To buy\" is beyond what was bought before. ")
                + how
                + settings.sample());
        answer.onPage(SizePicture.over(byYear(plans) ? "year" : "quarter", "servers", curves));
    }

    /** The greater of each run's; of the first alone where there is no other. */
    private static List<Long> greatest(List<Long> some, List<Long> others) {
        return some.isEmpty()
                ? others
                : IntStream.range(0, some.size())
                        .mapToObj(r -> Math.max(some.get(r), others.get(r)))
                        .toList();
    }

    /** Whether there are too many quarters for a table of each. */
    private static boolean byYear(Map<String, List<GrowthPlan.Step>> plans) {
        return plans.values().stream().anyMatch(steps -> GrowthPlan.byYear(steps.size() - 1));
    }

    private static boolean several(Map<String, List<GrowthPlan.Step>> plans) {
        return plans.values().stream().anyMatch(steps -> steps.get(0).servers().size() > 1);
    }

    /** Of the run with the greatest need, for which servers are bought. */
    private static double[] most(List<GrowthPlan.Step> steps, Function<GrowthPlan.Step, List<Long>> numbers) {
        return steps.stream()
                .mapToDouble(step -> Collections.max(numbers.apply(step)))
                .toArray();
    }

    private static String csv(Map<String, List<GrowthPlan.Step>> plans) {
        Data.Csv csv = new Data.Csv("policy", "quarter", "load", "replication", "servers", "bound", "buy");
        plans.forEach((policy, steps) -> {
            for (GrowthPlan.Step step : steps) {
                for (int r = 0; r < step.servers().size(); r++) {
                    csv.row(
                            policy,
                            Integer.toString(step.quarter()),
                            Double.toString(step.load()),
                            Integer.toString(r),
                            step.servers().get(r) == 0
                                    ? ""
                                    : Long.toString(step.servers().get(r)),
                            step.bound().get(r) == 0
                                    ? ""
                                    : Long.toString(step.bound().get(r)),
                            Long.toString(step.buy()));
                }
            }
        });
        return csv.text();
    }
}
