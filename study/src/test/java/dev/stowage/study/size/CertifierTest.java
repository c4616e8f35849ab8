package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.study.TestExperiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the certificate's whole numbers say is what the bound says; that a program without Java agrees: in cli. */
final class CertifierTest {
    private static final String[] TARGETS = {
        "wait max <= 0 s",
        "wait max <= 3 s",
        "wait p75 <= 2 s",
        "rejected <= 10 %",
        "wait mean <= 1 s",
        "waiting <= 2",
        "wait p75 of acme <= 2 s",
        "rejected of ac <= 0"
    };

    @TempDir
    private Path directory;

    @Test
    void theArithmeticGivesTheBound() throws IOException {
        Random random = new Random(5);
        TreeSet<String> kinds = new TreeSet<>();
        for (int round = 0; round < 150; round++) {
            Experiment point = trace(random, round);
            SizeQuestion question = new SizeQuestion(SizeTarget.parse(TARGETS[round % TARGETS.length]));
            Sizing sizing = new Sizing(point, question, new Policies());
            BoundCertificate certificate = sizing.certificate();
            long bound = sizing.least().get(0);
            if (certificate == null) {
                assertThat(bound).isZero();
                continue;
            }
            assertThat(certificate.serversAtLeast())
                    .as("round %d, %s", round, question)
                    .isEqualTo(bound);
            kinds.add(certificate.evidence().kind());
        }
        assertThat(kinds).containsExactly("amounts", "packed");
    }

    /** Of mixes with prices: the arithmetic gives the cost, but for the rounding that was taken off. */
    @Test
    void theArithmeticGivesTheCost() throws IOException {
        Random random = new Random(6);
        double[] price = {1, 1.7};
        for (int round = 0; round < 40; round++) {
            Experiment point = trace(random, round);
            SizeQuestion question =
                    new SizeQuestion(SizeTarget.parse(round % 2 == 0 ? "rejected <= 0" : "waited <= 20 %"));
            Experiment mixed = TestExperiments.of(
                    "{cluster: {servers: [{count: 1, cpu_milli: 10, mem_mib: 8}, {count: 1, cpu_milli: 20, mem_mib: 12}]},"
                            + " workload: {trace: {file: t" + round + ".csv}}, policies: [first-fit]}",
                    directory);
            PricedSizing sizing = new PricedSizing(mixed, question, new Policies(), price);
            BoundCertificate certificate = Objects.requireNonNull(sizing.certificate());
            BoundCertificate.Arithmetic its = certificate.arithmetic();
            double held = its.worth().subtract(its.leftOut()).doubleValue();
            double cost = Math.min(
                    price[0] * held / its.each().get(0).doubleValue(),
                    price[1] * held / its.each().get(1).doubleValue());
            assertThat(certificate.costAtLeast())
                    .isPositive()
                    .isLessThanOrEqualTo(cost)
                    .isGreaterThan(cost * 0.999);
            assertThat(point.workload().isGiven()).isTrue();
        }
    }

    private Experiment trace(Random random, int round) throws IOException {
        StringBuilder text = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib,type\n");
        int at = 0;
        int jobs = 5 + random.nextInt(60);
        int most = 3 + random.nextInt(7);
        for (int i = 0; i < jobs; i++) {
            at += random.nextInt(3);
            text.append(at + "," + (1 + random.nextInt(20)) + "," + (1 + random.nextInt(most)) + ","
                    + (1 + random.nextInt(8)) + (i % 3 == 0 ? ",other" : ",acme") + "\n");
        }
        Files.writeString(directory.resolve("t" + round + ".csv"), text);
        return TestExperiments.of(
                "{cluster: {servers: {count: 1, cpu_milli: 10, mem_mib: 8}}, workload: {trace: {file: t" + round
                        + ".csv}}, policies: [first-fit]}",
                directory);
    }
}
