package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.View;
import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.Values;
import dev.stowage.policies.fit.AtStart;
import dev.stowage.policies.learn.ServiceTimes;
import java.util.List;
import java.util.function.Function;

/** The policies of this package. */
public final class ShadowPolicies {
    private static final String PAPER =
            "Y. Guo, A. L. Stolyar, A. Walid: Shadow-Routing Based Dynamic Algorithms for Virtual"
                    + " Machine Placement in a Network Cloud, INFOCOM 2013";
    private static final Parameter GAMMA = Parameter.number(
            "gamma",
            "precision: eta is 1 / (gamma c x number of virtual queues); the larger, the nearer to the optimum, and the"
                    + " slower to follow changes; take more where a server has room for dozens of small requests",
            0.1,
            1000,
            5,
            0.1,
            10);
    private static final Parameter THETA = Parameter.number(
            "theta", "weight of an arrival in the usage fractions of configurations", 1e-6, 0.5, 0.01, 0.5);
    private static final Parameter THETA1 = Parameter.number(
                    "theta1",
                    "weight of a departure in the mean service time of its type (the paper says 0.01); declared: the"
                            + " declared means are used",
                    1e-6,
                    0.5,
                    0.01,
                    0.01,
                    0.5)
            .orWords("declared");
    private static final Parameter RATIO = Parameter.word(
            "ratio",
            "what Algorithm B compares: plus-one: (z + 1) / (s phi); literal: z / (s phi) from equal fractions, as"
                    + " printed,"
                    + " which takes many more servers",
            Ratio.PLUS_ONE);
    private static final Parameter MIGRATION = Parameter.word(
            "migration",
            "real: on departures requests move to servers of the same configuration until no server is left over"
                    + " (remark 2)",
            Migration.NONE);
    private static final Parameter LISTED = Parameter.integer(
            "listed",
            "how many maximal configurations of a server are listed at most; where there are more, an exact knapsack"
                    + " finds the heaviest",
            0,
            10_000,
            500,
            0);

    private static final Parameter WITHIN = Parameter.number(
            "within",
            "where configurations are not listed, the search may miss one that is heavier by less than this part;"
                    + " while it takes long, the part doubles, again and again. 0: the heaviest, exactly, which takes"
                    + " a few times as long",
            0,
            0.5,
            0,
            0.02);

    private static final Parameter MOVES = Parameter.number(
            "moves-per-hour",
            "migrations per hour at most; unused ones are saved for an hour at most",
            0,
            1e9,
            100,
            0,
            5);

    private static final Parameter STRICT_FIT = Parameter.flag(
            "strict-fit",
            "true: a request fits only if some capacity stays free in each resource that it demands, as in the paper's"
                    + " Table III",
            false);

    /** Their entries in the registry. */
    public static final List<Entry> ENTRIES = List.of(
            Entry.of(
                    "shadow",
                    "virtual queues route each request to a site and tell which configurations its servers take",
                    PAPER + ", Algorithms A and B",
                    "the rates of routing and the use of configurations tend to the optimum of LP (2)-(7), the least"
                            + " maximal utilization, as gamma grows, for declared mean service times (Proposition 1)."
                            + " Compared on public traces (docs/choosing.md): its queue grows where the baselines' do"
                            + " not",
                    List.of(GAMMA, THETA, THETA1, RATIO, MIGRATION, LISTED, WITHIN),
                    values -> shadow(options(values), AlgorithmA::new)),
            Entry.of(
                    "shadow-simplified",
                    "as shadow, but the routing layer knows only the totals of each site, and each site packs by"
                            + " itself",
                    PAPER + ", Algorithms C and D",
                    "none; the paper finds its utilization about 10 % above shadow. Compared on public traces"
                            + " (docs/choosing.md): its queue grows where the baselines' do not",
                    List.of(GAMMA, THETA, THETA1, RATIO, MIGRATION, LISTED, WITHIN),
                    values -> shadow(options(values), AlgorithmsCD::new)),
            Entry.of(
                    "shadow-consolidating",
                    "as shadow with migration=real, as long as a budget of migrations per hour allows",
                    "beyond the paper: " + PAPER + ", remark 2",
                    "that of shadow. Compared on public traces (docs/choosing.md): its queue grows where the"
                            + " baselines' do not",
                    List.of(GAMMA, THETA, THETA1, MOVES, LISTED, WITHIN),
                    values -> shadow(consolidating(values), AlgorithmA::new)),
            Entry.of(
                    "shadow-bfjs",
                    "routed as by shadow; in each site to the server that fits best, the largest waiting requests first"
                            + " (BF-J/S)",
                    "beyond the paper: " + PAPER + ", Algorithm A; K. Psychas, J. Ghaderi, INFOCOM 2019, section IV-A",
                    "none for the packing; rates of routing as with shadow. Compared on public traces"
                            + " (docs/choosing.md): its queue grows where the baselines' do not",
                    List.of(GAMMA, THETA1, LISTED, WITHIN),
                    ShadowPolicies::bfJs),
            Entry.of(
                    "load-balancing",
                    "to the site whose largest utilization is least, there to the server whose largest utilization"
                            + " grows least",
                    PAPER + ", section IV-A (Baseline)",
                    "none. Compared on public traces (docs/choosing.md): its queue grows where the baselines' do not",
                    List.of(STRICT_FIT),
                    values -> loadBalancing(values.flag(STRICT_FIT))),
            Entry.of(
                    "priced-balancing",
                    "to the site with room where servers in use + largest utilization + price for the request is least;"
                            + " waiting requests go to any server that gets room",
                    "beyond the paper: " + PAPER + ", Algorithm A on virtual arrivals of the requests that are present",
                    "none",
                    List.of(),
                    values -> new AtStart(1, PricedBalancing::new, Capability.SITE_LIMITS, Capability.CONSTRAINTS)));

