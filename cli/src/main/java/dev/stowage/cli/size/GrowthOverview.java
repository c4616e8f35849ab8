package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.answer.SeveralAnswers;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.NotEnoughException;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.core.model.Site;
import dev.stowage.policies.Policies;
import dev.stowage.report.Picture;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.result.Remark;
import dev.stowage.study.load.LoadGrowth;
import dev.stowage.study.load.MoreLoad;
import dev.stowage.study.size.GrowthPlan;
import dev.stowage.study.size.InventoryFit;
import dev.stowage.study.size.Sizing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Shows how many servers to buy while the load grows. */
record GrowthOverview(Console console, StatusLine progress, SizeSettings settings, RealHosts hosts) {
    private static final int QUARTERS = 4;
    private static final String BOUND = "bound for any policy";
    /** Of more purchases of a kind a sentence has the first and the last. */
    static final int MOST_DATES = 4;

    /** What the numbers are about. */
    private enum KindsMeant {
        ONE,
        /** The kinds of which the fewest more are enough, all that is there being kept. */
        CHOSEN,
        /** Those of a list, in its order. */
        LISTED,
        /** One kind, more of it where there are fewest, as any site may be lost. */
        EVEN_SITES;

        static KindsMeant of(long have, Sizing today) {
            return today.isOneKind()
                    ? today.mayLoseSites() ? EVEN_SITES : ONE
                    : have > 0 && today.choosesKinds() ? CHOSEN : LISTED;
        }

        boolean areSeveral() {
            return this == CHOSEN || this == LISTED;
        }

        /** What is proven holds for these. */
        String proviso() {
            return switch (this) {
                case ONE -> "";
                case CHOSEN -> " of these kinds, if all that is there is kept";
                case LISTED -> " of these kinds, in turn, the largest first";
                case EVEN_SITES -> ", however they are divided over the sites, if the servers that are there stay";
            };
        }
    }

