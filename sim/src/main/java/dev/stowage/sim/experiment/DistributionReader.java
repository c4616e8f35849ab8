package dev.stowage.sim.experiment;

import dev.stowage.sim.workload.Distribution;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Distributions in an experiment: a single value, or one key that names the family, e.g. {@code {exponential: 20 min}},
 * {@code {uniform: {from: 0.1, to: 0.9}}}.
 *
 * @param value a value of the quantity from a text: plain number, duration in seconds or in slots
 */
record DistributionReader(ToDoubleFunction<String> value) {
    private static final List<String> FAMILIES = List.of(
            "deterministic",
            "exponential",
            "geometric",
            "uniform",
            "truncated-normal",
            "lognormal",
            "weibull",
            "hyperexponential",
            "discrete",
            "empirical",
            "quantiles");
    private static final Distribution PLACEHOLDER = Distribution.deterministic(1);

    Distribution read(YamlFields fields) {
        if (!fields.node().isObject()) {
            return guarded(fields, () -> Distribution.deterministic(single(fields)));
        }
        List<String> keys = fields.keys();
        if (keys.size() == 1 && !FAMILIES.contains(keys.get(0)) && NearestName.isMisspelling(keys.get(0), FAMILIES)) {
            fields.problem("'" + keys.get(0) + "' is no distribution; " + NearestName.among(keys.get(0), FAMILIES));
            return PLACEHOLDER;
        }
        if (keys.size() != 1 || !FAMILIES.contains(keys.get(0))) {
            fields.problem("must have exactly one of the keys " + String.join(", ", FAMILIES) + ", not " + keys);
            return PLACEHOLDER;
        }
        YamlFields inside = fields.at(keys.get(0));
        return guarded(inside, () -> family(keys.get(0), inside));
    }

    private Distribution family(String family, YamlFields at) {
        Distribution result = switch (family) {
            case "deterministic" -> Distribution.deterministic(single(at));
            case "exponential" -> Distribution.exponential(mean(at));
            case "geometric" -> Distribution.geometric(mean(at));
            case "uniform" -> Distribution.uniform(single(at.at("from")), single(at.at("to")));
            case "truncated-normal" -> truncatedNormal(at);
            case "lognormal" -> lognormal(at);
            case "weibull" -> Distribution.weibull(plain(at.at("shape")), single(at.at("scale")));
            case "hyperexponential" -> Distribution.hyperexponential(plains(at.at("weights")), values(at.at("means")));
            case "discrete" -> discrete(at);
            case "empirical" -> Distribution.empirical(values(at));
            default -> Distribution.quantiles(plains(at.at("probabilities")), values(at.at("values")));
        };
        if (at.node().isObject()) {
            at.rejectUnknown();
        }
        return result;
    }

    private Distribution truncatedNormal(YamlFields at) {
        double to = at.has("to") ? single(at.at("to")) : Double.POSITIVE_INFINITY;
        double from = at.has("from") ? single(at.at("from")) : 0;
        return Distribution.truncatedNormal(single(at.at("mean")), single(at.at("sd")), from, to);
    }

    private Distribution lognormal(YamlFields at) {
        return at.has("mean")
                ? Distribution.lognormalOfMean(single(at.at("mean")), plain(at.at("cv2")))
                : Distribution.lognormal(plain(at.at("log-mean")), plain(at.at("log-sd")));
    }

    private Distribution discrete(YamlFields at) {
        double[] values = values(at.at("values"));
        double[] weights = new double[values.length];
        Arrays.fill(weights, 1);
        return Distribution.discrete(values, at.has("weights") ? plains(at.at("weights")) : weights);
    }

    private double mean(YamlFields at) {
        return single(at.node().isObject() ? at.at("mean") : at);
    }

    private double single(YamlFields at) {
        return at.parsed(Double.NaN, value::applyAsDouble);
    }

    private static double plain(YamlFields at) {
        return at.parsed(Double.NaN, Units::number);
    }

    private double[] values(YamlFields at) {
        return at.elements().stream().mapToDouble(this::single).toArray();
    }

    private static double[] plains(YamlFields at) {
        return at.elements().stream().mapToDouble(DistributionReader::plain).toArray();
    }

    /**
     * A parameter that was noted as a problem is NaN, so the distribution's complaint about NaN is dropped.
     */
    private static Distribution guarded(YamlFields at, Supplier<Distribution> made) {
        int before = at.problems();
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            if (at.problems() == before) {
                at.problem(String.valueOf(e.getMessage()));
            }
            return PLACEHOLDER;
        }
    }
}
