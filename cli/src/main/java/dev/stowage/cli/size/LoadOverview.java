package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import dev.stowage.study.load.LoadGrowth;
import dev.stowage.study.load.MoreLoad;
import dev.stowage.study.size.InventoryFit;
import dev.stowage.study.size.LoadSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Shows how much more load the servers of an experiment can take. */
record LoadOverview(Console console, StatusLine progress, SizeSettings settings) {
    /** Up to this part of the growth that was asked, or of today's load, more is a matter of rounding. */
    private static final double MOST_OF_GROWTH = 0.1;

    private static final double MOST_OF_LOAD = 0.01;

    private static final long HUNDRED = 100;

    /**
     * The load that a policy can take.
     *
     * @param byReplication percent of today's load
     * @param mostBy no policy bears more
     */
    record Borne(String policy, List<Long> byReplication, List<Long> mostBy) {}

    void show(AnswerParts answer, Experiment point, SizeQuestion question, List<Remark> warnings) {
        progress.step("bound for any policy");
        String how = MoreLoad.of(point.workload())
                .sentence(LoadGrowth.of(0), point.workload().isInventory());
        LoadSearch search = new LoadSearch(point, question, new Policies());
        List<Borne> all = new ArrayList<>();
        for (LabelledPolicy policy : point.policies()) {
            progress.step(policy.label());
            List<Long> bears = search.bears(policy.spec());
            all.add(new Borne(policy.label(), bears, search.most()));
        }
        progress.clear();
        answer(
                answer,
                how
                        + (point.workload().isInventory()
                                ? atMost(
                                        search,
                                        all.get(0).byReplication().get(0),
                                        all.size() == 1
                                                ? "At"
                                                : "Under " + all.get(0).policy() + ", at")
                                : ""),
                question,
                all);
        answer.print(settings.format(), () -> Data.json(all, warnings), () -> csv(all));
        settings.report().write(answer, "How much load: " + point.name(), settings.facts(point, question));
    }

    /** What the load is then in whole requests, which is not the same percentage of each resource. */
    private static String atMost(LoadSearch search, long percent, String at) {
        if (percent == 0) {
            return "";
        }
        Workload today = search.at(HUNDRED).workload();
        Workload then = search.at(percent).workload();
        return String.format(
                Locale.ROOT,
                " %s %,d %% these are %s: whole requests, where the bound of 'stowage bound' divides them, so its"
                        + " percentage may be another.",
                at,
                percent,
                inWholeRequests(amounts(today), amounts(then), today.resources()));
    }

    /** {@code 11 requests in place of 10, with 88 vCPU (110.0 % of today's)}: of {@link #amounts} now and then. */
    static String inWholeRequests(long[] now, long[] then, List<String> resources) {
        List<String> parts = new ArrayList<>();
        for (int r = 1; r < now.length; r++) {
            if (now[r] > 0) {
                parts.add(String.format(
                        Locale.ROOT,
                        "%s (%.1f %% of today's)",
                        ResourceWords.amount(resources.get(r - 1), then[r]),
                        100.0 * then[r] / now[r]));
            }
        }
        return String.format(
                Locale.ROOT, "%,d requests in place of %,d, with %s", then[0], now[0], String.join(", ", parts));
    }

    /** Where something grows by much more than was asked, as requests are whole: what there is at the end. */
    static String beyond(Workload today, Workload grown, LoadGrowth growth, double years) {
        if (!today.isInventory()) {
            return "";
        }
        long[] then = amounts(grown);
        double[] times = new double[today.types().size()];
        growth.groups(years, today.types()).forEach(each -> each.types().forEach(type -> times[type] = each.times()));
        double[] asked = new double[then.length];
        RequestStream stream = today.open(0);
        while (stream.next()) {
            for (int r = 1; r < asked.length; r++) {
                asked[r] += times[stream.type()] * stream.demand(r - 1);
            }
        }
        long[] now = amounts(today);
        return IntStream.range(1, asked.length)
                        .allMatch(r -> then[r] - asked[r]
                                <= Math.max(MOST_OF_GROWTH * Math.abs(asked[r] - now[r]), MOST_OF_LOAD * now[r]))
                ? ""
                : "Requests are whole, so at the end there is more than was asked: "
                        + inWholeRequests(now, then, today.resources())
                        + ". Asked is "
                        + IntStream.range(1, asked.length)
                                .filter(r -> now[r] > 0)
                                .mapToObj(r -> String.format(
                                        Locale.ROOT,
                                        "%.1f %% of today's %s",
                                        100 * asked[r] / now[r],
                                        ResourceWords.resource(today.resources().get(r - 1))))
                                .collect(Collectors.joining(" and "))
                        + ".";
    }

    /** What a buyer must know of the load: what is supposed of labels, and that more grows than was asked. */
    static String bought(Workload today, LoadGrowth growth, double years) {
        String beyond = years == 0 || !today.isInventory()
                ? ""
                : beyond(today, MoreLoad.of(today).after(years, growth, today), growth, years);
        return (today.isConstrained()
                        ? " What is bought has no labels and no names: what must run on a server with a label runs on"
                                + " those that are there."
                        : "")
                + (beyond.isEmpty() ? "" : " " + beyond);
    }

    /** How many requests there are, then how much of each resource they take. */
    static long[] amounts(Workload workload) {
        long[] sum = new long[workload.resources().size() + 1];
        RequestStream stream = workload.open(0);
        while (stream.next()) {
            sum[0]++;
            for (int r = 1; r < sum.length; r++) {
                sum[r] += stream.demand(r - 1);
            }
        }
        return sum;
    }

    private void answer(AnswerParts answer, String how, SizeQuestion question, List<Borne> all) {
        Columns columns = new Columns("policy", "load, % of today's", "no policy supports more than");
        answer.sum("load, % of today's", SizeOverview.span(all.get(0).byReplication()));
        for (Borne one : all) {
            boolean none = one.byReplication().stream().allMatch(each -> each == 0);
            String load = none ? "-" : SizeOverview.span(one.byReplication());
            columns.row(one.policy(), load, SizeOverview.span(one.mostBy()));
            answer.firstOfPage("For " + question.phrase() + " these servers support "
                    + (none ? "no load that was tried" : load + " % of today's load")
                    + (one.policy().equals(InventoryFit.PLAN)
                            ? ", if everything may be moved."
                            : " under " + one.policy() + "."));
        }
        answer.firstOfPage(
                "No policy supports more than " + SizeOverview.span(all.get(0).mostBy()) + " %.");
        int runs = all.get(0).byReplication().size();
        answer.onConsole(
                console.wrapped("", "The load that these servers support for " + question.phrase() + ":") + "\n");
        answer.table(columns);
        answer.say(how
                + settings.sample()
                + (runs == 1
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                " Numbers are the minimum and maximum over %,d runs; each bound is proven for its"
                                        + " run. In another such run these servers support at least the minimum with a"
                                        + " probability of at least %d %%.",
                                runs,
                                100 * runs / (runs + 1)))
                + (question.target().waitsForEver() ? " The bound is for policies that decide immediately." : ""));
    }

    private static String csv(List<Borne> all) {
        Data.Csv csv = new Data.Csv("policy", "replication", "load_percent", "bound_percent");
        for (Borne one : all) {
            for (int r = 0; r < one.byReplication().size(); r++) {
                csv.row(
                        one.policy(),
                        Integer.toString(r),
                        Long.toString(one.byReplication().get(r)),
                        Long.toString(one.mostBy().get(r)));
            }
        }
        return csv.text();
    }
}
