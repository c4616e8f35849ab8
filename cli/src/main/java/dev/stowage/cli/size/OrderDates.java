package dev.stowage.cli.size;

import dev.stowage.study.buy.Offers;
import dev.stowage.study.buy.PurchasePlan;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** When purchases must be ordered, where a list of offers says how long these take to be delivered. */
record OrderDates(PurchasePlan.Purchases plan, Offers offers) {
    private static final double YEAR = 365.25;
    private static final int MONTHS = 12;
    private static final int WEEK = 7;

    /** Whether it is said of any kind. */
    static boolean known(Offers offers) {
        return offers.leadTimeDays().stream().anyMatch(days -> !days.isNaN());
    }

    /** Adds them for machines, if any is known: null where it is not, or nothing is bought; negative if too late. */
    static void into(Map<String, Object> data, List<PurchasePlan.Purchases> plans, Offers offers) {
        if (!known(offers)) {
            return;
        }
        data.put("leadTimeDays", numbers(offers.leadTimeDays().stream()));
        data.put(
                "orderByDays",
                plans.stream()
                        .map(plan -> numbers(plan.steps().stream().map(new OrderDates(plan, offers)::by)))
                        .toList());
    }

    private static List<@Nullable Double> numbers(Stream<Double> days) {
        return days.map(each -> each.isNaN() ? null : Math.floor(each)).collect(Collectors.toList());
    }

    /** For a table. */
    String cell(PurchasePlan.Step step) {
        double by = by(step);
        return Double.isNaN(by)
                ? "-"
                : by < 0 ? "now, " + whole(up(-by), " d", " wk") + " late" : by < 1 ? "now" : in(by, false);
    }

    /** Of the first purchase, to be put after when it is needed; empty if it is not known. */
    String first() {
        return purchase()
                .map(step -> ": "
                        + (plan.steps().size() > 1
                                ? order(step)
                                : lead(step) == 0
                                        ? "order now; in stock"
                                        : "order now; delivery takes " + words(lead(step))))
                .orElse("");
    }

    /** Of a later purchase that must be ordered before the first; empty if there is none. */
    String earlier() {
        return plan.steps().stream()
                .filter(step -> !Double.isNaN(by(step)))
                .min(Comparator.comparingDouble(this::by))
                .filter(step ->
                        step.by() > purchase().map(PurchasePlan.Step::by).orElse(0.0))
                .filter(step ->
                        purchase().map(one -> by(step) < Math.max(0, by(one))).orElse(true))
                .map(step -> " For those needed " + SizeText.within(step.by()) + ": " + order(step) + ".")
                .orElse("");
    }

    private Optional<PurchasePlan.Step> purchase() {
        return plan.steps().stream()
                .filter(step -> step.cost() > 0)
                .findFirst()
                .filter(step -> !Double.isNaN(by(step)));
    }

    private String order(PurchasePlan.Step step) {
        double by = by(step);
        return by < 0
                ? "order now; delivery is " + words(up(-by)) + " late"
                : (by < 1 ? "order now" : "order within " + in(by, true))
                        + (lead(step) == 0 ? "" : " (" + words(lead(step)) + " to deliver)");
    }

    /** Days from now; NaN where nothing is bought, or of something that is nobody says how long it takes. */
    private double by(PurchasePlan.Step step) {
        return step.cost() == 0 ? Double.NaN : YEAR * step.by() - lead(step);
    }

    private double lead(PurchasePlan.Step step) {
        return IntStream.range(0, step.buy().size())
                .filter(l -> step.buy().get(l) > 0)
                .mapToDouble(l -> offers.leadTimeDays().get(l))
                .reduce(0, Math::max);
    }

    /** In weeks or, if they are what so many months are read as, in months. */
    private static String words(double days) {
        double months = Math.floor(days * MONTHS / YEAR);
        return days % WEEK > 0 && days == Math.ceil(months * YEAR / MONTHS)
                ? SizeText.inWords(months / MONTHS)
                : whole(days, days == 1 ? " day" : " days", days <= WEEK ? " week" : " weeks");
    }

    /** A time until then, rounded down: from a quarter on in months. */
    private static String in(double days, boolean sentence) {
        double months = Math.floor(days * MONTHS / YEAR);
        if (months >= 3) {
            return sentence ? SizeText.inWords(months / MONTHS) : SizeText.in(months / MONTHS);
        }
        double whole = days < 2 * WEEK ? Math.floor(days) : WEEK * Math.floor(days / WEEK);
        return sentence ? words(whole) : whole(whole, " d", " wk");
    }

    /** To whole weeks, or days where there are few. */
    private static double up(double days) {
        return days < 2 * WEEK ? Math.ceil(days) : WEEK * Math.ceil(days / WEEK);
    }

    private static String whole(double days, String ofDays, String ofWeeks) {
        boolean weeks = days % WEEK == 0;
        return SizeText.number((long) (weeks ? days / WEEK : days)) + (weeks ? ofWeeks : ofDays);
    }
}
