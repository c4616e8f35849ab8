package dev.stowage.policies;

import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.baseline.Baselines;
import dev.stowage.policies.baseline.WhenFull;
import dev.stowage.policies.bestfit.BestFitPolicies;
import dev.stowage.policies.fit.Score;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The registry: every policy there is, by key, with its parameters. Adding a policy is adding an entry to the list. */
public final class Policies implements PolicyFactory {
    private static final String PSYCHAS_GHADERI =
            "K. Psychas, J. Ghaderi: Scheduling Jobs with Random Resource Requirements in Computing Clusters, INFOCOM 2019";
    private static final String NO_GUARANTEE = "none";

    private static final Parameter WHEN_FULL = new Parameter(
            "when-full",
            "what becomes of a request that fits nowhere: rejected, or kept in a central queue",
            Stream.of(WhenFull.values()).map(WhenFull::key).toList(),
            WhenFull.REJECT.key());
    private static final Parameter SCORE = new Parameter(
            "score",
            "what makes a server and a request fit well in several resources; no effect with one resource",
            Stream.of(Score.values()).map(Score::key).toList(),
            Score.OCCUPIED.key());

    /** The values of a policy's parameters, each given or default, and checked. */
    private record Values(Map<String, String> byName) {
        <E extends Enum<E>> E of(Parameter parameter, Class<E> type) {
            String value = byName.getOrDefault(parameter.name(), parameter.defaultValue());
            return Enum.valueOf(type, value.toUpperCase(Locale.ROOT));
        }
    }

    private record Entry(PolicyInfo info, Function<Values, Policy> maker) {}

    private static final List<Entry> ENTRIES = List.of(
            new Entry(
                    new PolicyInfo(
                            "first-fit",
                            "each request goes to the lowest-numbered server with room",
                            "folklore; as a bin packing rule see D. S. Johnson: Near-Optimal Bin Packing Algorithms, MIT 1973",
                            NO_GUARANTEE,
                            List.of(WHEN_FULL)),
                    values -> Baselines.firstFit(values.of(WHEN_FULL, WhenFull.class))),
            new Entry(
                    new PolicyInfo(
                            "best-fit",
                            "each request goes to the server with the least residual capacity, or best score, that fits",
                            "folklore; score after R. Grandl et al.: Multi-Resource Packing for Cluster Schedulers, SIGCOMM 2014",
                            NO_GUARANTEE,
                            List.of(WHEN_FULL, SCORE)),
                    values -> Baselines.bestFit(values.of(WHEN_FULL, WhenFull.class), values.of(SCORE, Score.class))),
            new Entry(
                    new PolicyInfo(
                            "fifo-ff",
                            "first in, first out; the head goes to the lowest-numbered server with room, or holds up the rest",
                            PSYCHAS_GHADERI + ", section VII-B",
                            NO_GUARANTEE,
                            List.of()),
                    values -> Baselines.fifoFirstFit()),
            new Entry(
                    new PolicyInfo(
                            "bf-j",
                            "in every step each waiting request, in order of arrival, goes to the server that fits it best",
                            PSYCHAS_GHADERI + ", section IV-A",
                            NO_GUARANTEE,
                            List.of(SCORE)),
                    values -> BestFitPolicies.bfJ(values.of(SCORE, Score.class))),
            new Entry(
                    new PolicyInfo(
                            "bf-s",
                            "in every step each server, in index order, takes the largest (or best) requests that fit",
                            PSYCHAS_GHADERI + ", section IV-A",
                            NO_GUARANTEE,
                            List.of(SCORE)),
                    values -> BestFitPolicies.bfS(values.of(SCORE, Score.class))),
            new Entry(
                    new PolicyInfo(
                            "bf-js",
                            "servers with departures take the largest (or best) requests; new arrivals left go where they fit best",
                            PSYCHAS_GHADERI + ", section IV-A",
                            "at least 1/2 of the maximum supportable workload: one resource, equal servers, sizes bounded away"
                                    + " from 0, slotted time, geometric service times (Theorem 2)",
                            List.of(SCORE)),
                    values -> BestFitPolicies.bfJs(values.of(SCORE, Score.class))));

    /** All policies, in the order in which people should read them. */
    public static List<PolicyInfo> all() {
        return ENTRIES.stream().map(Entry::info).toList();
    }

    /**
     * Makes a policy.
     *
     * @throws IllegalArgumentException if the policy, a parameter or a value is unknown; the message lists what exists
     */
    @Override
    public Policy create(PolicySpec spec) {
        Entry entry = find(spec.name());
        check(spec, entry.info().parameters());
        return entry.maker().apply(new Values(spec.parameters()));
    }

    private static Entry find(String key) {
        List<String> keys = new ArrayList<>();
        for (Entry entry : ENTRIES) {
            if (entry.info().key().equals(key)) {
                return entry;
            }
            keys.add(entry.info().key());
        }
        throw new IllegalArgumentException(
                "unknown policy \"" + key + "\"; there are " + String.join(", ", keys) + Suggestion.of(key, keys));
    }

    private static void check(PolicySpec spec, List<Parameter> parameters) {
        List<String> names = parameters.stream().map(Parameter::name).toList();
        spec.parameters().forEach((name, value) -> {
            int at = names.indexOf(name);
            if (at < 0) {
                throw new IllegalArgumentException(
                        "policy " + spec.name() + " has no parameter \"" + name + "\"; it has "
                                + (names.isEmpty() ? "none" : String.join(", ", names)) + Suggestion.of(name, names));
            }
            Parameter parameter = parameters.get(at);
            if (!parameter.allowed().contains(value)) {
                throw new IllegalArgumentException("parameter " + name + " of policy " + spec.name() + " is \"" + value
                        + "\"; allowed: " + parameter.range() + Suggestion.of(value, parameter.allowed()));
            }
        });
    }
}
