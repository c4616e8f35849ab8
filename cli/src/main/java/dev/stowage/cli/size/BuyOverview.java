package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.answer.SeveralAnswers;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.NotEnoughException;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.policies.Policies;
import dev.stowage.report.AnswerPage;
import dev.stowage.report.Picture;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.result.Remark;
import dev.stowage.study.buy.Offers;
import dev.stowage.study.buy.PurchasePlan;
import dev.stowage.study.load.LoadGrowth;
import dev.stowage.study.size.GrowthPlan;
import dev.stowage.study.size.InventoryFit;
import dev.stowage.study.size.Unfit;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Shows which servers to buy beside those that are there, by year, and what else could be bought. */
record BuyOverview(StatusLine progress, SizeSettings settings) {
    /** Begins the titles of pages. */
    static final String TITLE = "Which servers to buy for ";

    private static final int QUARTERS = 4;

    void show(
            AnswerParts answer,
            OffersReader.Read read,
            Experiment point,
            List<Site> stay,
            SizeQuestion question,
            List<Remark> warnings) {
        if (point.cluster().sites().size() > 1 && !question.spareSite()) {
            throw new BadInputException("--buy asks for which site to buy only where any may be lost, and these servers"
                    + " are at "
                    + point.cluster().sites().stream().map(Site::name).collect(Collectors.joining(", "))
                    + ": add --spare-site, or leave out their sites");
        }
        GrowthOption growth = settings.growthOf(point.workload().types());
        PurchasePlan plan = new PurchasePlan(
                point,
                question,
                new Policies(),
                stay,
                read.offers(),
                growth.perYear(),
                settings.years(),
                progress::step);
        Offers few = plan.offers();
        List<PurchasePlan.Purchases> plans =
                point.policies().stream().map(plan::of).toList();
        progress.clear();
        answer(answer, point, question, few, stay, plans, growth);
        if (settings.report().asked() && there(stay) > 0) {
            progress.step("report");
            InventoryText.ofPresent(point, question)
                    .ifPresent(text ->
                            text.failuresNow(isEnough(plans.get(0).steps().get(0)), Unfit.of(point), answer));
            progress.clear();
        }
        answer.print(settings.format(), () -> Data.json(data(few, plans), warnings), () -> csv(plans, few));
        settings.report().write(answer, TITLE + point.name(), settings.facts(point, question));
        if (plans.stream()
                .anyMatch(each ->
                        each.steps().stream().anyMatch(step -> step.buy().isEmpty()))) {
            throw new NotEnoughException("none of the offered servers is enough, in any number that was tried");
        }
    }

    /** In one order: Map.of has another in each run. */
    private static Map<String, Object> data(Offers offers, List<PurchasePlan.Purchases> plans) {
        Map<String, Object> data =
                new TreeMap<>(Map.of("kinds", offers.labels(), "prices", offers.price(), "plans", plans));
        OrderDates.into(data, plans, offers);
        return data;
    }

    /** Whether what is there is enough for today. */
    private static boolean isEnough(PurchasePlan.Step today) {
        return !today.buy().isEmpty() && today.cost() == 0;
    }

    private static long there(List<Site> sites) {
        return sites.stream()
                .flatMap(site -> site.servers().stream())
                .mapToLong(ServerBlock::count)
                .sum();
    }