    /** With how many servers are there. */
    void show(AnswerParts answer, Experiment point, long have, SizeQuestion question, List<Remark> warnings) {
        GrowthOption option = settings.growthOf(point.workload().types());
        LoadGrowth growth = option.perYear();
        int quarters = settings.quarters();
        GrowthPlan plan = new GrowthPlan(point, question, new Policies());
        Sizing today = plan.today();
        String hopeless = today.hopeless();
        if (!hopeless.isEmpty()) {
            answer.first(hopeless);
            answer.print(settings.format(), () -> Data.json(Map.of("problem", hopeless), warnings), () -> "");
            throw new NotEnoughException("some requests fit no server");
        }
        String how =
                MoreLoad.of(point.workload()).sentence(growth, point.workload().isInventory())
                        + (option.compounded().isEmpty() ? "" : " " + option.compounded());
        KindsMeant kinds = KindsMeant.of(have, today);
        SizeSettings.require(
                !settings.asked().explain || (point.workload().isInventory() && kinds == KindsMeant.ONE),
                "--explain",
                "with --growth is for what runs now and does not end, on servers of one kind, without --spare-site. Here leave"
                        + " out --growth, to see why today's number is needed, or --explain");
        Map<String, List<GrowthPlan.Step>> plans = new LinkedHashMap<>();
        List<String> why = new ArrayList<>();
        List<String> beyond = new ArrayList<>();
        // Of the first policy; where kinds are chosen a step has those that are there, which may be more before any is
        // bought.
        List<List<Long>> needed = new ArrayList<>();
        for (LabelledPolicy policy : point.policies()) {
            progress.step(policy.label() + ": quarter 1 of " + (quarters + 1));
            plans.put(policy.label(), plan.of(policy, growth, quarters, have, (step, sizing) -> {
                progress.step(policy.label() + ": quarter " + Math.min(step.quarter() + 2, quarters + 1) + " of "
                        + (quarters + 1));
                if (settings.asked().explain && step.known() && (step.quarter() == 0 || step.buy() > 0)) {
                    why.add(under(point, policy, why(policy, step, question, sizing)));
                }
                if (plans.isEmpty()) {
                    needed.add(
                            kinds == KindsMeant.CHOSEN && step.servers().get(0) <= have
                                    ? sizing.need(policy.spec()).servers()
                                    : step.servers());
                }
                if (step.quarter() == quarters) {
                    beyond.add(
                            step.known()
                                    ? LoadOverview.beyond(
                                            point.workload(), sizing.point().workload(), growth, settings.years())
                                    : "");
                }
            }));
        }
        progress.clear();
        plans.values()
                .forEach(steps -> steps.forEach(step -> step.notes()
                        .forEach(note -> console.warn("stowage: quarter " + step.quarter() + ": " + note))));
        double years = settings.years();
        answer.first(SizeText.inventory(point) + "For " + question.phrase() + ", until " + SizeText.inWords(years)
                + " (load "
                + growth.words(growth.rounded(years), years) + "): "
                + plans.entrySet().stream()
                        .map(each -> answer(point, question, each.getKey(), each.getValue(), have, kinds))
                        .collect(Collectors.joining(" "))
                        .replace(". with ", ". With ")
                + (beyond.get(0).isEmpty() ? "" : " " + beyond.get(0)));
        List<GrowthPlan.Step> steps = plans.values().iterator().next();
        GrowthPlan.Step end = steps.get(quarters);
        long more = steps.stream().mapToLong(GrowthPlan.Step::buy).sum();
        answer.sum("servers now", SizeText.number(have), have);
        steps.stream()
                .filter(step -> step.quarter() % QUARTERS == 0 || step.quarter() == quarters)
                .forEach(step -> answer.sum(
                        step.quarter() == 0 ? "needed today" : "in " + years(step),
                        SizeOverview.range(needed.get(step.quarter())),
                        SizeText.single(needed.get(step.quarter()))));
        boolean known = unknown(steps).isEmpty();
        answer.sum("to buy", known ? SizeText.number(more) : "-", known ? more : Double.NaN);
        if (!several(steps)) {
            long least = Math.max(0, least(steps) - have);
            answer.sum(SeveralAnswers.LEAST_TO_BUY, known ? SizeText.number(least) : "-", known ? least : Double.NaN);
        }
        SizeText.firstNeeded(
                answer, steps.stream().filter(step -> step.buy() > 0).mapToDouble(GrowthOverview::inYears));
        answer.sum("decided in " + years(end) + " by", decidedBy(end));
        List<String> all = point.cluster().sites().stream().map(Site::name).toList();
        List<String> sites = all.size() > 1 ? all : List.of();
        answer.ofAll(how);
        table(how, growth, have, plans, kinds, sites, answer);
        why.stream().filter(each -> !each.isEmpty()).forEach(answer::say);
        if (settings.report().asked()) {
            new InventoryText(point, question, today, hosts, new KindsText(point, hosts, have == 0))
                    .failuresNow(steps.get(0).known() && steps.get(0).buy() == 0, Map.of(), answer);
        }
        List<Remark> notes = new ArrayList<>(warnings);
        if (!beyond.get(0).isEmpty()) {
            notes.add(Remark.plain(beyond.get(0)));
        }
        answer.print(settings.format(), () -> Data.jsonOfServers(real(plans), notes), () -> csv(plans, sites));
        settings.report().write(answer, SizeOverview.TITLE + point.name(), settings.facts(point, question));
        if (plans.values().stream().noneMatch(each -> unknown(each).isEmpty())) {
            throw new NotEnoughException(
                    "the target is not met by any policy for all of that time, with any number of servers that was tried");
        }
    }

    /** A sentence, with the policy it is about if there are several. */
    private static String under(Experiment point, LabelledPolicy policy, String sentence) {
        return sentence.isEmpty() || point.policies().size() == 1 ? sentence : policy.label() + ": " + sentence;
    }

    /** Why one server less is not enough then; empty where nothing is left without it. */
    private String why(LabelledPolicy policy, GrowthPlan.Step step, SizeQuestion question, Sizing sizing) {
        long servers = step.servers().get(0);
        int spare = question.spareServers();
        String text = servers <= spare + 1
                ? ""
                : new InventoryText(
                                sizing.point(), question, sizing, hosts, new KindsText(sizing.point(), hosts, false))
                        .fewer(servers, sizing.runs().stops(policy.spec(), servers - 1, spare));
        return text.isEmpty()
                ? ""
                : (step.quarter() == 0 ? "Today, w" : "In " + years(step) + ", w") + text.substring(1);
    }

