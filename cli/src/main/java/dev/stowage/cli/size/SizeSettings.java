package dev.stowage.cli.size;

import dev.stowage.cli.answer.CertificateFile;
import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.TypeChoice;
import dev.stowage.sim.experiment.Units;
import dev.stowage.sim.measure.PriceWords;
import dev.stowage.study.load.ResampledWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * What one answer is made by.
 *
 * @param report page to write, if any
 * @param elsewhere names of types that grow, which another of several lists may have alone
 * @param asType where a name stands that is no type, with the option that makes it one; empty where it stands nowhere
 */
record SizeSettings(
        Options asked, ReportOption report, OutputFormat format, Set<String> elsewhere, UnaryOperator<String> asType) {
    private static final Pattern MAINTENANCE = Pattern.compile("\\s*(\\S.*?)\\s+for\\s+(\\S.*?)\\s*");
    private static final Pattern YEARS = Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)\\s*(?:(y|years?)|m|mo|months?)\\s*");
    /** A price, with a currency before or after it, or without. */
    private static final Pattern PRICE = Pattern.compile(
            "(?:" + PriceWords.CURRENCY + "\\s*)?([+-]?[\\d.]+(?:[eE][+-]?\\d+)?)(?:\\s*" + PriceWords.CURRENCY + ")?");

    private static final String YEARS_SHOWN = "3y";
    private static final int QUARTERS = 4;
    private static final int MONTHS = 12;
    private static final int MOST_QUARTERS = 40;

    /** Growth per year, as given. */
    @Nullable
    String growth() {
        return asked.growth;
    }

    /**
     * The same for one of several answers.
     *
     * @param pages names of the pages of others, to which its own is added
     * @param some names of types that grow, which not each of the lists has
     */
    SizeSettings of(String name, Set<String> pages, Set<String> some) {
        return new SizeSettings(asked, report.of(name, pages), format, some, asType);
    }

    /** How load grows, of which a name must be that of some of these types, or of some of another list. */
    GrowthOption growthOf(List<String> types) {
        return GrowthOption.of(asked.growth).only(name -> {
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
    Map<String, List<String>> facts(Experiment point, SizeQuestion question) {
        Map<String, List<String>> facts = new LinkedHashMap<>();
        facts.put("Target", List.of(question.phrase()));
        if (!point.workload().isInventory()) {
            facts.put("Replications", List.of(Integer.toString(point.replications())));
            facts.put("Confidence", List.of(String.format(Locale.ROOT, "%.0f %%", 100 * point.confidence())));
            facts.put("Seed", List.of(Long.toString(point.seed())));
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
        String block = asked.block;
        long blockNanos = block == null ? 0 : parsed("--block", () -> Units.durationNanos(block, 0));
        try {
            return ResampledWorkload.of(point, asked.resample, blockNanos);
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--resample: " + e.getMessage(), e);
        }
    }

    /** Whose load or growth is sought: the trace itself, or traces of its blocks. */
    Experiment sampled(Experiment point) {
        return asked.resample == 0 ? point : resampled(point);
    }

    /** What is said of the answer then; nothing of a trace itself. */
    String sample() {
        return asked.resample == 0
                ? ""
                : " The trace is treated as one sample: " + asked.resample
                        + " traces of its blocks, drawn at random, which are assumed to be alike and independent.";
    }

    /** Years until the end of the growth; 0 without any. */
    double years() {
        return growth() == null ? 0 : (double) quarters() / QUARTERS;
    }

    /** Quarters until the end of the growth. */
    int quarters() {
        String until = asked.until;
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

    /** What {@code stowage size} is asked beside the experiment, as given. */
    static final class Options {
        @Rare
        @Option(
                names = "--runs",
                paramLabel = "N",
                description = "For generated requests: maximum number of runs per number of servers, to show whether it"
                        + " meets the target in the mean; 0: do not show it (default: ${DEFAULT-VALUE}).")
        int runs = 20;

        @Rare
        @Option(
                names = "--resample",
                paramLabel = "N",
                description =
                        "Treat the trace as one sample: also answer for N traces made of randomly drawn blocks of it.")
        int resample;

        @Rare
        @Option(
                names = "--block",
                paramLabel = "TIME",
                description =
                        "Length of a block of --resample (default: a day, or an eighth of a trace below four days).")
        @Nullable
        String block;

        @Rare
        @Option(
                names = "--grow",
                description = "Answer how much load the servers support, instead of how many servers the load needs.")
        boolean grow;

        @Option(
                names = "--growth",
                order = 1,
                paramLabel = "PART",
                description =
                        "Show servers by quarter while load grows: \"20 %%\" a year, \"2 %% / month\", \"20 %%, databases 50 %%\".")
        @Nullable
        String growth;

        @Option(
                names = "--until",
                order = 2,
                paramLabel = "TIME",
                description = "End of --growth, e.g. 5y or 18m (default: 3y).")
        @Nullable
        String until;

        @Rare
        @Option(
                names = "--price",
                paramLabel = "P,...",
                split = ",",
                hideParamSyntax = true,
                description =
                        "Find the cheapest mix of kinds: a price for each kind of server, in order. With --buy: the prices"
                                + " of the kinds on offer. Kinds in a file have theirs in its column price.")
        List<String> prices = List.of();

        @Option(
                names = "--buy",
                order = 3,
                paramLabel = "SERVERS",
                description =
                        "Choose which of these servers to buy in addition to the present ones: kinds, as in --servers, or a"
                                + " file with name, cores, memory and price of each.")
        @Nullable
        String buy;

        @Rare
        @Option(
                names = "--explain",
                description =
                        "Show why one server less is not enough: the minutes in which requests that miss the target"
                                + " arrive or, for an inventory, what would not run.")
        boolean explain;

        @Rare
        @Option(
                names = "--picture",
                paramLabel = "FILE.svg",
                converter = ReportOption.SvgFile.class,
                description = "Draw what each policy achieves against the number of servers.")
        @Nullable
        String picture;

        @Rare
        @Option(
                names = "--certificate",
                paramLabel = "FILE.json",
                description =
                        "Write a certificate of the bound, for another program to check (docs/sizing.md). Generated"
                                + " requests are written beside it as FILE.csv.")
        @Nullable
        String certificate;

        /**
         * Refuses options that exclude each other.
         *
         * @param servers those given, if any
         */
        void check(@Nullable String servers) {
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
                    !explain || buy == null,
                    "--explain",
                    "does not go with --buy, whose answer already shows what else could be bought, its cost, and the least"
                            + " that any purchase can cost. To see why one server less is not enough, leave out --buy");
            require(
                    !explain || (!grow && prices.isEmpty()),
                    "--explain",
                    "says why one server less is not enough: leave out --grow and --price");
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
            checkPrices(servers);
        }

        /** The order of kinds is that of the words; of a file it is another. */
        private void checkPrices(@Nullable String servers) {
            String kinds = buy == null ? servers : buy;
            if (prices.size() > 1 && kinds != null && Files.exists(Path.of(kinds))) {
                throw new BadInputException(
                        "--price goes with kinds in words, such as \"32 cores, 256 GiB + 64 cores, 512"
                                + " GiB\". "
                                + (buy == null
                                        ? "For those of " + kinds + ", write them so, or ask with --buy " + kinds
                                                + ", which takes the prices of its column price"
                                        : "Those of " + kinds + " have their prices in its column price"));
            }
        }
    }
}
