package dev.stowage.study.buy;

import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.study.load.LoadGrowth;
import dev.stowage.study.load.MoreLoad;
import dev.stowage.study.size.PricedSizing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which servers to buy beside those that are there, by year while the load ({@link MoreLoad}) grows, and what else
 * could be bought for the end, which may be within a year.
 */
public final class PurchasePlan {
    /** So many kinds are tried with each other; of more, those that the program values most. */
    private static final int MOST_KINDS = 6;

    private static final int QUARTERS = 4;
    private static final String MIX = "the cheapest mix";
    private static final String NONE_KEPT = "no present server kept";

    private final Experiment point;
    private final SizeQuestion question;
    private final PolicyFactory policies;
    private final Consumer<String> progress;
    private final List<Site> stay;
    private final LoadGrowth growth;
    private final double years;
    /** What can be bought, so no purchase is less than the bound over these. */
    private final Offers every;
    /** Those of them that are tried. */
    private final Offers offers;

    /**
     * For an experiment whose load is that of today. Where any site may be lost, something is bought for each;
     * otherwise there is one.
     *
     * @param stay sites, with the servers that are there and stay
     * @param years until the end, in quarters
     * @param progress hears what is being worked out
     */
    public PurchasePlan(
            Experiment point,
            SizeQuestion question,
            PolicyFactory policies,
            List<Site> stay,
            Offers offers,
            LoadGrowth growth,
            double years,
            Consumer<String> progress) {
        this.point = point;
        this.question = question;
        this.policies = policies;
        this.progress = progress;
        this.growth = growth;
        this.years = years;
        this.stay = stay;
        progress.accept("what every policy needs at least");
        every = eachSite(offers);
        this.offers = eachSite(fewest(offers, after(years)));
    }

    /**
     * What is bought at one time.
     *
     * @param year from now; the last one may be a part of a year
     * @param load times today's
     * @param buy of each kind; empty if nothing that was tried is enough
     * @param cost of that
     * @param least no servers bought until then cost less in all, whichever policy
     * @param by years from now, in quarters, when what was bought before is no longer enough; the year itself where it
     *     is enough until then, or nothing is bought
     * @param proven whether no policy has enough then with what was bought before
     */
    public record Step(double year, double load, List<Long> buy, double cost, double least, double by, boolean proven) {
        private Step neededBy(double years, boolean isProven) {
            return new Step(year, load, buy, cost, least, years, isProven);
        }
    }

    /** Another way to meet the last year's need. */
    public record Way(String what, List<Long> buy, double cost, double least) {}

    /**
     * The answer of a policy.
     *
     * @param eachYear what all purchases cost if each is the cheapest for its own year; more than the steps' where
     *     these go towards the mix that is the cheapest for the last year
     */
    public record Purchases(String policy, List<Step> steps, List<Way> ways, double eachYear) {
        /** The cheapest mix that was found for the last year; empty where one kind is on offer. */
        public Optional<Way> mix() {
            return ways.stream().filter(way -> way.what().equals(MIX)).findFirst();
        }

        /** What the steps cost in all. */
        public double cost() {
            return sum(steps);
        }

        /** What they cost at least, whichever policy. */
        public double least() {
            return steps.get(steps.size() - 1).least();
        }
    }

    private static double sum(List<Step> steps) {
        return steps.stream().mapToDouble(Step::cost).sum();
    }

    /** Those of the kinds on offer that are tried. */
    public Offers offers() {
        return offers;
    }

    private Experiment after(double years) {
        return point.with(MoreLoad.of(point.workload()).after(years, growth, point.workload()), 1);
    }

    private Offers eachSite(Offers all) {
        return stay.size() == 1 ? all : all.atEach(stay);
    }

