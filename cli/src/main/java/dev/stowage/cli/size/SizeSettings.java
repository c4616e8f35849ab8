package dev.stowage.cli.size;

import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.TypeChoice;
import dev.stowage.sim.experiment.Units;
import dev.stowage.sim.measure.PriceWords;
import dev.stowage.study.load.ResampledWorkload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The options of the command beside the experiment.
 *
 * @param runs most runs at a number of servers for the interval; 0 for no interval
 * @param resample how many traces are drawn; 0 for none
 * @param block of a trace that is drawn, as given
 * @param grow whether the load is sought, not the servers
 * @param growth per year, as given
 * @param until end of the growth, as given; null for three years
 * @param prices of the kinds of servers, as given
 * @param buy kinds of servers on offer, as given; null if none are
 * @param explain whether the minutes that decide are listed
 * @param picture file to draw; null for none
 * @param report page to write, if any
 * @param certificate file for what the bound follows from; null for none
 * @param elsewhere names of types that grow, which another of several lists may have alone
 * @param asType where a name stands that is no type, with the option that makes it one; empty where it stands nowhere
 */
record SizeSettings(
        int runs,
        int resample,
        @Nullable String block,
        boolean grow,
        @Nullable String growth,
        @Nullable String until,
        List<String> prices,
        @Nullable String buy,
        boolean explain,
        @Nullable String picture,
        ReportOption report,
        @Nullable String certificate,
        OutputFormat format,
        Set<String> elsewhere,
        UnaryOperator<String> asType) {
    private static final Pattern MAINTENANCE = Pattern.compile("\\s*(\\S.*?)\\s+for\\s+(\\S.*?)\\s*");
    private static final Pattern YEARS = Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)\\s*(?:(y|years?)|m|mo|months?)\\s*");
    /** A price, with a currency before or after it, or without. */
    private static final Pattern PRICE = Pattern.compile(
            "(?:" + PriceWords.CURRENCY + "\\s*)?([+-]?[\\d.]+(?:[eE][+-]?\\d+)?)(?:\\s*" + PriceWords.CURRENCY + ")?");

    private static final String YEARS_SHOWN = "3y";
    private static final int QUARTERS = 4;
    private static final int MONTHS = 12;
    private static final int MOST_QUARTERS = 40;

    /** Refuses options that exclude each other. */
    void check() {
        require(runs == 0 || runs >= 2, "--runs", "must be 0 or at least 2");
        require(resample >= 0 && resample != 1, "--resample", "must be at least 2");
        require(block == null || resample > 0, "--block", "is allowed only with --resample");
        int questions = (grow ? 1 : 0) + (growth != null ? 1 : 0) + (prices.isEmpty() ? 0 : 1);
        require(
                questions <= 1 || (buy != null && !grow),
                "--grow, --growth and --price",
                "ask different questions: use one at a time (--growth and --price together only with --buy)");
        require(buy == null || (!grow && resample == 0), "--buy", "cannot be combined with --grow or --resample");
        require(
                until == null || growth != null,
                "--until",
                "is the end of --growth: give both, as in --growth \"20 %\" --until 3y");
        boolean other = questions == 1 || buy != null;
        require(prices.isEmpty() || resample == 0, "--resample", "cannot be combined with --price");
        require(
                !explain || (!grow && prices.isEmpty() && buy == null),
                "--explain",
                "says why one server less is not enough: leave out --grow, --buy and --price");
        require(
                !other || picture == null,
                "--picture",
                "draws what is achieved today: leave out --grow, --growth, --buy and --price, or use --report, whose page"
                        + " has a picture");
        require(
                (!grow && growth == null && buy == null) || certificate == null,
                "--certificate",
                "cannot be combined with --grow, --growth or --buy");
        CertificateFile.check(certificate);
    }

    /**
     * The same for one of several answers.
     *
     * @param pages names of the pages of others, to which its own is added
     * @param some names of types that grow, which not each of the lists has
     */
    SizeSettings of(String name, Set<String> pages, Set<String> some) {
        return new SizeSettings(
                runs,
                resample,
                block,
                grow,
                growth,
                until,
                prices,
                buy,
                explain,
                picture,
                report.of(name, pages),
                certificate,
                format,
                some,
                asType);
    }

    /** How load grows, of which a name must be that of some of these types, or of some of another list. */
    GrowthOption growthOf(List<String> types) {
        return GrowthOption.of(growth).only(name -> {
            boolean counts = !elsewhere.contains(name) || TypeChoice.isNamed(name, types);
            if (counts) {
                checkType(name, types);
            }
            return counts;
        });
    }

    /** Refuses a name of {@code --growth} that is not that of a type. */
    void checkType(String name, List<String> types) {
        try {
            TypeChoice unused = TypeChoice.of(name, types);
        } catch (IllegalArgumentException e) {
            String where = TypeChoice.isNamed(name, types) ? "" : asType.apply(name);
            throw new BadInputException(
                    "--growth " + (where.isEmpty() ? e.getMessage() : "there is no type '" + name + "', but " + where),
                    e);
        }
    }

    /** What a page says of how the answer was found. */
    Map<String, String> facts(Experiment point, SizeQuestion question) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Target", question.phrase());
        if (!point.workload().isInventory()) {
            facts.put("Replications", Integer.toString(point.replications()));
            facts.put("Confidence", String.format(Locale.ROOT, "%.0f %%", 100 * point.confidence()));
            facts.put("Seed", Long.toString(point.seed()));
        }
        return facts;
    }

    static void require(boolean holds, String option, String why) {
        if (!holds) {
            throw new BadInputException(option + " " + why);
        }
    }

    /** {@code 5 % for 2 h} as values of an experiment. */
    static List<String> maintenance(String text) {
        Matcher matcher = MAINTENANCE.matcher(text);
        require(matcher.matches(), "--maintenance", "must be a fraction and a duration, as in \"5 % for 2 h\"");
        return List.of("size.maintenance.part=" + matcher.group(1), "size.maintenance.for=" + matcher.group(2));
    }

    /** Traces of blocks of the given one, drawn anew, as many as asked for. */
    Experiment resampled(Experiment point) {
        long blockNanos = block == null ? 0 : parsed("--block", () -> Units.durationNanos(block, 0));
        try {
            return ResampledWorkload.of(point, resample, blockNanos);
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--resample: " + e.getMessage(), e);
        }
    }

    /** Whose load or growth is sought: the trace itself, or traces of its blocks. */
    Experiment sampled(Experiment point) {
        return resample == 0 ? point : resampled(point);
    }

    /** What is said of the answer then; nothing of a trace itself. */
    String sample() {
        return resample == 0
                ? ""
                : " The trace is treated as one sample: " + resample
                        + " traces of its blocks, drawn at random, which are assumed to be alike and independent.";
    }

    /** Quarters until the end of the growth. */
    int quarters() {
        Matcher matcher = YEARS.matcher(until == null ? YEARS_SHOWN : until);
        require(
                matcher.matches(),
                "--until \"" + until + "\"",
                "must be a number of years or months, as in 3y or \"18 months\"");
        double number = Double.parseDouble(matcher.group(1));
        double asked = number * QUARTERS / (matcher.group(2) == null ? MONTHS : 1);
        int quarters = (int) Math.round(asked);
        require(asked == quarters, "--until \"" + until + "\"", "must end with a quarter of a year, as 15m or 18m do");
        require(quarters >= 1 && quarters <= MOST_QUARTERS, "--until", "must be a quarter of a year to ten years");
        return quarters;
    }

    /** The currency of prices; empty if they have none. */
    static String currencyOf(List<String> prices) {
        return parsed(
                "--price",
                () -> PriceWords.one(prices.stream().map(PriceWords::ofValue).toList()));
    }

    /** Prices as numbers above 0. */
    static double[] priceOf(List<String> prices, int kinds) {
        require(
                prices.size() == kinds,
                "--price",
                "has " + prices.size() + " prices for " + kinds + " kinds of servers");
        double[] price = new double[kinds];
        for (int l = 0; l < kinds; l++) {
            String text = prices.get(l);
            Matcher matcher = PRICE.matcher(text.strip());
            require(
                    matcher.matches(),
                    "--price \"" + text + "\"",
                    "must be a number, such as 9000, alone or with a currency: a sign (€), three capital letters (EUR),"
                            + " euros or dollars");
            String number = matcher.group(1);
            require(
                    !number.matches("[1-9]\\d{0,2}(\\.\\d{3})+"),
                    "--price \"" + text + "\"",
                    "may be thousands or decimals: write " + number.replace(".", "")
                            + (number.matches("\\d+\\.\\d+")
                                    ? ", or " + number.replaceFirst("\\.?0+$", "") + (number.endsWith("0") ? "" : "0")
                                    : ""));
            price[l] = parsed("--price \"" + text + "\"", () -> Units.number(number));
            require(price[l] > 0 && price[l] < 1e12, "--price", "must be above 0: " + text);
        }
        return price;
    }

    static <T> T parsed(String option, java.util.function.Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new BadInputException(option + " " + e.getMessage(), e);
        }
    }
}