    /** What Algorithm B compares. */
    enum Ratio {
        PLUS_ONE,
        LITERAL
    }

    /** Whether requests move between servers of one configuration. */
    enum Migration {
        NONE,
        REAL
    }

    /** The routing layer of a policy. */
    private interface RouterMaker {
        ShadowRouter make(View view, Blocks blocks, ServiceTimes times, ShadowOptions options);
    }

    private ShadowPolicies() {}

    private static Policy shadow(ShadowOptions options, RouterMaker maker) {
        return routed(view -> {
            Blocks blocks = new Blocks(view, options.listed(), options.within());
            ServiceTimes times = new ServiceTimes(view, options.theta1());
            ShadowRouter router = maker.make(view, blocks, times, options);
            return new RoutedPolicy(view, blocks, times, router, new SiteLayer(view, blocks, router, options));
        });
    }

    private static Policy loadBalancing(boolean strict) {
        return new AtStart(
                view -> RoutedPolicy.queueCount(view, view.sites()),
                view -> {
                    Blocks blocks = new Blocks(view, 0, 0, strict);
                    LoadBalancing balancing = new LoadBalancing(view, blocks, strict);
                    return new RoutedPolicy(view, blocks, new ServiceTimes(view), balancing, balancing);
                },
                Capability.SITE_LIMITS,
                Capability.CONSTRAINTS);
    }

    private static Policy bfJs(Values values) {
        ShadowOptions options = known(values);
        return routed(view -> {
            Blocks blocks = new Blocks(view, options.listed(), options.within());
            ServiceTimes times = new ServiceTimes(view, options.theta1());
            AlgorithmA router = new AlgorithmA(view, blocks, times, options);
            return new RoutedPolicy(view, blocks, times, router, new BestFitLayer(view, blocks));
        });
    }

    /** Routes to blocks. */
    private static Policy routed(Function<View, Policy> maker) {
        return new AtStart(
                view -> RoutedPolicy.queueCount(view, view.capacityClasses()), maker, Capability.SITE_LIMITS);
    }

    private static ShadowOptions consolidating(Values values) {
        return known(values).withTheta(values.number(THETA)).migrating(values.number(MOVES));
    }

    private static ShadowOptions options(Values values) {
        boolean migrates = values.word(MIGRATION, Migration.class) == Migration.REAL;
        return known(values)
                .withTheta(values.number(THETA))
                .withLiteralRatio(values.word(RATIO, Ratio.class) == Ratio.LITERAL)
                .migrating(migrates ? Double.POSITIVE_INFINITY : 0);
    }

    /** The options that all policies of the scheme have. */
    private static ShadowOptions known(Values values) {
        return ShadowOptions.of(values.number(GAMMA))
                .learning(values.isWord(THETA1) ? 0 : values.number(THETA1))
                .listing((int) values.integer(LISTED), values.number(WITHIN));
    }
}