    private void answer(
            AnswerParts answer,
            Experiment point,
            SizeQuestion question,
            Offers offers,
            List<Site> stay,
            List<PurchasePlan.Purchases> plans,
            GrowthOption growth) {
        List<Picture.Curve> curves = new ArrayList<>();
        long now = there(stay);
        answer.sum("servers now", count(now), now);
        toBuy(answer, plans.get(0), offers);
        answer.sum(
                unit(offers), KindsText.money(plans.get(0).cost()), plans.get(0).cost());
        double least = found(plans.get(0)) ? plans.get(0).least() : Double.NaN;
        answer.sum(
                offers.priced() ? cost(offers).replace("cost", SeveralAnswers.LEAST) : SeveralAnswers.LEAST_TO_BUY,
                Double.isNaN(least) ? "-" : KindsText.money(least),
                least);
        for (PurchasePlan.Purchases plan : plans) {
            answer.first((SizeText.inventory(point) + answer(question, offers, now, plan)).strip()
                    + LoadOverview.bought(point.workload(), growth.perYear(), settings.years()));
            if (now > 0 && question.spareSite() && plan.equals(plans.get(0))) {
                InventoryText.ofPresent(point, question)
                        .ifPresent(text -> answer.sayOfAll(
                                text.sitesNow(isEnough(plan.steps().get(0)))));
            }
            boolean nothing = plan.cost() == 0
                    && plan.steps().stream().noneMatch(step -> step.buy().isEmpty());
            if (plan.steps().size() > 1 && !nothing) {
                answer.gap();
                answer.onPage(new AnswerPage.Heading("What to buy when" + SizeText.under(plan.policy())));
                answer.table(byYear(plan, offers, growth.perYear(), curves));
                answer.sayOfAll(growth.compounded());
            }
            Columns ways = ways(plan, offers);
            if (ways.size() > 0) {
                answer.gap();
                answer.onPage(new AnswerPage.Heading("What else could be bought" + SizeText.under(plan.policy())));
                answer.table(ways);
                answer.say(never(point, offers, plan));
            }
        }
        if (!curves.isEmpty()) {
            answer.onPage(SizePicture.over("year", offers.priced() ? cost(offers) : "servers bought", curves, true));
        }
    }

    /** Why some kinds alone are never enough, where a way to buy shows that; otherwise empty. */
    private static String never(Experiment point, Offers offers, PurchasePlan.Purchases plan) {
        return plan.ways().stream()
                .filter(way -> way.buy().isEmpty())
                .flatMap(way -> IntStream.range(0, offers.names().size())
                        .filter(l -> way.what().equals("only " + offers.names().get(l)))
                        .mapToObj(l -> KindsText.never(
                                Unfit.of(point, List.of(offers.capacity().get(l))),
                                offers.names().get(l))))
                .filter(why -> !why.isEmpty())
                .distinct()
                .collect(Collectors.joining(" "));
    }

    private static String answer(SizeQuestion question, Offers offers, long there, PurchasePlan.Purchases plan) {
        double cost = plan.cost();
        String what = offers.priced()
                ? "for " + KindsText.money(cost, offers.currency()) + " in all"
                : servers(cost) + " in all, the fewest, as no prices are given";
        return ((there == 0
                                        ? "To buy, as no server is there (--servers gives the number of those that are)"
                                        : "To buy in addition to the "
                                                + (there == 1
                                                        ? "server that stays"
                                                        : count(there) + " servers that stay"))
                                + ", for " + question.phrase() + ": "
                                + (cost == 0
                                        ? (found(plan) ? "nothing" : "nothing that was tried is enough")
                                        : bought(sum(plan), offers.names(), offers.sites()) + ", " + what)
                                + (plan.policy().equals(InventoryFit.PLAN)
                                        ? InventoryText.ifMoved(question)
                                        : " (" + plan.policy() + ")")
                                + firstNeeded(plan) + new OrderDates(plan, offers).first() + ". "
                                + (found(plan) ? proven(cost, plan.least(), offers, there) : unmet(plan)))
                        .stripTrailing()
                + (found(plan)
                                && plan.least() > 0
                                && plan.least() < cost
                                && offers.kinds() > 1
                                && question.spareServers() > 0
                                && plan.policy().equals(InventoryFit.PLAN)
                        ? " The bound may be too low: it does not count all the room that must be free for "
                                + (question.spareServers() == 1 ? "a lost server." : "lost servers.")
                        : "")
                + new OrderDates(plan, offers).earlier()
                + eachYear(plan, offers)
                + perhapsLater(
                        plan.steps().size() == 1 || !plan.policy().equals(InventoryFit.PLAN)
                                ? List.of()
                                : purchases(plan)
                                        .filter(step -> !step.proven())
                                        .map(PurchasePlan.Step::by)
                                        .toList());
    }

