package dev.stowage.policies.reservation;

import dev.stowage.core.policy.Policy;
import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.Values;
import dev.stowage.policies.fit.AtStart;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.FirstFit;
import dev.stowage.policies.fit.Score;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToLongFunction;

/** The policies of this package. */
public final class ReservationPolicies {
    private static final String PAPER =
            "K. Psychas, J. Ghaderi: A Theory of Auto-Scaling for Resource Reservation in Cloud Services, 2020";
    private static final String SMALL =
            "; where types x slack slots take much of the cluster, complete sharing (first-fit, best-fit) usually earns"
                    + " more";

    private static final Parameter SLACK = Parameter.integer(
                    "slack",
                    "empty slots held ready for each type, g(L): ceil((ln L)^1.5), ceil(sqrt L), ceil(ln L) or a"
                            + " number; the theory needs growth faster than log L and slower than L",
                    1,
                    1_000_000_000,
                    1,
                    3)
            .orWords("log-power", "sqrt", "log");
    private static final Parameter UPDATE = Parameter.number(
                    "update-s",
                    "when servers are classified and reassigned: at every event, or every given number of seconds",
                    1e-6,
                    1e9,
                    1,
                    2)
            .orWords("event");
    private static final Parameter WORKLOAD = Parameter.word(
            "workload",
            "what the slots follow: the requests present, or an estimate of the offered load, rejected requests"
                    + " included,"
                    + " if that is more",
            WorkloadChoice.PRESENT);
    private static final Parameter MEMORY = Parameter.number(
            "memory", "how far the estimate looks back, in mean service times of the type", 0.01, 1e6, 3, 1);
    private static final Parameter LIMIT = Parameter.number(
            "reserve-below",
            "dra decides if g(L) empty slots of each type take at most this part of the scarcest resource",
            0,
            1,
            0.015,
            0.5);
    private static final Parameter TRIAL = Parameter.number(
            "try-below",
            "above reserve-below and up to this part, dra decides until what it accepts pays less than 85 % of the"
                    + " greatest reward",
            0,
            1,
            0.04,
            0.5);
    private static final Parameter INTERPRETATION = Parameter.word(
            "interpretation",
            "what a request asks for: a new VM, or service by a VM of its type; changes the reasons, not the decisions",
            Interpretation.REVENUE);

    private static final Parameter LOAD = Parameter.perType(
            "load-per-server",
            "offered load of each type, mean number in service if none were rejected, divided by the number of servers",
            0,
            1e9,
            "unlimited");
    private static final Parameter THRESHOLDS = Parameter.perType(
            "thresholds",
            "part of the cluster that must stay free when a request of the type is accepted; by-reward: reserve times"
                    + " (1 - reward per demand of the type / the greatest of any type)",
            0,
            1,
            "by-reward");
    private static final Parameter RESERVE = Parameter.number(
            "reserve", "threshold of a type that pays nothing, if thresholds go by reward", 0, 1, 0.05, 0.3);
    private static final Parameter FIT =
            Parameter.word("fit", "which server with room an accepted request goes to", Fit.BEST);

    private enum Fit {
        FIRST,
        BEST
    }

    private enum WorkloadChoice {
        PRESENT,
        ESTIMATE
    }

