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

/** How fast pods come and go, for people. */
final class TurnoverText {
    private static final double MILLI = 1000;

    private TurnoverText() {}

    static AnswerParts of(PodTurnover pods, Console console) {
        AnswerParts answer = new AnswerParts(console);
        answer.first(longRun(pods));
        answer.gap();
        Columns table = new Columns(
                "pods of",
                "before",
                "stayed",
                "came",
                "an hour",
                "interval",
                "life (h)",
                "interval",
                "in the long run");
        for (Turnover.Kind kind : pods.turnover().kinds()) {
            Double longRun = kind.longRun();
            table.row(
                    kind.name(),
                    Integer.toString(kind.before()),
                    Integer.toString(kind.stayed()),
                    Integer.toString(kind.came()),
                    value(kind.rate()),
                    ends(kind.rate()),
                    value(kind.lifeHours()),
                    ends(kind.lifeHours()),
                    longRun == null ? "–" : number(longRun));
        }
        answer.table(table);
        answer.gap();
        answer.say(
                "A recording of " + number(pods.turnover().hours()) + " h. Lifetimes are taken as exponential: the time"
                        + " that all pods of a size ran, divided by how many ended. Intervals: 95 %. Pods that waited"
                        + " when it began are treated as arrivals.");
        return answer;
    }

    private static String longRun(PodTurnover pods) {
        List<String> parts = new ArrayList<>();
        for (String resource : List.of(Quantities.CPU, PodTurnover.MEMORY)) {
            double asked = pods.askedInTheLongRun(resource);
            long all = pods.all(resource);
            parts.add(amount(resource, Math.round(asked)) + " of " + amount(resource, all)
                    + (all == 0 ? "" : " (" + number(100 * asked / all) + " %)"));
        }
        return "In the long run, pods of the sizes that come and go ask for " + String.join(" and ", parts)
                + " that the other pods leave free.";
    }

    private static String amount(String resource, long amount) {
        return resource.equals(Quantities.CPU)
                ? PodTurnover.coresInWords(number(amount / MILLI))
                : Quantities.text(resource, amount);
    }

    private static String value(Turnover.Range range) {
        Double value = range.value();
        return value == null ? "–" : number(value);
    }

    private static String ends(Turnover.Range range) {
        Double high = range.high();
        return high == null ? "from " + number(range.low()) : number(range.low()) + " to " + number(high);
    }

    private static String number(double value) {
        return new BigDecimal(value)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }
}