    /** Of which purchases no proof says that they are needed by then; empty if there are none. */
    static String perhapsLater(List<Double> years) {
        return years.isEmpty()
                ? ""
                : " It is not proven that these purchases are all needed so early: "
                        + (years.size() > GrowthOverview.MOST_DATES
                                ? SizeText.within(years.get(0)) + " to " + SizeText.within(years.get(years.size() - 1))
                                : years.stream().map(SizeText::within).collect(Collectors.joining(", ")))
                        + ". Some may wait.";
    }

    /** Of which purchases no bound says that they are needed by then; empty if there are none. */
    static String perhapsLater(List<GrowthPlan.Step> steps, long have) {
        List<Double> years = new ArrayList<>();
        long there = have;
        for (GrowthPlan.Step step : steps) {
            there += step.buy();
            if (step.buy() > 0 && Collections.max(step.bound()) < there) {
                years.add((double) step.quarter() / QUARTERS);
            }
        }
        return BuyOverview.perhapsLater(years);
    }

    /** From when on nothing is enough, if something is bought before. */
    private static String unmet(PurchasePlan.Purchases plan) {
        return plan.steps().stream()
                .filter(step -> step.buy().isEmpty() && plan.cost() > 0)
                .findFirst()
                .map(step -> "Nothing that was tried is enough for the need "
                        + (step.year() == 0 ? "of today." : "in " + SizeText.inWords(step.year()) + "."))
                .orElse("");
    }

    private static String servers(double number) {
        return count((long) number) + (number == 1 ? " server" : " servers");
    }

    private static String amount(double cost, Offers offers) {
        return offers.priced() ? KindsText.money(cost, offers.currency()) : servers(cost);
    }

    /** What it costs to look at one year at a time, where that is not the cheapest; otherwise empty. */
    private static String eachYear(PurchasePlan.Purchases plan, Offers offers) {
        double cost = plan.cost();
        if (cost < plan.eachYear()) {
            return " Each purchase is part of the mix that is the cheapest for the final year; to buy what is the cheapest"
                    + " for one year at a time comes to " + amount(plan.eachYear(), offers) + ".";
        }
        return plan.mix()
                .filter(way -> !way.buy().isEmpty() && way.cost() < cost)
                .map(way -> " The final year alone needs only " + bought(way.buy(), offers.names(), offers.sites())
                        + ", for " + amount(way.cost(), offers) + ", but that is not enough in each year before.")
                .orElse("");
    }

    /** Whether something is enough for each year. */
    private static boolean found(PurchasePlan.Purchases plan) {
        return plan.steps().stream().noneMatch(step -> step.buy().isEmpty());
    }

    /** What is bought in all, and how many servers of it in which year. */
    private static void toBuy(AnswerParts answer, PurchasePlan.Purchases plan, Offers offers) {
        List<Long> all = sum(plan);
        List<String> names = shortNames(offers);
        Map<String, Long> kinds = KindsText.together(IntStream.range(0, all.size())
                .filter(l -> all.get(l) > 0)
                .mapToObj(l -> Map.entry(names.get(l), all.get(l))));
        boolean known = plan.steps().stream().noneMatch(step -> step.buy().isEmpty());
        answer.sum(
                "to buy", new AnswerParts.Summed(shortly(all, offers), known ? servers(all) : Double.NaN, kinds, null));
        if (plan.steps().size() > 1) {
            SizeText.firstNeeded(answer, purchases(plan).mapToDouble(PurchasePlan.Step::by));
            if (OrderDates.known(offers)) {
                OrderDates dates = new OrderDates(plan, offers);
                answer.sum(
                        "order by", purchases(plan).findFirst().map(dates::cell).orElse("-"));
                answer.order(dates.first());
            }
        }
        for (PurchasePlan.Step step : plan.steps().size() > 1 ? plan.steps() : List.<PurchasePlan.Step>of()) {
            boolean none = step.buy().isEmpty();
            answer.sum(
                    step.year() == 0 ? "buy today" : "in year " + Math.round(Math.ceil(step.year())),
                    new AnswerParts.Summed(
                            none ? "-" : count(servers(step.buy())),
                            none ? Double.NaN : servers(step.buy()),
                            Map.of(),
                            !offers.priced() ? null : none ? Double.NaN : step.cost()));
        }
    }

