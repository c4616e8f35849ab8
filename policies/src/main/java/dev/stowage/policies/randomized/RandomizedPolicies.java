package dev.stowage.policies.randomized;

import dev.stowage.core.policy.Policy;
import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.PolicyInfo.Trait;
import dev.stowage.policies.catalog.Values;
import dev.stowage.policies.fit.AtStart;
import java.util.List;

/** The policies of this package. */
public final class RandomizedPolicies {
    private static final String PAPER =
            "J. Ghaderi: Randomized Algorithms for Scheduling VMs in the Cloud, INFOCOM 2016";
    private static final Parameter SCALE = Parameter.number(
            "scale", "a clock ticks at exp(f(Q)), f(x) = (log(scale (1 + x)))^exponent", 1, 1e6, 10, 1, 2.5);
    private static final Parameter EXPONENT = Parameter.number(
            "exponent",
            "1 is the paper's f; the theory wants f = o(log x), which is anything below 1",
            0.01,
            1,
            1,
            0.5);
    private static final Parameter UNIT = Parameter.number(
                    "clock-unit-s",
                    "unit of time of the clocks, seconds; auto: mean of the declared mean service times, or 1 s",
                    1e-6,
                    1e9,
                    1,
                    100)
            .orWords("auto");
    private static final Parameter DUMMIES = Parameter.word(
            "dummies",
            "whether the tick of an empty queue places a dummy; never and keep are ablations without the guarantee",
            Dummies.ALWAYS);
    private static final Parameter MOST_TYPES = Parameter.integer(
                    "most-types",
                    "how many different types a server may hold at a time, beyond what its resources allow",
                    1,
                    1_000_000,
                    1,
                    2)
            .orWords("any");
    private static final Parameter CHOICES = Parameter.integer(
                    "choices",
                    "how many queues of the type, drawn at random, an arrival compares; all: join the shortest queue",
                    1,
                    1_000_000,
                    2,
                    1)
            .orWords("all");
    private static final Parameter SAMPLING =
            Parameter.word("sampling", "how the choices are drawn", Sampling.DISTINCT);

    private static final Parameter REFRESH =
            Parameter.word("refresh", "which servers must be empty before a configuration is renewed", Refresh.LOCAL);
    private static final Parameter QUEUES = Parameter.word(
            "queues", "a queue per type, or one per type and server: requests join the shortest", Queues.CENTRAL);
    private static final Parameter REFILL = Parameter.flag(
            "refill",
            "whether a slot that becomes free is filled again before the next refresh; false is not stable at high"
                    + " load",
            true);

    private enum Refresh {
        LOCAL,
        GLOBAL
    }

    private enum Queues {
        CENTRAL,
        DISTRIBUTED
    }

    private enum Sampling {
        DISTINCT,
        WITH_REPLACEMENT
    }

    /** Their entries in the registry. */
    public static final List<Entry> ENTRIES = List.of(
            Entry.of(
                            "randomized-central",
                            "a queue per type with a random clock of rate 10 (1 + Q); at its tick the head, or a dummy, tries"
                                    + " a random server",
                            PAPER + ", Algorithm 1",
                            "stable for every load in the interior of the capacity region (Theorem 1), if dummies = always and"
                                    + " f = o(log x). Compared on public traces (docs/choosing.md): its queue grows where"
                                    + " the baselines' do not",
                            List.of(SCALE, EXPONENT, UNIT, DUMMIES, MOST_TYPES),
                            RandomizedPolicies::central)
                    .with(Trait.DRAWS),
            Entry.of(
                            "randomized-distributed",
                            "a queue per type and server, each with a clock as in randomized-central; requests join the"
                                    + " shortest queue of their type",
                            PAPER + ", Algorithm 2",
                            "as randomized-central (Theorem 2), with choices = all; with fewer choices and unequal servers it"
                                    + " is not"
                                    + " throughput-optimal. Compared on public traces (docs/choosing.md): its queue grows"
                                    + " where the baselines' do not",
                            List.of(SCALE, EXPONENT, UNIT, DUMMIES, MOST_TYPES, CHOICES, SAMPLING),
                            RandomizedPolicies::distributed)
                    .with(Trait.DRAWS),
            Entry.of(
                            "max-weight",
                            "an empty server takes the configuration with the largest sum of queue length times slots, and"
                                    + " refills it",
                            PAPER
                                    + ", section VII, after S. T. Maguluri, R. Srikant: Scheduling Jobs with Unknown Duration"
                                    + " in Clouds,"
                                    + " INFOCOM 2013",
                            "in slotted time only: with refresh = global, stable for every load in the interior of the capacity"
                                    + " region; with local, for equal servers only. In continuous time global is unstable at"
                                    + " high load. No guarantee for waits: requests that come in a burst wait until servers"
                                    + " are empty. Compared on public traces (docs/choosing.md): its queue grows where the"
                                    + " baselines' do not",
                            List.of(REFRESH, QUEUES, REFILL),
                            RandomizedPolicies::maxWeight)
                    .with(Trait.DRAWS));

    private RandomizedPolicies() {}

    /** Algorithm 1 with options that parameters cannot express. */
    public static Policy central(ClockOptions options) {
        return new AtStart(view -> Math.max(1, view.types()), view -> new CentralClocks(view, options));
    }

    /**
     * Algorithm 2 with options that parameters cannot express.
     *
     * @param choices queues that an arrival compares; 0 for all
     * @param withReplacement whether one queue may be drawn twice
     */
    public static Policy distributed(ClockOptions options, int choices, boolean withReplacement) {
        return new AtStart(LocalQueues::number, view -> new LocalClocks(view, options, choices, withReplacement));
    }

    private static Policy central(Values values) {
        return central(options(values));
    }

    private static Policy distributed(Values values) {
        int choices = values.isWord(CHOICES) ? 0 : (int) values.integer(CHOICES);
        return distributed(
                options(values), choices, values.word(SAMPLING, Sampling.class) == Sampling.WITH_REPLACEMENT);
    }

    private static Policy maxWeight(Values values) {
        MaxWeightOptions options = new MaxWeightOptions(
                values.word(REFRESH, Refresh.class) == Refresh.GLOBAL,
                values.word(QUEUES, Queues.class) == Queues.DISTRIBUTED,
                values.flag(REFILL));
        return new AtStart(view -> MaxWeight.queues(view, options), view -> new MaxWeight(view, options));
    }

    private static ClockOptions options(Values values) {
        return new ClockOptions(
                values.number(SCALE),
                values.number(EXPONENT),
                values.isWord(UNIT) ? 0 : values.number(UNIT) * 1e9,
                values.word(DUMMIES, Dummies.class),
                values.isWord(MOST_TYPES)
                        ? Configuration.ANY
                        : Configuration.atMostTypes((int) values.integer(MOST_TYPES)));
    }
}
