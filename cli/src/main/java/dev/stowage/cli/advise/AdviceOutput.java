package dev.stowage.cli.advise;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.study.advise.AdviceView;
import dev.stowage.study.advise.ClusterAdvice;
import dev.stowage.study.advise.ClusterJob;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.WaitingReasons;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows the answer about a cluster: as text or JSON, and as a page. */
public final class AdviceOutput {
    private final Console console;
    private final AdviceOptions options;
    private final AdviceWords words;

    public AdviceOutput(Console console, AdviceOptions options, AdviceWords words) {
        this.console = console;
        this.options = options;
        this.words = words;
    }

    /** Shows the answer. */
    public void show(
            ClusterState state, ClusterAdvice.@Nullable Addition addition, String zoneLabel, List<String> notes) {
        if (options.asksWhyNot()) {
            whyNot(state);
            return;
        }
        ClusterAdvice advice = StatusLine.during(
                console,
                "stowage: planning for " + words.servers(state.servers().size()),
                () -> ClusterAdvice.of(state, zoneLabel, addition, options.spare()));
        AdviceView view = AdviceView.of(state, advice, notes);
        AnswerParts answer = new AdviceText(console, words, view)
                .whole(options.steps(), options.spare(), ServerBars.of(state, advice, view, words));
        console.out().print(options.json() ? Data.json(view) : answer.text());
        options.report().write(answer, "Advice for a cluster of " + words.servers(view.servers()), Map.of());
    }

    private void whyNot(ClusterState state) {
        String[] pair = options.pair();
        int job = number(state.jobs().stream().map(one -> one.name()).toList(), words.job(), pair[0]);
        int server = number(state.servers().stream().map(one -> one.name()).toList(), words.server(), pair[1]);
        List<WaitingReasons.Reason> reasons = WaitingReasons.whyNot(state, job, server);
        if (options.json()) {
            console.out().print(Data.json(reasons));
        } else {
            String head = pair[0] + " on " + pair[1] + ": ";
            if (reasons.isEmpty()) {
                console.out().print(console.wrapped("", head + free(state.jobs().get(job), server)));
            }
            for (WaitingReasons.Reason reason : reasons) {
                console.out()
                        .print(console.wrapped(
                                "",
                                head + words.server() + " " + reason.text()
                                        + (reason.resource().isEmpty()
                                                ? ""
                                                : " (" + words.amount().apply(reason.resource(), reason.shortBy())
                                                        + " short)")));
            }
        }
    }

    /** Of a pair that no rule forbids. */
    private static String free(ClusterJob job, int server) {
        return (job.server() == server ? "it runs there, and no rule forbids it" : "no rule forbids it")
                + (job.waits() || job.server() == server || job.stayReason().isEmpty()
                        ? ""
                        : ", but it may not be moved: " + job.stayReason())
                + (job.admission().unchecked().isEmpty()
                        ? ""
                        : "; it asks for " + job.admission().unchecked());
    }

    private static int number(List<String> names, String what, String name) {
        int at = names.indexOf(name);
        if (at < 0) {
            throw new BadInputException("--why-not: there is no " + what + " '" + name + "'" + meant(name, names));
        }
        return at;
    }

    /** The name that was probably meant; one in a namespace also if the namespace was left out. */
    private static String meant(String name, List<String> names) {
        return names.stream()
                .filter(known -> known.endsWith("/" + name))
                .findFirst()
                .map(known -> "; did you mean " + known + "?")
                .orElseGet(() -> Suggestion.of(name, names));
    }
}