    private static Stream<PurchasePlan.Step> purchases(PurchasePlan.Purchases plan) {
        return plan.steps().stream().filter(step -> step.cost() > 0);
    }

    /** Of a plan of several years, when the first of its servers must be there. */
    private static String firstNeeded(PurchasePlan.Purchases plan) {
        return plan.steps().size() == 1
                ? ""
                : purchases(plan)
                        .findFirst()
                        .map(step -> (servers(sum(plan)) == 1 ? ", needed " : ", the first needed ")
                                + SizeText.within(step.by()))
                        .orElse("");
    }

    private static long servers(List<Long> buy) {
        return buy.stream().mapToLong(Long::longValue).sum();
    }

    private static List<Long> sum(PurchasePlan.Purchases plan) {
        List<List<Long>> each = plan.steps().stream()
                .map(PurchasePlan.Step::buy)
                .filter(buy -> !buy.isEmpty())
                .toList();
        return IntStream.range(0, each.isEmpty() ? 0 : each.get(0).size())
                .mapToObj(l -> each.stream().mapToLong(buy -> buy.get(l)).sum())
                .toList();
    }

    private static String proven(double cost, double least, Offers offers, long there) {
        String amount = offers.priced() ? KindsText.money(least, offers.currency()) : count((long) Math.ceil(least));
        String less = offers.priced() ? "costs less" : "takes fewer";
        return cost == 0
                ? "What is there is enough."
                : least == 0
                        ? (there == 0 ? "No" : "With the servers that stay, no") + " minimum cost is proven."
                        : cost <= least
                                ? "Proven: no other way " + less + "."
                                : "Proven: no way " + less + " than " + amount + ".";
    }

    /** {@code 2 x R650 + 1 x R750}; of several sites {@code 2 x R650 at each site}, or each with its own. */
    private static String bought(List<Long> buy, List<String> names, List<String> sites) {
        Map<String, String> at = IntStream.range(0, buy.size())
                .filter(l -> buy.get(l) > 0)
                .boxed()
                .collect(Collectors.toMap(
                        sites::get,
                        l -> count(buy.get(l)) + " x " + names.get(l),
                        (some, more) -> some + " + " + more,
                        LinkedHashMap::new));
        boolean each = at.size() == sites.stream().distinct().count()
                && at.values().stream().distinct().count() == 1;
        return each && (at.size() > 1 || at.containsKey(""))
                ? at.values().iterator().next() + (at.size() > 1 ? " at each site" : "")
                : at.entrySet().stream()
                        .map(its -> its.getKey() + ": " + its.getValue())
                        .collect(Collectors.joining("; "));
    }

    /** {@code 2 x R650 + 1 x R750}. */
    static String bought(Map<String, Long> kinds) {
        return kinds.entrySet().stream()
                .map(each -> count(each.getValue()) + " x " + each.getKey())
                .collect(Collectors.joining(" + "));
    }

    /** Without what each holds, where that leaves names of their own. */
    private static List<String> shortNames(Offers offers) {
        Map<String, Set<String>> same = new HashMap<>();
        offers.names()
                .forEach(name -> same.computeIfAbsent(shortName(name), any -> new HashSet<>())
                        .add(name));
        return offers.names().stream()
                .map(name -> same.getOrDefault(shortName(name), Set.of()).size() > 1 ? name : shortName(name))
                .toList();
    }

    private static String shortName(String kind) {
        return kind.replaceFirst(" \\(.*", "");
    }

    /** For a table: without what each kind holds, and a dash where there is nothing to buy. */
    private static String shortly(List<Long> buy, Offers offers) {
        String bought = bought(buy, shortNames(offers), offers.sites());
        return bought.isEmpty() ? "-" : bought;
    }

