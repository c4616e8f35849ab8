package dev.stowage.cli.size;

import static dev.stowage.cli.size.SizeSettings.parsed;
import static dev.stowage.cli.size.SizeSettings.require;

import dev.stowage.sim.experiment.Units;
import dev.stowage.study.load.LoadGrowth;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@code --growth} says: {@code 20 %}, or of some types {@code 20 %, databases 50 %}; a rate of a month or a
 * quarter is compounded.
 *
 * @param perYear growth in a year
 * @param compounded what rates of less than a year are in a year, as a sentence; empty if there are none
 */
record GrowthOption(LoadGrowth perYear, String compounded) {
    private static final Pattern RATE = Pattern.compile("\\s*(?:(\\S.*?)\\s*)??([+-]?[\\d.]+(?:\\s*%)?)\\s*");
    /** What it is of, both ends, and in what time. */
    private static final Pattern RANGE = Pattern.compile(
            "\\s*(|\\S.*?\\s+)\\+?(\\d+(?:\\.\\d+)?)(\\s*%)?(?:-|\\s+-\\s+|\\s*(?:–|—|\\.\\.+|…|to\\b|bis\\b|until\\b)\\s*)\\+?(\\d+(?:\\.\\d+)?)(\\s*%)?(|\\s*[/\\p{L}]\\D*)");

    private static final List<Time> TIMES = List.of(
            new Time("year", 1, "years?|yr|y|annum|jahr", "p\\.?\\s?a\\.?|yearly|annually|jährlich"),
            new Time("month", 12, "months?|mo|monat", "p\\.?\\s?m\\.?|monthly|monatlich"),
            new Time("quarter", 4, "quarters?|quartal", "quarterly"));
    /** A growth below that, without a percent sign, may be meant as a factor. */
    private static final double MOST_TIMES = 3;

    /** In what time load grows by a rate, and how many such times a year has. */
    private record Time(String name, int inYear, Pattern behind) {
        Time(String name, int inYear, String nouns, String words) {
            this(
                    name,
                    inYear,
                    Pattern.compile("(?i)\\s*((/|per\\b|an?\\b|each\\b|every\\b|pro\\b|im\\b)\\s*(" + nouns + ")|"
                            + words + ")\\s*$"));
        }
    }

    /** The same with the growth of types of some names alone. */
    GrowthOption only(Predicate<String> counts) {
        return new GrowthOption(
                new LoadGrowth(
                        perYear.part(),
                        perYear.ofSome().stream()
                                .filter(each -> counts.test(each.name()))
                                .toList()),
                compounded);
    }

    /** Reads it; null is no growth. */
    static GrowthOption of(@Nullable String text) {
        @Nullable Double all = null;
        List<LoadGrowth.OfTypes> some = new ArrayList<>();
        List<String> compounded = new ArrayList<>();
        String option = "--growth \"" + text + "\"";
        require(
                text == null || !text.strip().matches("\\d+,\\d+\\s*%?"),
                option,
                "has a comma: write decimals with a point, as in \"2.5 %\"");
        for (String item : text == null ? new String[0] : text.split("[,;]", -1)) {
            Time time = TIMES.stream()
                    .filter(each -> each.behind().matcher(item).find())
                    .findFirst()
                    .orElse(TIMES.get(0));
            Matcher range = RANGE.matcher(item);
            require(
                    !range.matches(),
                    option,
                    "has a range; ask for each end by itself"
                            + (item.contains("%")
                                    ? ": \"" + range.replaceFirst("$1$2 %$6") + "\", then \""
                                            + range.replaceFirst("$1$4 %$6") + "\""
                                    : ""));
            Matcher matcher = RATE.matcher(
                    time.behind().matcher(item).replaceFirst("").replaceFirst("(?i)\\s*per ?cent\\s*$", " %"));
            require(
                    matcher.matches(),
                    "--growth",
                    "must be a percentage, e.g. \"20 %\", or \"20 %, databases 50 %\", or \"2 % / month\"");
            double given = parsed("--growth", () -> Units.number(matcher.group(2)));
            require(
                    given < 1 || matcher.group(2).endsWith("%"),
                    option,
                    "has no percent sign; did you mean "
                            + (given > 1 && given < MOST_TIMES && time.inYear() == 1
                                    ? "\"" + Math.round(100 * (given - 1)) + " %\", which is times " + item.strip()
                                            + ", or "
                                    : "")
                            + "\""
                            + item.strip()
                                    .replaceFirst(
                                            Pattern.quote(matcher.group(2).strip()),
                                            matcher.group(2).strip() + " %")
                            + "\"?");
            double part = time.inYear() == 1 ? given : StrictMath.pow(1 + given, time.inYear()) - 1;
            require(given > -1 && part <= 10, option, "must be above -100 % and at most 1000 % a year, e.g. \"20 %\"");
            if (time.inYear() > 1) {
                compounded.add(String.format(
                        Locale.ROOT, "%s a %s is %.1f %% a year.", matcher.group(2), time.name(), 100 * part));
            }
            String name = matcher.group(1);
            if (name == null) {
                require(all == null, "--growth", "gives the growth of the whole load twice: " + text);
                all = part;
            } else {
                some.add(new LoadGrowth.OfTypes(name.replaceFirst("\\s*[+=:]+$", ""), part));
            }
        }
        return new GrowthOption(new LoadGrowth(all == null ? 0 : all, some), String.join(" ", compounded));
    }
}
