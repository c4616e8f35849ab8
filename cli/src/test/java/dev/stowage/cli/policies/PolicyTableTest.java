package dev.stowage.cli.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Requirement;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.model.Spread;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The capabilities of each policy, as its engine answers: commands that need an undeclared capability are refused with
 * that reason, others are not. The page docs/policies.md has it as a table; {@code -Dstowage.docs=write} writes it.
 */
final class PolicyTableTest {
    private static final Path PAGE = Path.of("..", "docs", "policies.md");
    private static final String BEGIN = "<!-- table -->";
    private static final String END = "<!-- end of table -->";

    /** A command that needs one capability, with the reason for which it is refused without. */
    private record Probe(Capability needs, Refusal refusal, Consumer<Commands> command) {}

    private static final Map<String, List<Probe>> COLUMNS = columns();

    private static Map<String, List<Probe>> columns() {
        Map<String, List<Probe>> columns = new LinkedHashMap<>();
        columns.put(
                "sites",
                List.of(new Probe(Capability.SITE_LIMITS, Refusal.SITE_LIMIT, to -> arrive(to, Constraints.sites(0)))));
        columns.put(
                "labels, servers to avoid, spread",
                List.of(
                        new Probe(
                                Capability.CONSTRAINTS,
                                Refusal.CONSTRAINT,
                                to -> arrive(to, Constraints.labels(Requirement.parse("a=b")))),
                        new Probe(
                                Capability.CONSTRAINTS,
                                Refusal.CONSTRAINT,
                                to -> arrive(to, Constraints.avoiding(List.of(1)))),
                        new Probe(
                                Capability.CONSTRAINTS,
                                Refusal.CONSTRAINT,
                                to -> arrive(to, Constraints.spread(new Spread("db", 1, ""))))));
        columns.put(
                "penalties",
                List.of(new Probe(
                        Capability.PENALTIES,
                        Refusal.UNSUPPORTED,
                        to -> arrive(to, Constraints.NONE.penalizedBy("cost")))));
        columns.put(
                "resize, adopt",
                List.of(
                        new Probe(
                                Capability.OVERCOMMITMENT,
                                Refusal.UNSUPPORTED,
                                to -> to.resizeServer(1, 0, new long[] {5})),
                        new Probe(
                                Capability.OVERCOMMITMENT,
                                Refusal.UNSUPPORTED,
                                to -> to.adopt(1, NewRequest.of(1, 1), 0))));
        columns.put(
                "gangs",
                List.of(new Probe(
                        Capability.GANGS,
                        Refusal.UNSUPPORTED,
                        to -> to.arriveTogether(1, List.of(NewRequest.of(1, 1), NewRequest.of(2, 1))))));
        columns.put(
                "agents, evictions",
                List.of(
                        new Probe(
                                Capability.EVICTION,
                                Refusal.UNSUPPORTED,
                                to -> to.arrive(1, NewRequest.of(1, 1).withAgent())),
                        new Probe(Capability.EVICTION, Refusal.UNSUPPORTED, to -> to.drainServer(1, 0, 5))));
        columns.put(
                "priorities",
                List.of(new Probe(
                        Capability.PRIORITIES,
                        Refusal.UNSUPPORTED,
                        to -> to.arrive(1, NewRequest.of(1, 1).withPriority(3)))));
        return columns;
    }

    private static void arrive(Commands to, Constraints constraints) {
        to.arrive(1, NewRequest.of(1, 1).constrained(constraints));
    }

    /** The refusals of a command under a policy. */
    private static Set<Refusal> refused(String policy, Consumer<Commands> command) {
        Set<Refusal> refused = new TreeSet<>();
        Engine engine = Engine.start(
                Cluster.single(3, 10), PolicySpec.of(policy), new Policies(), Steps.COMMANDS, 1, 0, new Effects() {
                    @Override
                    public void refused(long now, long subject, Refusal refusal, String detail) {
                        refused.add(refusal);
                    }
                });
        engine.labelServer(0, 2, Labels.parse("a=b"));
        command.accept(engine);
        return refused;
    }

    @Test
    void whatAPolicyDoesNotKeepIsRefusedAndNothingElse() {
        List<String> wrong = new ArrayList<>();
        for (String policy : new Policies().names()) {
            Set<Capability> declared =
                    new Policies().create(PolicySpec.of(policy)).capabilities();
            COLUMNS.values().stream().flatMap(List::stream).forEach(probe -> {
                Set<Refusal> expected = declared.contains(probe.needs) ? Set.of() : Set.of(probe.refusal);
                Set<Refusal> refused = refused(policy, probe.command);
                if (!refused.equals(expected)) {
                    wrong.add(policy + ", " + probe.needs + ": " + refused + " instead of " + expected);
                }
            });
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void aPolicyStartsOnDevicesIfItKnowsThem() {
        Cluster gpus = new Cluster(
                List.of(Resource.inDevices("gpu_milli", 1000)),
                List.of(),
                List.of(Site.of("site", new ServerBlock(2, Amounts.of(2000)))),
                List.of(RequestType.of("half", 500)));
        for (String policy : new Policies().names()) {
            PolicySpec spec = PolicySpec.of(policy);
            if (new Policies().create(spec).capabilities().contains(Capability.DEVICES)) {
                assertThat(Engine.start(gpus, spec, new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE)
                                .arrived())
                        .isZero();
            } else {
                assertThatThrownBy(() -> Engine.start(gpus, spec, new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE))
                        .hasMessageContaining("does not support devices");
            }
        }
    }

    @Test
    void thePageHasTheTable() throws IOException {
        StringBuilder table =
                new StringBuilder("| policy | " + String.join(" | ", COLUMNS.keySet()) + " | moves | devices |\n|---|");
        table.append("---|".repeat(COLUMNS.size() + 2)).append('\n');
        for (String policy : new Policies().names()) {
            Set<Capability> declared =
                    new Policies().create(PolicySpec.of(policy)).capabilities();
            table.append("| `").append(policy).append("` |");
            COLUMNS.values().forEach(probes -> table.append(declared.contains(probes.get(0).needs) ? " yes |" : " |"));
            table.append(declared.contains(Capability.MIGRATION) ? " yes |" : " |");
            table.append(declared.contains(Capability.DEVICES) ? " yes |\n" : " |\n");
        }
        String page = Files.readString(PAGE);
        String expected = page.substring(0, page.indexOf(BEGIN) + BEGIN.length()) + "\n" + table
                + page.substring(page.indexOf(END));
        if ("write".equals(System.getProperty("stowage.docs"))) {
            Files.writeString(PAGE, expected);
            page = expected;
        }
        assertThat(page).isEqualTo(expected);
    }
}