    /** Their entries in the registry. */
    public static final List<Entry> ENTRIES = List.of(
            Entry.of(
                    "dra",
                    "slots reserved ahead in a greedy packing of what runs, a few empty ones of each type that pays;"
                            + " at most one"
                            + " migration per departure",
                    PAPER + ", Algorithm 2",
                    "for many servers at least 1/2 of the greatest reward, 1 - 1/e if rewards are monotone greedy"
                            + " (Theorem 4.1)"
                            + SMALL
                            + ". Compared on public traces (docs/choosing.md): at worst 56.7 % fewer requests accepted"
                            + " than under the best baseline, at worst 37.6 % less reward",
                    List.of(SLACK, UPDATE, WORKLOAD, MEMORY, INTERPRETATION),
                    ReservationPolicies::dra),
            Entry.of(
                    "gpa-static",
                    "every server has the configuration that the greedy placement gives it for a known load, for ever",
                    PAPER + ", Algorithm 1",
                    "for many servers at least 1/2 of the greatest reward if the load is right (Theorem 3.5)."
                            + " Compared on public traces (docs/choosing.md): at worst 46.0 % fewer requests accepted"
                            + " than under the best baseline, at worst 81.1 % less reward",
                    List.of(LOAD),
                    values -> fixed(values, StaticPlan.GREEDY)),
            Entry.of(
                    "static-partition",
                    "every server has the configuration that the linear program (6) gives it for a known load, for"
                            + " ever",
                    PAPER + ", section 3",
                    "for many servers the greatest reward if the load is right. Compared on public traces"
                            + " (docs/choosing.md): at worst 48.9 % fewer requests accepted than under the best"
                            + " baseline, at worst 81.1 % less reward",
                    List.of(LOAD),
                    values -> fixed(values, StaticPlan.OPTIMAL)),
            Entry.of(
                    "trunk-reservation",
                    "a request is accepted if enough of the cluster stays free for types that pay more, and placed by"
                            + " best or first"
                            + " fit",
                    "after P. J. Hunt, C. N. Laws: Optimization via Trunk Reservation in Single Resource Loss Systems,"
                            + " Annals of"
                            + " Applied Probability 7, 1997",
                    "none for servers of fixed size",
                    List.of(RESERVE, THRESHOLDS, FIT),
                    ReservationPolicies::trunk),
            Entry.of(
                    "protection-levels",
                    "best fit that rejects a request where types that pay more are likely to need its room; servers"
                            + " are cleared for large types, at most one migration per departure",
                    "after K. Littlewood: Forecasting and Control of Passenger Bookings, AGIFORS Symposium 12, 1972",
                    "none; with 1,000 servers and more under overload dra earns more. Compared on public"
                            + " traces (docs/choosing.md): at worst 3.1 % fewer requests accepted than under the best"
                            + " baseline",
                    List.of(MEMORY),
                    values -> new AtStart(0, view -> new ProtectionLevels(view, values.number(MEMORY)))),
            Entry.of(
                    "protect-or-reserve",
                    "dra if, at the start, the empty slots it keeps are a small part of the cluster, protection-levels"
                            + " if they are a large part; in between dra until it earns too little",
                    "after K. Psychas, J. Ghaderi, 2020, and K. Littlewood, 1972",
                    "for many servers that of dra. Compared on public traces (docs/choosing.md): at worst 3.1 %"
                            + " fewer requests accepted than under the best baseline",
                    List.of(LIMIT, TRIAL, MEMORY),
                    ReservationPolicies::protectOrReserve));

    private ReservationPolicies() {}

    private static Policy dra(Values values) {
        DraOptions options = new DraOptions(
                slack(values),
                values.isWord(UPDATE) ? 0 : Math.max(1, StrictMath.round(values.number(UPDATE) * 1e9)),
                values.word(WORKLOAD, WorkloadChoice.class) == WorkloadChoice.ESTIMATE ? values.number(MEMORY) : 0,
                values.word(INTERPRETATION, Interpretation.class));
        return new AtStart(0, view -> new Dra(view, options));
    }

    private static Policy protectOrReserve(Values values) {
        return new ProtectOrReserve(
                values.number(LIMIT),
                values.number(TRIAL),
                values.number(MEMORY),
                new DraOptions(Slack.LOG_POWER::slots, 0, 0, Interpretation.REVENUE));
    }

    private static Policy fixed(Values values, StaticPlan plan) {
        double[] load = values.isWord(LOAD) ? new double[0] : values.perType(LOAD);
        return new AtStart(0, view -> new StaticSlots(view, plan, load));
    }

    private static Policy trunk(Values values) {
        double[] given = values.isWord(THRESHOLDS) ? new double[0] : values.perType(THRESHOLDS);
        double reserve = values.number(RESERVE);
        boolean best = values.word(FIT, Fit.class) == Fit.BEST;
        return new AtStart(
                0,
                view -> new TrunkReservation(
                        view,
                        best ? BestFit.servers(view, Score.OCCUPIED) : new FirstFit(view),
                        new Thresholds(given, reserve)));
    }

    private static IntToLongFunction slack(Values values) {
        return slack(values.text(SLACK));
    }

    private static IntToLongFunction slack(String value) {
        if (Character.isDigit(value.charAt(0))) {
            long slots = Long.parseLong(value);
            return servers -> slots;
        }
        return Slack.valueOf(value.toUpperCase(Locale.ROOT).replace('-', '_'))::slots;
    }

    /**
     * Empty slots of each type that {@code dra} holds ready.
     *
     * @param slack its parameter, a word or a number
     * @param servers in the cluster
     */
    public static long slackSlots(String slack, int servers) {
        return slack(slack).applyAsLong(servers);
    }
}