    private Offers fewest(Offers all, Experiment last) {
        int kinds = all.names().size();
        if (kinds <= MOST_KINDS || all.sites().stream().anyMatch(site -> !site.isEmpty())) {
            return all;
        }
        Site first = stay.get(0);
        List<ServerBlock> kept =
                stay.stream().flatMap(site -> site.servers().stream()).toList();
        PricedSizing.Least least = sizing(last, all, List.of(new Site(first.name(), kept, first.pooled())))
                .least();
        List<Integer> order = IntStream.range(0, kinds)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer l) -> -least.mix().get(kept.size() + l))
                        .thenComparingDouble(l -> -least.worth().get(kept.size() + l)
                                / all.price().get(l)))
                .limit(MOST_KINDS)
                .sorted()
                .toList();
        return all.of(order);
    }

    private PricedSizing sizing(Experiment then, Offers some, List<Site> there) {
        return new PricedSizing(
                PricedSizing.Beside.of(
                        then,
                        there,
                        site -> some.at(site)
                                .mapToObj(l -> new PricedSizing.Offer(
                                        new ServerBlock(1, some.capacity().get(l)),
                                        some.price().get(l)))),
                question.withSpareSite(question.spareSite() && there.size() > 1),
                policies);
    }

    /**
     * The purchases of a policy, today as the first step; what is bought in a year stays for the next. Each year's is
     * the cheapest for that year, or, where that costs less in all, the cheapest part of the last year's cheapest mix.
     */
    public Purchases of(LabelledPolicy policy) {
        List<Step> eachYear = steps((sizing, bought) -> sizing.cheapest(policy.spec()), policy.label() + ": year ");
        List<Way> ways = withCheapest(ways(policy, after(years)), eachYear);
        Purchases found = new Purchases(policy.label(), eachYear, ways, sum(eachYear));
        List<Long> mix = found.mix()
                .filter(way -> way.cost() < found.eachYear())
                .map(Way::buy)
                .orElse(List.of());
        if (years == 0 || mix.isEmpty()) {
            return dated(found, policy);
        }
        List<Step> towards = steps(
                (sizing, bought) -> sizing.cheapest(
                        policy.spec(),
                        IntStream.range(0, bought.length)
                                .mapToObj(l -> mix.get(l) - bought[l])
                                .toList()),
                policy.label() + ": the cheapest mix, year ");
        boolean enough = towards.stream().noneMatch(step -> step.buy().isEmpty());
        return dated(enough ? new Purchases(found.policy(), towards, found.ways(), found.eachYear()) : found, policy);
    }

    /** The search for the cheapest mix need not find it: it is the cheapest of all that is enough for the last year. */
    private List<Way> withCheapest(List<Way> ways, List<Step> eachYear) {
        long[] bought = new long[offers.names().size()];
        eachYear.forEach(step -> add(step.buy(), bought));
        boolean enough = eachYear.stream().noneMatch(step -> step.buy().isEmpty());
        Stream<Way> all = enough
                ? Stream.of(new Way(MIX, Arrays.stream(bought).boxed().toList(), sum(eachYear), 0))
                : Stream.of();
        Optional<Way> cheapest = Stream.concat(ways.stream(), all)
                // Beside what stays, what is bought without it need not be enough: more is there that may be lost.
                .filter(way -> !way.buy().isEmpty() && !way.what().equals(NONE_KEPT))
                .min(Comparator.comparingDouble(Way::cost));
        return ways.stream()
                .map(way -> way.what().equals(MIX) && cheapest.isPresent()
                        ? new Way(MIX, cheapest.get().buy(), cheapest.get().cost(), way.least())
                        : way)
                .toList();
    }

    /** The same with the quarter in which each purchase is needed. */
    private Purchases dated(Purchases found, LabelledPolicy policy) {
        long[] bought = new long[offers.names().size()];
        List<Step> steps = new ArrayList<>();
        for (Step step : found.steps()) {
            double by = step.cost() == 0 ? step.year() : by(step.year(), policy, bought);
            steps.add(step.neededBy(by, step.cost() > 0 && least(after(by), with(bought)) > 0));
            add(step.buy(), bought);
        }
        return new Purchases(found.policy(), steps, found.ways(), found.eachYear());
    }

    /** The first quarter of the year until then, or what there is of it, for which this is not enough. */
    private double by(double year, LabelledPolicy policy, long[] bought) {
        List<Long> nothing = Collections.nCopies(bought.length, 0L);
        double quarter = 1.0 / QUARTERS;
        for (double by = Math.ceil(year) - 1 + quarter; year > 0 && by < year; by += quarter) {
            progress.accept(policy.label() + ": year " + by);
            if (sizing(after(by), offers, with(bought))
                    .cheapest(policy.spec(), nothing)
                    .servers()
                    .isEmpty()) {
                return by;
            }
        }
        return year;
    }

    private static void add(List<Long> buy, long[] bought) {
        for (int l = 0; l < buy.size(); l++) {
            bought[l] += buy.get(l);
        }
    }

    /** What stays, and what was bought. */
    private List<Site> with(long[] bought) {
        List<Site> there = new ArrayList<>();
        for (Site site : stay) {
            List<ServerBlock> all = new ArrayList<>(site.servers());
            offers.at(site)
                    .filter(l -> bought[l] > 0)
                    .forEach(l -> all.add(new ServerBlock(
                            Math.toIntExact(bought[l]), offers.capacity().get(l))));
            there.add(new Site(site.name(), all, site.pooled()));
        }
        return there;
    }

    /** What is bought in a year, beside what stays and what was bought before. */
    private interface Buying {
        PricedSizing.Cheapest in(PricedSizing sizing, long[] bought);
    }

    private List<Step> steps(Buying buying, String what) {
        long[] bought = new long[offers.names().size()];
        List<Step> steps = new ArrayList<>();
        double least = 0;
        for (int i = 0; i <= Math.ceil(years); i++) {
            double year = Math.min(i, years);
            progress.accept(what + (year < i ? Double.toString(year) : Integer.toString(i)));
            Experiment then = after(year);
            PricedSizing.Cheapest found = buying.in(sizing(then, offers, with(bought)), bought);
            least = Math.max(least, least(then, stay));
            steps.add(new Step(year, growth.rounded(year), found.servers(), found.cost(), least, year, false));
            add(found.servers(), bought);
        }
        return steps;
    }

    /** Each kind alone beside what is there, and everything new, for the last year at once. */
    private List<Way> ways(LabelledPolicy policy, Experiment last) {
        List<Integer> all = IntStream.range(0, offers.names().size()).boxed().toList();
        List<String> kinds = offers.names().stream().distinct().toList();
        List<Way> ways = new ArrayList<>();
        if (all.size() > 1) {
            ways.add(way(MIX, policy, last, all, stay));
        }
        for (String kind : kinds.size() > 1 ? kinds : List.<String>of()) {
            List<Integer> its =
                    all.stream().filter(l -> offers.names().get(l).equals(kind)).toList();
            ways.add(way("only " + kind, policy, last, its, stay));
        }
        if (stay.stream().anyMatch(site -> !site.servers().isEmpty())) {
            List<Site> empty = stay.stream()
                    .map(site -> new Site(site.name(), List.of(), site.pooled()))
                    .toList();
            ways.add(way(NONE_KEPT, policy, last, all, empty));
        }
        return ways;
    }

    private Way way(String what, LabelledPolicy policy, Experiment last, List<Integer> kinds, List<Site> kept) {
        progress.accept(policy.label() + ": " + what);
        PricedSizing sizing = sizing(last, offers.of(kinds), kept);
        PricedSizing.Cheapest found = sizing.cheapest(policy.spec());
        Long[] buy = new Long[offers.names().size()];
        Arrays.fill(buy, 0L);
        for (int l = 0; l < found.servers().size(); l++) {
            buy[kinds.get(l)] = found.servers().get(l);
        }
        double least = kinds.size() == buy.length ? least(last, kept) : sizing.leastToBuy();
        return new Way(what, found.servers().isEmpty() ? List.of() : List.of(buy), found.cost(), least);
    }

    /** What the servers to buy cost at least, of all kinds on offer. */
    private double least(Experiment then, List<Site> kept) {
        return sizing(then, every, kept).leastToBuy();
    }
}
