package dev.stowage.cli.size;

import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.study.size.MoreLoad;
import dev.stowage.study.size.PricedSizing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Shows which servers to buy beside those that are there, by year, and what else could be bought. */
final class BuyOverview {
    private static final int QUARTERS = 4;
    /** So many kinds are tried with each other; of more, those that the program values most. */
    private static final int MOST_KINDS = 6;

    private final Console console;
    private final StatusLine progress;
    private final SizeSettings settings;

    BuyOverview(Console console, StatusLine progress, SizeSettings settings) {
        this.console = console;
        this.progress = progress;
        this.settings = settings;
    }

    /**
     * What is bought at one time.
     *
     * @param year from now
     * @param load times today's
     * @param buy of each kind; empty if nothing that was tried is enough
     * @param cost of that
     * @param least no servers bought until then cost less in all, whichever policy
     */
    record Step(int year, double load, List<Long> buy, double cost, double least) {}

    /** Another way to meet the last year's need. */
    record Way(String what, List<Long> buy, double cost, double least) {}

    /** The answer of a policy. */
    record Purchases(String policy, List<Step> steps, List<Way> ways) {}

    void show(ExperimentSource source, Experiment point, SizeQuestion question, List<String> warnings) {
        if (point.cluster().sites().size() > 1) {
            throw new BadInputException("--buy is for servers of one site");
        }
        Offers offers = Offers.read(String.valueOf(settings.buy()), settings.prices(), source, point);
        offers.notes().forEach(console::note);
        List<ServerBlock> stay = Offers.blocks(point);
        double growth = settings.growthPart();
        int years = settings.growth() == null ? 0 : settings.quarters() / QUARTERS;
        Experiment last = point.with(MoreLoad.of(point.workload()).times(load(growth, years), point.workload()), 1);
        progress.step("what any policy needs");
        Offers few = fewest(offers, last, question, stay);
        List<Purchases> plans = new ArrayList<>();
        for (LabelledPolicy policy : point.policies()) {
            plans.add(plan(policy, point, question, few, stay, growth, years));
        }
        progress.clear();
        PlanPage page = new PlanPage(point, question, settings);
        console.out()
                .print(
                        switch (settings.format()) {
                            case JSON ->
                                Data.json(
                                        Map.of("kinds", few.names(), "prices", few.price(), "plans", plans), warnings);
                            case CSV -> csv(plans, few);
                            case TABLE -> text(question, few, stay, plans, page);
                        });
        if (settings.format() != OutputFormat.TABLE) {
            text(question, few, stay, plans, page);
        }
        page.writeByYear(
                plans.stream()
                        .map(plan -> answer(question, few, stay, plan))
                        .reduce("", (a, b) -> (a + " " + b).strip()),
                few.priced() ? "cost" : "servers bought",
                warnings,
                console);
        if (plans.stream()
                .anyMatch(plan ->
                        plan.steps().stream().anyMatch(step -> step.buy().isEmpty()))) {
            throw new BadInputException("nothing on offer is enough: some of what runs fits none of these servers");
        }
    }

    private static double load(double growth, int years) {
        return StrictMath.pow(1 + growth, years);
    }