    private String answer(
            Experiment point,
            SizeQuestion question,
            String policy,
            List<GrowthPlan.Step> steps,
            long have,
            KindsMeant kinds) {
        boolean planned = policy.equals(InventoryFit.PLAN);
        String unknown = unknown(steps);
        long buy = steps.stream().mapToLong(GrowthPlan.Step::buy).sum();
        String there =
                have == 1 ? "the server that is there" : "the " + SizeText.number(have) + " servers that are there";
        String need = buy > 0
                ? have == 0
                        ? "as none is there, buy " + SizeText.number(buy) + dates(steps, GrowthPlan.Step::buy)
                        : "keep " + there + " and add " + purchases(steps)
                : unknown.isEmpty() ? there + (have == 1 ? " is enough" : " are enough") : "";
        return (planned ? "" : "with " + policy + ", ")
                + need
                + (planned && !need.isEmpty() ? InventoryText.ifMoved(question) : "")
                + (need.isEmpty() || unknown.isEmpty() ? "" : "; ")
                + unknown
                + "."
                + (unknown.isEmpty() ? proven(point, steps, buy, have, kinds) : "")
                + (planned ? BuyOverview.perhapsLater(steps, have) : "");
    }

    /** The greatest bound of all quarters. */
    private static long least(List<GrowthPlan.Step> steps) {
        return steps.stream()
                .flatMap(step -> step.bound().stream())
                .max(Long::compare)
                .orElse(0L);
    }

    private static String proven(Experiment point, List<GrowthPlan.Step> steps, long buy, long have, KindsMeant kinds) {
        long least = least(steps) - have;
        return buy == 0 || least <= 0 || (several(steps) && least < buy)
                ? ""
                : " Proven: "
                        + (least >= buy ? "no fewer" : "no fewer than " + SizeText.number(least))
                        + " are enough"
                        + kinds.proviso()
                        + (point.workload().isConstrained()
                                ? ", without regard to who may run where, except for spread"
                                : "")
                        + ".";
    }

    /** When no number is enough; empty if there always is one. */
    private static String unknown(List<GrowthPlan.Step> steps) {
        List<GrowthPlan.Step> some =
                steps.stream().filter(step -> !step.known()).toList();
        if (some.isEmpty()) {
            return "";
        }
        GrowthPlan.Step last = some.get(some.size() - 1);
        return (some.size() == steps.size()
                        ? ""
                        : last.quarter() == steps.size() - 1
                                ? "from " + years(some.get(0)) + " on "
                                : last.quarter() == 0 ? "today " : "until " + years(last) + " ")
                + "no number that was tried is enough";
    }

    /** {@code 4 x 64 cores, 512 GiB (1 today, 3 within 1 year 6 months) + 1 x ...}. */
    private String purchases(List<GrowthPlan.Step> steps) {
        Map<String, String> kinds = new LinkedHashMap<>();
        for (GrowthPlan.Step step : steps) {
            for (GrowthPlan.Bought bought : step.bought()) {
                kinds.computeIfAbsent(name(bought), name -> {
                    ToLongFunction<GrowthPlan.Step> of = each -> each.bought().stream()
                            .filter(one -> name(one).equals(name))
                            .mapToLong(GrowthPlan.Bought::servers)
                            .sum();
                    return SizeText.number(steps.stream().mapToLong(of).sum()) + " x " + name + dates(steps, of);
                });
            }
        }
        return String.join(" + ", kinds.values());
    }

    private static String dates(List<GrowthPlan.Step> steps, ToLongFunction<GrowthPlan.Step> servers) {
        List<GrowthPlan.Step> some =
                steps.stream().filter(step -> servers.applyAsLong(step) > 0).toList();
        return " ("
                + (some.size() > MOST_DATES
                        ? "the first " + when(some.get(0)) + ", the last " + when(some.get(some.size() - 1))
                        : some.stream()
                                .map(step -> (some.size() == 1 ? "" : SizeText.number(servers.applyAsLong(step)) + " ")
                                        + when(step))
                                .collect(Collectors.joining(", ")))
                + ")";
    }

    /** With what the kinds really hold. */
    private Map<String, List<GrowthPlan.Step>> real(Map<String, List<GrowthPlan.Step>> plans) {
        Map<String, List<GrowthPlan.Step>> real = new LinkedHashMap<>(plans);
        real.replaceAll((policy, steps) ->
                steps.stream().map(step -> step.naming(hosts::amounts)).toList());
        return real;
    }

    private String name(GrowthPlan.Bought bought) {
        return hosts.of(bought.kind()) + (bought.site().isEmpty() ? "" : " at " + bought.site());
    }

