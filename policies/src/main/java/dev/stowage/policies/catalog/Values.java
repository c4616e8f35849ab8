package dev.stowage.policies.catalog;

import dev.stowage.core.policy.PolicySpec;
import java.util.List;
import java.util.stream.Stream;

/** The values of a policy's parameters, each given or default, and checked. */
public final class Values {
    private final PolicySpec spec;

    private Values(PolicySpec spec) {
        this.spec = spec;
    }

    /**
     * The values that a specification gives to parameters.
     *
     * @throws IllegalArgumentException if a parameter is unknown or a value not allowed; the message lists the allowed
     *     ones
     */
    public static Values of(PolicySpec spec, List<Parameter> parameters) {
        List<String> names = parameters.stream().map(Parameter::name).toList();
        spec.parameters().forEach((name, value) -> {
            int at = names.indexOf(name);
            if (at < 0) {
                throw new IllegalArgumentException(
                        "policy " + spec.name() + " has no parameter \"" + name + "\"; it has "
                                + (names.isEmpty() ? "none" : String.join(", ", names)) + Suggestion.of(name, names));
            }
            Parameter parameter = parameters.get(at);
            if (!parameter.allows(value)) {
                throw new IllegalArgumentException("parameter " + name + " of policy " + spec.name() + " is \"" + value
                        + "\"; allowed: " + parameter.range() + Suggestion.of(value, parameter.words()));
            }
        });
        return new Values(spec);
    }

    /** The value as text. */
    public String text(Parameter parameter) {
        return spec.parameters().getOrDefault(parameter.name(), parameter.defaultValue());
    }

    /** The value of a parameter made by {@link Parameter#word}. */
    public <E extends Enum<E>> E word(Parameter parameter, Class<E> type) {
        String text = text(parameter);
        for (E value : type.getEnumConstants()) {
            if (Parameter.key(value).equals(text)) {
                return value;
            }
        }
        throw new IllegalArgumentException(parameter.name() + " is not of " + type.getSimpleName() + ": " + text);
    }

    /** The value of a parameter made by {@link Parameter#flag}. */
    public boolean flag(Parameter parameter) {
        return Boolean.parseBoolean(text(parameter));
    }

    /** The value as a whole number; a word must have been ruled out with {@link #isWord}. */
    public long integer(Parameter parameter) {
        return Long.parseLong(text(parameter));
    }

    /** The value as a number; a word must have been ruled out with {@link #isWord}. */
    public double number(Parameter parameter) {
        return Double.parseDouble(text(parameter));
    }

    /**
     * The values of a parameter made by {@link Parameter#perType}; a word must have been ruled out with
     * {@link #isWord}.
     */
    public double[] perType(Parameter parameter) {
        return Stream.of(text(parameter).split("/", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    /** Whether the value is one of the parameter's words, not a number. */
    public boolean isWord(Parameter parameter) {
        return parameter.words().contains(text(parameter));
    }
}