    private static String cost(Offers offers) {
        return "cost" + (offers.currency().isEmpty() ? "" : " (" + offers.currency() + ")");
    }

    /** What purchases are compared by. */
    private static String unit(Offers offers) {
        return offers.priced() ? cost(offers) : "servers bought";
    }

    private static Columns byYear(
            PurchasePlan.Purchases plan, Offers offers, LoadGrowth growth, List<Picture.Curve> curves) {
        List<String> header = new ArrayList<>(
                List.of("in", "load", "buy", unit(offers), "so far", "least so far", "first needed by"));
        if (OrderDates.known(offers)) {
            header.add("order by");
        }
        Columns columns = new Columns(header);
        int steps = plan.steps().size();
        double[] years = new double[steps];
        double[] bought = new double[steps];
        double[] sums = new double[steps];
        double[] least = new double[steps];
        double far = 0;
        for (int i = 0; i < steps; i++) {
            PurchasePlan.Step step = plan.steps().get(i);
            far += step.cost();
            years[i] = step.year();
            bought[i] = step.cost() == 0 ? step.year() : step.by();
            sums[i] = far;
            least[i] = step.least();
            List<String> row = new ArrayList<>(List.of(
                    SizeText.in(step.year()),
                    growth.words(step.load(), step.year()),
                    step.buy().isEmpty() ? "not enough" : shortly(step.buy(), offers),
                    KindsText.money(step.cost()),
                    KindsText.money(far),
                    KindsText.money(step.least()),
                    step.cost() == 0 ? "-" : SizeText.in(step.by())));
            if (OrderDates.known(offers)) {
                row.add(new OrderDates(plan, offers).cell(step));
            }
            columns.row(row);
        }
        double end = years[steps - 1];
        curves.add(SizePicture.steps(plan.policy(), bought, sums, end, false));
        curves.removeIf(Picture.Curve::dashed);
        curves.add(SizePicture.steps("bound for any policy", years, least, end, true));
        return columns;
    }

    private static Columns ways(PurchasePlan.Purchases plan, Offers offers) {
        Columns columns = new Columns(
                plan.steps().size() > 1 ? "the final year's need, bought in one step" : "what else could be bought",
                "buy",
                unit(offers),
                "least");
        Optional<PurchasePlan.Way> mix = plan.mix();
        for (PurchasePlan.Way way : plan.ways()) {
            // Where nothing is to be bought, only without what is there; of one kind there is no mix.
            if ((way.cost() == 0 && !way.buy().isEmpty())
                    || (offers.kinds() == 1 && mix.isPresent() && mix.get().equals(way))) {
                continue;
            }
            columns.row(
                    way.what(),
                    shortly(way.buy(), offers),
                    way.buy().isEmpty() ? "-" : KindsText.money(way.cost()),
                    way.buy().isEmpty() ? "-" : KindsText.money(way.least()));
        }
        return columns;
    }

    private static List<String> numbers(List<Long> buy, Offers offers) {
        return buy.isEmpty()
                ? Collections.nCopies(offers.names().size(), "-")
                : buy.stream().map(BuyOverview::count).toList();
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String csv(List<PurchasePlan.Purchases> plans, Offers offers) {
        List<String> header = new ArrayList<>(List.of("policy", "year", "load"));
        header.addAll(offers.labels());
        header.addAll(List.of("cost", "least_so_far", "needed_by"));
        Data.Csv csv = new Data.Csv(header.toArray(String[]::new));
        for (PurchasePlan.Purchases plan : plans) {
            for (PurchasePlan.Step step : plan.steps()) {
                List<String> row = new ArrayList<>(List.of(
                        plan.policy(),
                        new BigDecimal(step.year()).stripTrailingZeros().toPlainString(),
                        Double.toString(step.load())));
                row.addAll(numbers(step.buy(), offers));
                row.addAll(List.of(
                        Double.toString(step.cost()),
                        Double.toString(step.least()),
                        step.cost() == 0 ? "" : Double.toString(step.by())));
                csv.row(row.toArray(String[]::new));
            }
        }
        return csv.text();
    }
}
