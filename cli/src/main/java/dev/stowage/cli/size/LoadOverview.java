package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.study.load.LoadGrowth;
import dev.stowage.study.load.MoreLoad;
import dev.stowage.study.size.InventoryFit;
import dev.stowage.study.size.LoadSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows how much more load the servers of an experiment can take. */
record LoadOverview(Console console, StatusLine progress, SizeSettings settings) {
    /**
     * The load that a policy can take.
     *
     * @param byReplication percent of today's load
     * @param mostBy no policy bears more
     */
    record Borne(String policy, List<Long> byReplication, List<Long> mostBy) {}

    void show(AnswerParts answer, Experiment point, SizeQuestion question, List<String> warnings) {
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
        answer(answer, how, question, all);
        answer.print(settings.format(), () -> Data.json(all, warnings), () -> csv(all));
        settings.report().write(answer, "How much load: " + point.name(), settings.facts(point, question));
    }

    private void answer(AnswerParts answer, String how, SizeQuestion question, List<Borne> all) {
        Columns columns = new Columns("policy", "load, % of today's", "no policy supports more than");
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
