package dev.stowage.cli.kube;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.kube.translate.Quantities;
import dev.stowage.study.advise.Turnover;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** How fast pods come and go, for people. */
final class TurnoverText {
    private static final double MILLI = 1000;

    private TurnoverText() {}

    static AnswerParts of(PodTurnover pods, Console console) {
        AnswerParts answer = new AnswerParts(console);
        answer.first(longRun(pods));
        answer.gap();
        Columns table = new Columns(
                "pods of", "arrivals per hour", "mean lifetime", "in the long run", "before", "stayed", "came");
        for (Turnover.Kind kind : pods.turnover().kinds()) {
            Double longRun = kind.longRun();
            table.row(
                    kind.name(),
                    range(kind.rate(), TurnoverText::number),
                    range(kind.lifeHours(), TurnoverText::time),
                    longRun == null ? "–" : number(longRun),
                    Integer.toString(kind.before()),
                    Integer.toString(kind.stayed()),
                    Integer.toString(kind.came()));
        }
        answer.table(table);
        answer.gap();
        answer.say("The recording covers " + time(pods.turnover().hours())
                + (pods.endKnown() ? "" : ", up to its last event: how long it went on is not in it")
                + ". Before: pods of this size that ran when it"
                + " began; stayed: those of them that still ran at its end; came: pods that arrived meanwhile,"
                + " or waited when it began. In brackets: 95 % intervals. Lifetimes are taken as exponential:"
                + " the time that all pods of a size ran, divided by how many ended. In the long run: how many"
                + " run on average if both stay as they are.");
        if (pods.fitNone() > 0) {
            answer.say(
                    pods.fitNone() == 1
                            ? "1 pod fits no node, even an empty one, and is not in the table."
                            : pods.fitNone() + " pods fit no node, even an empty one, and are not in the table.");
        }
        return answer;
    }

    private static String longRun(PodTurnover pods) {
        String unknown = pods.moving(false).stream().map(Turnover.Kind::name).collect(Collectors.joining("; "));
        if (pods.moving(true).isEmpty()) {
            return unknown.isEmpty()
                    ? "No pod came or went in this recording."
                    : "What pods ask for in the long run cannot be said: none of the sizes that came has ended.";
        }
        List<String> parts = new ArrayList<>();
        for (String resource : List.of(Quantities.CPU, PodTurnover.MEMORY)) {
            double asked = pods.askedInTheLongRun(resource);
            long all = pods.all(resource);
            if (asked == 0 && resource.equals(PodTurnover.MEMORY)) {
                continue;
            }
            parts.add(amount(resource, Math.round(asked)) + " of " + amount(resource, all)
                    + (all == 0 ? "" : " (" + number(100 * asked / all) + " %)"));
        }
        return "In the long run, pods of the sizes that come and go ask for " + String.join(" and ", parts)
                + " that the other pods leave free"
                + (unknown.isEmpty() ? "" : ", without those of which none has ended (" + unknown + ")") + ".";
    }

    private static String amount(String resource, long amount) {
        return resource.equals(Quantities.CPU)
                ? PodTurnover.coresInWords(number(amount / MILLI))
                : Quantities.text(resource, amount);
    }

    /** {@code 12 (8 to 17)}; the interval alone where there is no estimate. */
    private static String range(Turnover.Range range, DoubleFunction<String> words) {
        Double value = range.value();
        Double high = range.high();
        String interval = high == null
                ? "from " + words.apply(range.low())
                : words.apply(range.low()) + " to " + words.apply(high);
        return value == null ? interval : words.apply(value) + " (" + interval + ")";
    }

    /** Hours, in the unit that people use. */
    private static String time(double hours) {
        return hours < 1.0 / 60
                ? number(hours * 3600) + " s"
                : hours < 1
                        ? number(hours * 60) + " min"
                        : hours < 48 ? number(hours) + " h" : number(hours / 24) + " d";
    }

    private static String number(double value) {
        return new BigDecimal(value)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }
}