    /** Those of many kinds that the program values most for their price. */
    private static Offers fewest(Offers offers, Experiment last, SizeQuestion question, List<ServerBlock> stay) {
        int kinds = offers.names().size();
        if (kinds <= MOST_KINDS) {
            return offers;
        }
        PricedSizing.Least least = new PricedSizing(
                        offers.beside(last, stay), question, new Policies(), offers.pricesBeside(stay.size()))
                .least();
        List<Integer> order = IntStream.range(0, kinds)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer l) -> -least.mix().get(stay.size() + l))
                        .thenComparingDouble(l -> -least.worth().get(stay.size() + l)
                                / offers.price().get(l)))
                .limit(MOST_KINDS)
                .sorted()
                .toList();
        return offers.of(order);
    }

    private Purchases plan(
            LabelledPolicy policy,
            Experiment point,
            SizeQuestion question,
            Offers offers,
            List<ServerBlock> stay,
            double growth,
            int years) {
        MoreLoad more = MoreLoad.of(point.workload());
        long[] bought = new long[offers.names().size()];
        List<Step> steps = new ArrayList<>();
        for (int year = 0; year <= years; year++) {
            double load = load(growth, year);
            progress.step(policy.label() + ": year " + year);
            Experiment then = point.with(more.times(load, point.workload()), 1);
            List<ServerBlock> there = new ArrayList<>(stay);
            for (int l = 0; l < bought.length; l++) {
                if (bought[l] > 0) {
                    there.add(new ServerBlock(
                            Math.toIntExact(bought[l]), offers.capacity().get(l)));
                }
            }
            PricedSizing.Cheapest found = sizing(then, question, offers, there).cheapest(policy.spec());
            steps.add(new Step(
                    year,
                    load,
                    found.servers(),
                    found.cost(),
                    sizing(then, question, offers, stay).leastToBuy()));
            for (int l = 0; l < found.servers().size(); l++) {
                bought[l] += found.servers().get(l);
            }
        }
        return new Purchases(
                policy.label(),
                steps,
                ways(policy, point.with(more.times(load(growth, years), point.workload()), 1), question, offers, stay));
    }

    private static PricedSizing sizing(Experiment point, SizeQuestion question, Offers offers, List<ServerBlock> stay) {
        return new PricedSizing(offers.beside(point, stay), question, new Policies(), offers.pricesBeside(stay.size()));
    }

    /** Each kind alone beside what is there, and everything new, for the last year at once. */
    private List<Way> ways(
            LabelledPolicy policy, Experiment last, SizeQuestion question, Offers offers, List<ServerBlock> stay) {
        List<Way> ways = new ArrayList<>();
        if (offers.names().size() > 1) {
            ways.add(way("the cheapest mix", policy, last, question, offers, all(offers), stay));
            for (int l = 0; l < offers.names().size(); l++) {
                ways.add(way("only " + offers.names().get(l), policy, last, question, offers, List.of(l), stay));
            }
        }
        ways.add(way("none of the present kept", policy, last, question, offers, all(offers), List.of()));
        return ways;
    }

    private static List<Integer> all(Offers offers) {
        return IntStream.range(0, offers.names().size()).boxed().toList();
    }

    private Way way(
            String what,
            LabelledPolicy policy,
            Experiment last,
            SizeQuestion question,
            Offers offers,
            List<Integer> kinds,
            List<ServerBlock> stay) {
        progress.step(policy.label() + ": " + what);
        PricedSizing sizing = sizing(last, question, offers.of(kinds), stay);
        PricedSizing.Cheapest found = sizing.cheapest(policy.spec());
        Long[] buy = new Long[offers.names().size()];
        Arrays.fill(buy, 0L);
        for (int l = 0; l < found.servers().size(); l++) {
            buy[kinds.get(l)] = found.servers().get(l);
        }
        return new Way(what, found.servers().isEmpty() ? List.of() : List.of(buy), found.cost(), sizing.leastToBuy());
    }

    private String text(
            SizeQuestion question, Offers offers, List<ServerBlock> stay, List<Purchases> plans, PlanPage page) {
        StringBuilder out = new StringBuilder();
        for (Purchases plan : plans) {
            out.append(console.wrapped("", answer(question, offers, stay, plan)));
            if (plan.steps().size() > 1) {
                out.append('\n').append(byYear(plan, offers, page).text(console.style()));
            }
            out.append('\n').append(ways(plan, offers, page).text(console.style()));
        }
        return out.toString();
    }

    private static String answer(SizeQuestion question, Offers offers, List<ServerBlock> stay, Purchases plan) {
        long there = stay.stream().mapToLong(ServerBlock::count).sum();
        double cost = plan.steps().stream().mapToDouble(Step::cost).sum();
        double least = plan.steps().get(plan.steps().size() - 1).least();
        String what = (offers.priced() ? "for " + money(cost) : count((long) cost)) + " in all";
        return "To buy beside the " + count(there) + " servers that stay, for " + question.phrase() + ": "
                + (cost == 0 ? "nothing" : bought(sum(plan), offers.names()) + ", " + what) + " (" + plan.policy()
                + "). "
                + proven(cost, least, offers);
    }

    private static List<Long> sum(Purchases plan) {
        Long[] all = new Long[0];
        for (Step step : plan.steps()) {
            if (!step.buy().isEmpty()) {
                if (all.length == 0) {
                    all = Collections.nCopies(step.buy().size(), 0L).toArray(Long[]::new);
                }
                for (int l = 0; l < all.length; l++) {
                    all[l] += step.buy().get(l);
                }
            }
        }
        return List.of(all);
    }

    private static String proven(double cost, double least, Offers offers) {
        String amount = offers.priced() ? money(least) : count((long) Math.ceil(least));
        return cost == 0
                ? ""
                : least == 0
                        ? "No least cost is proven beside what stays."
                        : cost <= least
                                ? "No way to do it costs less, proven."
                                : "No way to do it costs less than " + amount + ", proven.";
    }

    private static String bought(List<Long> buy, List<String> names) {
        return IntStream.range(0, buy.size())
                .filter(l -> buy.get(l) > 0)
                .mapToObj(l -> count(buy.get(l)) + " x " + names.get(l))
                .collect(Collectors.joining(", "));
    }

    /** For a table: without what each kind holds, and a dash where there is nothing to buy. */
    private static String shortly(List<Long> buy, Offers offers) {
        String bought = bought(
                buy,
                offers.names().stream()
                        .map(name -> name.replaceFirst(" \\(.*", ""))
                        .toList());
        return bought.isEmpty() ? "-" : bought;
    }

    private static Columns byYear(Purchases plan, Offers offers, PlanPage page) {
        List<String> header = List.of("in", "load", "buy", "cost", "so far", "least so far");
        List<List<String>> rows = new ArrayList<>();
        List<Double> sums = new ArrayList<>();
        double far = 0;
        for (Step step : plan.steps()) {
            far += step.cost();
            sums.add(far);
            rows.add(List.of(
                    step.year() == 0 ? "today" : step.year() + " y",
                    String.format(Locale.ROOT, "x %.3f", step.load()),
                    shortly(step.buy(), offers),
                    money(step.cost()),
                    money(far),
                    money(step.least())));
        }
        List<Double> years =
                plan.steps().stream().map(step -> (double) step.year()).toList();
        page.line(plan.policy(), years, sums, false);
        page.line(
                "least of any policy",
                years,
                plan.steps().stream().map(Step::least).toList(),
                true);
        return page.table("What to buy when: " + plan.policy(), "", header, rows);
    }

    private static Columns ways(Purchases plan, Offers offers, PlanPage page) {
        List<String> header = List.of(
                plan.steps().size() > 1 ? "the last year's need, bought at once" : "what else could be bought",
                "buy",
                "cost",
                "least");
        List<List<String>> rows = new ArrayList<>();
        for (Way way : plan.ways()) {
            rows.add(List.of(
                    way.what(),
                    shortly(way.buy(), offers),
                    way.buy().isEmpty() ? "-" : money(way.cost()),
                    money(way.least())));
        }
        return page.table("What else could be bought: " + plan.policy(), "", header, rows);
    }

    private static List<String> numbers(List<Long> buy, Offers offers) {
        return buy.isEmpty()
                ? Collections.nCopies(offers.names().size(), "-")
                : buy.stream().map(BuyOverview::count).toList();
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String money(double amount) {
        return amount == Math.rint(amount)
                ? String.format(Locale.ROOT, "%,.0f", amount)
                : String.format(Locale.ROOT, "%,.2f", amount);
    }

    private static String csv(List<Purchases> plans, Offers offers) {
        List<String> header = new ArrayList<>(List.of("policy", "year", "load"));
        header.addAll(offers.names());
        header.addAll(List.of("cost", "least_so_far"));
        Data.Csv csv = new Data.Csv(header.toArray(String[]::new));
        for (Purchases plan : plans) {
            for (Step step : plan.steps()) {
                List<String> row = new ArrayList<>(
                        List.of(plan.policy(), Integer.toString(step.year()), Double.toString(step.load())));
                row.addAll(numbers(step.buy(), offers));
                row.addAll(List.of(Double.toString(step.cost()), Double.toString(step.least())));
                csv.row(row.toArray(String[]::new));
            }
        }
        return csv.text();
    }
}