    private static String when(GrowthPlan.Step step) {
        return SizeText.within(inYears(step));
    }

    private static String decidedBy(GrowthPlan.Step step) {
        return SizeText.decidedBy(step.decides(), step.known() && step.bound().get(0) > 0);
    }

    private static String years(GrowthPlan.Step step) {
        return SizeText.in(inYears(step));
    }

    private static double inYears(GrowthPlan.Step step) {
        return (double) step.quarter() / QUARTERS;
    }

    private void table(
            String how,
            LoadGrowth growth,
            long have,
            Map<String, List<GrowthPlan.Step>> plans,
            KindsMeant kinds,
            List<String> sites,
            AnswerParts answer) {
        boolean byYear = plans.values().stream().anyMatch(steps -> GrowthPlan.byYear(steps.size() - 1));
        List<String> header = new ArrayList<>(List.of("in", "load", "servers", "to buy"));
        header.add(kinds == KindsMeant.CHOSEN ? "least to buy so far" : BOUND);
        header.add("decided by");
        if (byYear) {
            header.add("needed by");
        }
        List<String> bought = plans.values().stream()
                .flatMap(List::stream)
                .flatMap(step -> step.bought().stream())
                .map(each -> hosts.of(each.kind()))
                .distinct()
                .toList();
        // Of one kind a cell has how many for each site.
        boolean named = kinds.areSeveral() && have > 0 && (bought.size() > 1 || sites.isEmpty());
        List<Picture.Curve> curves = new ArrayList<>();
        plans.forEach((policy, steps) -> {
            if (policy.equals(InventoryFit.PLAN)) {
                answer.gap();
            } else {
                answer.heading(policy);
            }
            Columns columns = new Columns(header);
            List<GrowthPlan.Step> year = new ArrayList<>();
            for (GrowthPlan.Step step : steps) {
                year.add(step);
                if (!byYear || step.quarter() % QUARTERS == 0 || step.quarter() == steps.size() - 1) {
                    columns.row(row(year, growth, have, kinds, sites, named, byYear));
                    year.clear();
                }
            }
            answer.table(columns);
            SizePicture.growth(
                    policy.equals(InventoryFit.PLAN)
                            ? kinds == KindsMeant.CHOSEN ? "servers there then" : "servers"
                            : policy,
                    kinds == KindsMeant.ONE ? "no policy needs fewer" : "no fewer are enough" + kinds.proviso(),
                    kinds == KindsMeant.ONE ? BOUND : "the least" + kinds.proviso(),
                    steps,
                    byYear ? QUARTERS : 1,
                    curves,
                    curves.size() + 1 == plans.size());
        });
        answer.say((byYear
                        ? "Of each year the quarter that needs most; \"needed by\" says how many from which quarter on. "
                        : "")
                + (kinds == KindsMeant.CHOSEN
                        ? "\"Servers\" are those that are there then, as all are kept. \"To buy\" are the fewest more of"
                                + " their kinds that were found; for other kinds, the same with --buy. "
                        : plans.values().stream().anyMatch(GrowthOverview::several)
                                ? "Numbers are the minimum and maximum over the runs; each bound is proven for its run. \"To"
                                        + " buy\" is for the run with the greatest need, beyond what was bought before. "
                                : "\"To buy\" is beyond what was bought before. ")
                + how
                + settings.sample());
        String order = named || bought.isEmpty() || sites.isEmpty()
                ? ""
                : "\"To buy\" is for " + String.join(" + ", sites)
                        + (kinds.areSeveral() ? ", servers of one kind: " + bought.get(0) : "") + ". ";
        String more = switch (kinds) {
            case ONE, CHOSEN -> order;
            case EVEN_SITES -> order + "Each further server is for the site that has fewest then.";
            case LISTED ->
                order + "What is added is the list of servers once more, from its largest"
                        + (sites.isEmpty() ? "" : ", at each site its share")
                        + ". The bound is for this order: other mixes may need fewer. Which kinds to buy, year"
                        + " by year: the same with --buy, and the kinds on offer.";
        };
        String models = bought.isEmpty() ? "" : hosts.models();
        answer.say((more.strip() + (models.isEmpty() ? "" : " Kinds: " + models + ".")).strip());
        answer.onPage(SizePicture.over(byYear ? "year" : "quarter", "servers", curves, false));
    }

