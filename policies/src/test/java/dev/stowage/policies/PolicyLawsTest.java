package dev.stowage.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.testkit.Exhaustive;
import dev.stowage.testkit.Fuzz;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every policy of the registry, with every value of every parameter, keeps the laws. */
@Tag("once")
class PolicyLawsTest {
    private static final PolicyFactory POLICIES = new Policies();

    static Stream<PolicySpec> specs() {
        return Policies.all().stream()
                .flatMap(info -> Stream.concat(
                        Stream.of(PolicySpec.of(info.key())),
                        info.parameters().stream()
                                .flatMap(parameter -> parameter.samples().stream()
                                        .filter(value -> !value.equals(parameter.defaultValue()))
                                        .map(value -> PolicySpec.of(info.key(), Map.of(parameter.name(), value))))))
                .distinct();
    }

    private static Fuzz everyPolicy() {
        return Fuzz.of(PolicyLawsTest.class, POLICIES, specs().toArray(PolicySpec[]::new));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void onRandomLogs(PolicySpec spec) {
        Fuzz.of(getClass(), POLICIES, spec).seeds(6).run();
    }

    @Test
    void handingOverToEachOther() {
        everyPolicy().seeds(30).run();
    }

    @ParameterizedTest
    @MethodSource("keepingSiteLimits")
    void onRandomLogsWithSiteLimits(PolicySpec spec) {
        Fuzz.of(getClass(), POLICIES, spec).siteLimits().seeds(4).run();
        Fuzz.of(getClass(), POLICIES, spec).siteLimits().typesOnly().seeds(4).run();
    }

    static Stream<PolicySpec> keepingSiteLimits() {
        return specs().filter(spec -> POLICIES.create(spec).capabilities().contains(Capability.SITE_LIMITS));
    }

    @ParameterizedTest
    @MethodSource("keepingConstraints")
    void onRandomLogsWithConstraints(PolicySpec spec) {
        Fuzz.of(getClass(), POLICIES, spec).constraints().seeds(4).run();
        Fuzz.of(getClass(), POLICIES, spec)
                .constraints()
                .siteLimits()
                .overcommitment()
                .seeds(4)
                .run();
        Fuzz.of(getClass(), POLICIES, spec)
                .constraints()
                .siteLimits()
                .typesOnly()
                .seeds(4)
                .run();
    }

    static Stream<PolicySpec> keepingConstraints() {
        return specs().filter(spec -> POLICIES.create(spec).capabilities().contains(Capability.CONSTRAINTS));
    }

    /** Those that cannot do it refuse it. */
    @ParameterizedTest
    @MethodSource("specs")
    void whateverIsAskedOfThem(PolicySpec spec) {
        Fuzz.of(getClass(), POLICIES, spec)
                .constraints()
                .overcommitment()
                .seeds(3)
                .run();
        Fuzz.of(getClass(), POLICIES, spec)
                .gangs()
                .agents()
                .priorities()
                .seeds(3)
                .run();
    }

    @ParameterizedTest
    @MethodSource("keepingConstraints")
    void onRandomLogsWithGangs(PolicySpec spec) {
        Fuzz.of(getClass(), POLICIES, spec).gangs().seeds(4).run();
        Fuzz.of(getClass(), POLICIES, spec)
                .gangs()
                .constraints()
                .siteLimits()
                .seeds(4)
                .run();
    }

    @ParameterizedTest
    @MethodSource("keepingConstraints")
    void onRandomLogsWithAgents(PolicySpec spec) {
        Fuzz.of(getClass(), POLICIES, spec).agents().constraints().seeds(6).run();
        Fuzz.of(getClass(), POLICIES, spec)
                .agents()
                .gangs()
                .priorities()
                .constraints()
                .overcommitment()
                .seeds(6)
                .run();
    }

    /** A policy that knows nothing of expected lifetimes places such requests as any other. */
    @ParameterizedTest
    @MethodSource("specs")
    void onRandomLogsWithLifetimes(PolicySpec spec) {
        Fuzz.of(getClass(), POLICIES, spec).lifetimes().seeds(8).run();
    }

    @ParameterizedTest
    @MethodSource("keepingConstraints")
    void onRandomLogsWithLifetimesAndMore(PolicySpec spec) {
        Fuzz.of(getClass(), POLICIES, spec)
                .lifetimes()
                .agents()
                .gangs()
                .constraints()
                .overcommitment()
                .seeds(8)
                .run();
    }

    static Stream<PolicySpec> knowingDevices() {
        return specs().filter(spec -> POLICIES.create(spec).capabilities().contains(Capability.DEVICES));
    }

    @ParameterizedTest
    @MethodSource("knowingDevices")
    void onRandomLogsWithDevices(PolicySpec spec) {
        Fuzz.of(getClass(), POLICIES, spec).devices().seeds(6).run();
        Fuzz.of(getClass(), POLICIES, spec)
                .devices()
                .agents()
                .gangs()
                .priorities()
                .constraints()
                .overcommitment()
                .seeds(6)
                .run();
    }

    /** Those that do not know devices are refused. */
    @Test
    void handingOverWithDevices() {
        Fuzz.of(getClass(), POLICIES, knowingDevices().toArray(PolicySpec[]::new))
                .devices()
                .gangs()
                .constraints()
                .overcommitment()
                .handingOverTo(specs().toArray(PolicySpec[]::new))
                .seeds(30)
                .run();
    }

    @Test
    void handingOverWithGangsAndAgents() {
        everyPolicy()
                .gangs()
                .agents()
                .priorities()
                .constraints()
                .overcommitment()
                .seeds(30)
                .run();
    }

    @ParameterizedTest
    @MethodSource("keepingConstraints")
    void onRandomLogsWithOvercommitment(PolicySpec spec) {
        Fuzz.of(getClass(), POLICIES, spec).overcommitment().seeds(4).run();
    }

    @Test
    void handingOverWithConstraintsAndOvercommitment() {
        everyPolicy().siteLimits().constraints().overcommitment().seeds(30).run();
    }

    @Test
    void handingOverWithSiteLimits() {
        everyPolicy().siteLimits().seeds(30).run();
    }

    @ParameterizedTest
    @MethodSource("specs")
    void onAllShortLogs(PolicySpec spec) {
        Site site = Site.of("site", new ServerBlock(1, Amounts.of(2)), new ServerBlock(1, Amounts.of(3)));
        Cluster cluster = new Cluster(
                List.of(Resource.of("r")),
                List.of(),
                List.of(site),
                List.of(RequestType.of("small", 1), RequestType.of("large", 2)));
        // Shorter ones for values of parameters; the night has long ones for all.
        int length = Integer.getInteger("stowage.length", spec.parameters().isEmpty() ? 3 : 2);
        for (Steps steps : Steps.values()) {
            assertThat(Exhaustive.check(POLICIES, spec, cluster, steps, length, 1))
                    .isGreaterThan(length == 2 ? 10 : 100);
        }
    }
}
