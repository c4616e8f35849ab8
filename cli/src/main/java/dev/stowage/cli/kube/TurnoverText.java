package dev.stowage.cli.kube;

import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.kube.translate.Quantities;
import dev.stowage.study.advise.Turnover;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/** How fast pods come and go, for people. */
final class TurnoverText {
    private static final double MILLI = 1000;

    private TurnoverText() {}

    static String of(PodTurnover pods, Console console) {
        StringBuilder out = new StringBuilder();
        out.append(console.wrapped("", head(pods))).append('\n');
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
        out.append(table.text(console.style())).append('\n');
        for (String resource : List.of(Quantities.CPU, PodTurnover.MEMORY)) {
            double asked = pods.askedInTheLongRun(resource);
            long all = pods.all(resource);
            String part = all == 0 ? "" : " (" + number(100 * asked / all) + " %)";
            out.append(console.wrapped(
                    "",
                    "In the long run they ask for " + amount(resource, Math.round(asked)) + " of the "
                            + amount(resource, all) + part + " that pods of kinds that neither come nor go leave."));
        }
        return out.toString();
    }

    private static String head(PodTurnover pods) {
        String hours = number(pods.turnover().hours());
        return "A recording of " + hours + " h. Lifetimes are taken as exponential: the time that all pods of a size"
                + " ran, divided by how many ended. Intervals: 95 %. Pods that waited when it began count as having come.";
    }

    private static String amount(String resource, long amount) {
        return resource.equals(Quantities.CPU) ? number(amount / MILLI) + " cores" : Quantities.text(resource, amount);
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
