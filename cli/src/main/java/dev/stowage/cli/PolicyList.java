package dev.stowage.cli;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.PolicyInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows policies of the registry. */
final class PolicyList {
    private final Console console;

    PolicyList(Console console) {
        this.console = console;
    }

    /** All policies, or one in full. */
    void show(@Nullable String key, OutputFormat format) {
        List<PolicyInfo> shown = key == null ? Policies.all() : List.of(find(key));
        switch (format) {
            case JSON -> console.out().print(Data.json(key == null ? shown : shown.get(0)));
            case CSV -> console.out().print(csv(shown));
            case TABLE -> console.out().print(key == null ? table(shown) : details(shown.get(0)));
        }
        console.out().flush();
    }

    private static PolicyInfo find(String key) {
        try {
            new Policies().create(PolicySpec.of(key));
        } catch (IllegalArgumentException e) {
            throw new BadInputException(String.valueOf(e.getMessage()), e);
        }
        return Policies.all().stream()
                .filter(info -> info.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private String table(List<PolicyInfo> policies) {
        Columns columns = new Columns("policy", "parameters", "what it does");
        for (PolicyInfo policy : policies) {
            columns.row(
                    policy.key(),
                    String.join(
                            ", ",
                            policy.parameters().stream().map(Parameter::name).toList()),
                    policy.summary());
        }
        return columns.text(console.style());
    }

    private String details(PolicyInfo policy) {
        StringBuilder text = new StringBuilder();
        text.append(policy.key()).append(": ").append(policy.summary()).append("\n\n");
        text.append("paper:     ").append(policy.paper()).append('\n');
        text.append("guarantee: ").append(policy.guarantee()).append('\n');
        if (!policy.parameters().isEmpty()) {
            Columns columns = new Columns("parameter", "allowed", "default", "meaning");
            policy.parameters().forEach(p -> columns.row(p.name(), p.range(), p.defaultValue(), p.meaning()));
            text.append('\n').append(columns.text(console.style()));
        }
        return text.toString();
    }

    private static String csv(List<PolicyInfo> policies) {
        Data.Csv csv =
                new Data.Csv("policy", "summary", "paper", "guarantee", "parameter", "allowed", "default", "meaning");
        for (PolicyInfo policy : policies) {
            if (policy.parameters().isEmpty()) {
                csv.row(policy.key(), policy.summary(), policy.paper(), policy.guarantee(), "", "", "", "");
            }
            for (Parameter p : policy.parameters()) {
                csv.row(
                        policy.key(),
                        policy.summary(),
                        policy.paper(),
                        policy.guarantee(),
                        p.name(),
                        p.range(),
                        p.defaultValue(),
                        p.meaning());
            }
        }
        return csv.text();
    }
}
