package dev.stowage.cli.policies;

import dev.stowage.cli.answer.FormatOption;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.PolicyArgument;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.PolicyInfo;
import dev.stowage.report.TextStyle;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stowage policies}: lists the policies. */
@Command(
        name = "policies",
        description = "List the policies, or show the parameters and the paper of one, and what is proven about it.",
        footer = {"", "Example:", "  stowage policies best-fit"})
public final class PoliciesCommand extends PolicyCommand implements Runnable {
    /** Words for capabilities other than sites, constraints and overcommitment. */
    private static final Map<Capability, String> FURTHER = new TreeMap<>(Map.of(
            Capability.GANGS,
            "gangs",
            Capability.EVICTION,
            "agents and evictions",
            Capability.MIGRATION,
            "moves off draining servers",
            Capability.DEVICES,
            "devices",
            Capability.PENALTIES,
            "penalties",
            Capability.PRIORITIES,
            "priorities"));

    @Parameters(
            arity = "0..1",
            paramLabel = "KEY",
            completionCandidates = PolicyArgument.PolicyKeys.class,
            description = "One policy.")
    private @Nullable String key;

    @Mixin
    private FormatOption format = new FormatOption();

    @Override
    public void run() {
        Policies policies = new Policies();
        List<Listed> shown = (key == null ? Policies.all() : List.of(find(key, policies)))
                .stream().map(info -> Listed.of(info, policies)).toList();
        switch (format.format()) {
            case JSON -> console().out().print(Data.json(key == null ? shown : shown.get(0)));
            case CSV -> console().out().print(csv(shown));
            case TABLE -> console().out().print(key == null ? table(shown) : details(shown.get(0)));
        }
    }

    /** The output for a policy; see {@link PolicyInfo}. */
    private record Listed(
            String key,
            String summary,
            String paper,
            String guarantee,
            boolean keepsSiteLimits,
            boolean keepsConstraints,
            boolean keepsOvercommitment,
            List<String> alsoKeeps,
            List<Parameter> parameters) {
        static Listed of(PolicyInfo info, Policies policies) {
            Set<Capability> can = policies.create(PolicySpec.of(info.key())).capabilities();
            return new Listed(
                    info.key(),
                    info.summary(),
                    info.paper(),
                    info.guarantee(),
                    can.contains(Capability.SITE_LIMITS),
                    can.contains(Capability.CONSTRAINTS),
                    can.contains(Capability.OVERCOMMITMENT),
                    FURTHER.entrySet().stream()
                            .filter(each -> can.contains(each.getKey()))
                            .map(Map.Entry::getValue)
                            .toList(),
                    info.parameters());
        }
    }

    private static PolicyInfo find(String key, Policies policies) {
        try {
            policies.create(PolicySpec.of(key));
        } catch (IllegalArgumentException e) {
            throw new BadInputException(String.valueOf(e.getMessage()), e);
        }
        return Policies.all().stream()
                .filter(info -> info.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private String table(List<Listed> policies) {
        Columns columns = new Columns("policy", "parameters", "what it does");
        for (Listed policy : policies) {
            columns.row(
                    policy.key(),
                    String.join(
                            ", ",
                            policy.parameters().stream().map(Parameter::name).toList()),
                    policy.summary());
        }
        Columns keeping = new Columns("keep requests to the sites they are limited to");
        keeping.row(policies.stream()
                .filter(Listed::keepsSiteLimits)
                .map(Listed::key)
                .collect(Collectors.joining(", ")));
        Columns constraints = new Columns("obey constraints: labels, servers to avoid, spread");
        constraints.row(policies.stream()
                .filter(Listed::keepsConstraints)
                .map(Listed::key)
                .collect(Collectors.joining(", ")));
        TextStyle style = console().style();
        return columns.text(style) + "\n" + keeping.text(style) + "\n" + constraints.text(style);
    }

    private String details(Listed policy) {
        StringBuilder text = new StringBuilder();
        text.append(console().wrapped("", policy.key() + ": " + policy.summary()))
                .append('\n');
        text.append(console().wrapped("paper:     ", policy.paper()));
        text.append(console().wrapped("guarantee: ", policy.guarantee()));
        text.append("sites:     ")
                .append(
                        policy.keepsSiteLimits()
                                ? "keeps requests to the sites they are limited to"
                                : "does not support site limits: the engine refuses requests that have one")
                .append('\n');
        text.append("labels:    ")
                .append(
                        policy.keepsConstraints()
                                ? "obeys constraints: labels, servers to avoid, spread"
                                : "does not support constraints: the engine refuses requests that have any")
                .append('\n');
        text.append("adopts:    ")
                .append(
                        policy.keepsOvercommitment()
                                ? "what runs already; servers may change their capacity"
                                : "nothing, and servers keep their capacity")
                .append('\n');
        text.append(console()
                .wrapped(
                        "supports:  ",
                        policy.alsoKeeps().isEmpty()
                                ? "none of " + String.join(", ", FURTHER.values()) + ": the engine refuses them"
                                : String.join(", ", policy.alsoKeeps())));
        if (!policy.parameters().isEmpty()) {
            Columns columns = new Columns("parameter", "allowed", "default", "meaning");
            policy.parameters().forEach(p -> columns.row(p.name(), p.range(), p.defaultValue(), p.meaning()));
            text.append('\n').append(columns.text(console().style()));
        }
        return text.toString();
    }

    private static String csv(List<Listed> policies) {
        Data.Csv csv = new Data.Csv(
                "policy",
                "summary",
                "paper",
                "guarantee",
                "parameter",
                "allowed",
                "default",
                "meaning",
                "keeps_site_limits",
                "keeps_constraints",
                "keeps_overcommitment",
                "also_keeps");
        for (Listed policy : policies) {
            String keeps = String.valueOf(policy.keepsSiteLimits());
            String labels = String.valueOf(policy.keepsConstraints());
            String adopts = String.valueOf(policy.keepsOvercommitment());
            String further = String.join(", ", policy.alsoKeeps());
            List<Parameter> parameters = policy.parameters();
            for (int i = 0; i < Math.max(1, parameters.size()); i++) {
                Parameter p = i < parameters.size() ? parameters.get(i) : null;
                csv.row(
                        policy.key(),
                        policy.summary(),
                        policy.paper(),
                        policy.guarantee(),
                        p == null ? "" : p.name(),
                        p == null ? "" : p.range(),
                        p == null ? "" : p.defaultValue(),
                        p == null ? "" : p.meaning(),
                        keeps,
                        labels,
                        adopts,
                        further);
            }
        }
        return csv.text();
    }
}