    /** Of some quarters, to the end of the last. */
    private List<String> row(
            List<GrowthPlan.Step> year,
            LoadGrowth growth,
            long have,
            KindsMeant kinds,
            List<String> sites,
            boolean named,
            boolean byYear) {
        GrowthPlan.Step end = year.get(year.size() - 1);
        List<Long> servers = List.of();
        List<Long> least = List.of();
        GrowthPlan.Step most = end;
        for (GrowthPlan.Step step : year) {
            List<Long> before = servers;
            servers = greatest(servers, step.servers());
            most = servers.equals(before) ? most : step;
            least = greatest(least, step.bound());
        }
        long buy = year.stream().mapToLong(GrowthPlan.Step::buy).sum();
        Map<String, Long> bought = new LinkedHashMap<>();
        year.forEach(step -> step.bought().forEach(each -> bought.merge(name(each), each.servers(), Long::sum)));
        List<String> row = new ArrayList<>(List.of(
                years(end),
                growth.words(end.load(), (double) end.quarter() / QUARTERS),
                SizeOverview.range(end.known() ? servers : end.servers())
                        + (end.known() && !servers.equals(end.servers()) ? " (at " + years(most) + ")" : ""),
                named && buy > 0 ? hosts.of(bought) : atSites(year, sites)));
        row.add(kinds == KindsMeant.CHOSEN ? SizeText.number(least.get(0) - have) : SizeOverview.range(least));
        row.add(decidedBy(most));
        if (byYear) {
            String when = year.stream()
                    .filter(step -> step.buy() > 0)
                    .map(step -> years(step) + ": "
                            + (!named
                                    ? atSites(List.of(step), sites)
                                    : bought.size() > 1 ? purchase(step) : SizeText.number(step.buy())))
                    .collect(Collectors.joining(named && bought.size() > 1 ? "; " : ", "));
            row.add(when.isEmpty() ? "-" : when);
        }
        return row;
    }

    /** {@code 1 + 4}: how many to buy for each site; of one site the number alone, and so where nothing is bought. */
    private static String atSites(List<GrowthPlan.Step> steps, List<String> sites) {
        long buy = steps.stream().mapToLong(GrowthPlan.Step::buy).sum();
        return buy == 0
                        || sites.isEmpty()
                        || steps.stream().allMatch(step -> step.bought().isEmpty())
                ? SizeText.number(buy)
                : sites.stream()
                        .map(site -> SizeText.number(
                                steps.stream().mapToLong(step -> at(step, site)).sum()))
                        .collect(Collectors.joining(" + "));
    }

    private static long at(GrowthPlan.Step step, String site) {
        return step.bought().stream()
                .filter(each -> each.site().equals(site))
                .mapToLong(GrowthPlan.Bought::servers)
                .sum();
    }

    private String purchase(GrowthPlan.Step step) {
        return step.bought().stream()
                .map(each -> SizeText.number(each.servers()) + " x " + name(each))
                .collect(Collectors.joining(" + "));
    }

    /** The greater of each run's; of the first alone where there is no other. */
    private static List<Long> greatest(List<Long> some, List<Long> others) {
        return some.isEmpty()
                ? others
                : IntStream.range(0, some.size())
                        .mapToObj(r -> Math.max(some.get(r), others.get(r)))
                        .toList();
    }

    private static boolean several(List<GrowthPlan.Step> steps) {
        return steps.get(0).servers().size() > 1;
    }

    private static String csv(Map<String, List<GrowthPlan.Step>> plans, List<String> sites) {
        Data.Csv csv = new Data.Csv(
                "policy", "quarter", "load", "replication", "servers", "bound", "buy", "decides", "buy by site");
        plans.forEach((policy, steps) -> {
            for (GrowthPlan.Step step : steps) {
                for (int r = 0; r < step.servers().size(); r++) {
                    csv.row(
                            policy,
                            Integer.toString(step.quarter()),
                            Double.toString(step.load()),
                            Integer.toString(r),
                            SizeOverview.cell(step.servers().get(r)),
                            SizeOverview.cell(step.bound().get(r)),
                            Long.toString(step.buy()),
                            step.decides(),
                            sites.stream()
                                    .map(site -> site + "=" + at(step, site))
                                    .collect(Collectors.joining(";")));
                }
            }
        });
        return csv.text();
    }
}
