package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The engine keeps the laws under policies of every kind. */
class SamplesTest {
    static Stream<PolicySpec> specs() {
        return Stream.of(Samples.specs());
    }

    @ParameterizedTest
    @MethodSource("specs")
    void everySampleKeepsTheLawsOnRandomLogs(PolicySpec spec) {
        Fuzz.of(getClass(), Samples.FACTORY, spec).run();
    }

    @Test
    void policiesReplaceEachOther() {
        Fuzz.of(getClass(), Samples.FACTORY, Samples.specs()).seeds(100).run();
    }

    @ParameterizedTest
    @MethodSource("specs")
    void everySampleKeepsTheLawsOnAllShortLogs(PolicySpec spec) {
        Site site = Site.of("site", new ServerBlock(1, Amounts.of(2)), new ServerBlock(1, Amounts.of(3)));
        Cluster cluster = new Cluster(
                List.of(Resource.of("r")),
                List.of(),
                List.of(site),
                List.of(RequestType.of("small", 1), RequestType.of("large", 2)));
        long sequences = 0;
        for (Steps steps : Steps.values()) {
            sequences += Exhaustive.check(Samples.FACTORY, spec, cluster, steps, 4, 1);
        }
        assertThat(sequences).isGreaterThan(1_000);
    }

    @Test
    void digestsAreTheSameOnEveryJvm() {
        LawDigests.check(
                getClass(),
                specs().map(spec -> Fuzz.of(getClass(), Samples.FACTORY, spec)
                                .handingOverTo(Samples.specs())
                                .digest(20))
                        .toList());
    }
}
