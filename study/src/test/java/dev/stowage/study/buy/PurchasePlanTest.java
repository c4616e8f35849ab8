package dev.stowage.study.buy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Amounts;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.study.load.LoadGrowth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What to buy by year, counted by hand. */
final class PurchasePlanTest {
    @TempDir
    private Path directory;

    /**
     * Ten machines, each as large as a server, on ten servers; twice as many in a year. A server for two costs 5, one
     * for one 3: five of the former, 25. Nothing kept: ten of them, 50. Of the small kind alone ten, 30.
     */
    @Test
    void whatIsThereStaysAndTheCheaperKindIsBought() throws IOException {
        Files.writeString(directory.resolve("vms.csv"), "VM,vCPU,RAM GB\n" + "v,8,64\n".repeat(10));
        ReadExperiment read = ExperimentReader.read(
                "test",
                "{cluster: {servers: {count: 10, cpu: 8, memory: 64 GiB}}, workload: {trace: {file: vms.csv}},"
                        + " policies: [{policy: best-fit, when-full: queue}], size: {target: waited <= 0 %}}",
                directory,
                List.of(),
                new Policies());
        Experiment point = read.points().get(0);
        Offers offers = new Offers(
                List.of("one", "two", "dear"),
                List.of(Amounts.of(8000, 65_536), Amounts.of(16_000, 131_072), Amounts.of(8000, 65_536)),
                List.of(3.0, 5.0, 4.0),
                true,
                "");
        assertThat(offers.worthwhile().names()).containsExactly("one", "two");
        List<String> heard = new ArrayList<>();
        PurchasePlan plan = new PurchasePlan(
                point,
                Objects.requireNonNull(read.size()),
                new Policies(),
                Offers.sites(point, true),
                offers.worthwhile(),
                LoadGrowth.of(1.0),
                1,
                heard::add);
        PurchasePlan.Purchases found = plan.of(point.policies().get(0));
        assertThat(found.steps().get(0).cost()).isZero();
        PurchasePlan.Step last = found.steps().get(1);
        assertThat(last.load()).isEqualTo(2);
        assertThat(last.buy()).containsExactly(0L, 5L);
        assertThat(last.cost()).isEqualTo(25);
        assertThat(last.least()).isEqualTo(25);
        assertThat(found.ways()).extracting(PurchasePlan.Way::cost).containsExactly(25.0, 30.0, 25.0, 50.0);
        assertThat(heard).contains("what every policy needs at least");
    }

    /**
     * Five machines of 8 vCPU, which one server of kind "cpu" (64 vCPU, for 1) holds, and a database on one of "m0"
     * (10): 11. The databases of next year need memory, and the six kinds of most memory for their price are tried; two
     * of these are needed today, 20 or more. What is proven must hold for the kinds that are not tried, too.
     */
    @Test
    void theBoundIsOfAllKindsOnOffer() throws IOException {
        Files.writeString(directory.resolve("vms.csv"), "VM,vCPU,RAM GB\n" + "app,8,1\n".repeat(5) + "db,1,64\n");
        ReadExperiment read = ExperimentReader.read(
                "test",
                "{cluster: {servers: {count: 1, cpu: 1, memory: 1 GiB}}, workload: {trace: {file: vms.csv}},"
                        + " policies: [{policy: best-fit, when-full: queue}], size: {target: waited <= 0 %}}",
                directory,
                List.of(),
                new Policies());
        List<String> names = new ArrayList<>(List.of("cpu"));
        List<Amounts> capacity = new ArrayList<>(List.of(Amounts.of(64_000, 16 * 1024)));
        List<Double> price = new ArrayList<>(List.of(1.0));
        for (int i = 0; i < 7; i++) {
            names.add("m" + i);
            capacity.add(Amounts.of(32_000, (264 + 16 * i) * 1024L));
            price.add(10 + 0.5 * i);
        }
        PurchasePlan plan = new PurchasePlan(
                read.points().get(0),
                Objects.requireNonNull(read.size()),
                new Policies(),
                Offers.sites(read.points().get(0), true),
                new Offers(names, capacity, price, true, ""),
                new LoadGrowth(0, List.of(new LoadGrowth.OfTypes("1 vCPU / 64 GiB", 19))),
                1,
                what -> {});
        assertThat(plan.offers().names()).hasSize(6).doesNotContain("cpu");
        PurchasePlan.Step today =
                plan.of(read.points().get(0).policies().get(0)).steps().get(0);
        assertThat(today.cost()).isGreaterThanOrEqualTo(20);
        assertThat(today.least()).isPositive().isLessThanOrEqualTo(11);
    }

    /**
     * One machine today, two in a year. The cheapest for one year at a time is a server for one, twice: 3 + 3. One for
     * two costs 5: it is bought today, and nothing later. Of four machines that become two, today's four decide: two
     * for two, 10, though the last year alone needs one, for 5, and what is proven does not fall.
     */
    @Test
    void theMixOfTheLastYearIsBoughtWhereItIsCheaper() throws IOException {
        Offers offers = new Offers(
                List.of("one", "two"),
                List.of(Amounts.of(8000, 65_536), Amounts.of(16_000, 131_072)),
                List.of(3.0, 5.0),
                true,
                "");
        PurchasePlan.Purchases grows = purchases("v,8,64\n", offers, 1);
        assertThat(grows.steps()).extracting(PurchasePlan.Step::buy).containsExactly(List.of(0L, 1L), List.of(0L, 0L));
        assertThat(grows.cost()).isEqualTo(5).isEqualTo(grows.least());
        assertThat(grows.eachYear()).isEqualTo(6);
        // Two machines are 2 x 2^.25 = 2.4, so three, after a quarter; the two of today are then too few.
        PurchasePlan.Purchases early = purchases("v,8,64\n".repeat(2), offers.of(List.of(0)), 1);
        assertThat(early.steps()).extracting(PurchasePlan.Step::buy).containsExactly(List.of(2L), List.of(2L));
        assertThat(early.steps()).extracting(PurchasePlan.Step::by).containsExactly(0.0, 0.25);
        PurchasePlan.Purchases shrinks = purchases("v,8,64\n".repeat(4), offers, -0.5);
        assertThat(shrinks.steps())
                .extracting(PurchasePlan.Step::buy)
                .containsExactly(List.of(0L, 2L), List.of(0L, 0L));
        assertThat(shrinks.ways().get(0).cost()).isEqualTo(5);
        assertThat(shrinks.cost()).isEqualTo(10).isEqualTo(shrinks.eachYear()).isEqualTo(shrinks.least());
    }

    /**
     * Ten machines on six servers at one site and ten at another: with either lost the other must hold all, so the
     * first gets two for two each, at 5. At three sites with two servers each any two must hold ten, six more: one
     * of each kind for each site, for 24. What is proven is half of what is missing over the three losses, 15 each, and
     * the next sum of such prices.
     */
    @Test
    void whatIsBoughtForEachSiteIsEnoughWithoutAnyOther() throws IOException {
        Offers offers = new Offers(
                List.of("one", "two"),
                List.of(Amounts.of(8000, 65_536), Amounts.of(16_000, 131_072)),
                List.of(3.0, 5.0),
                true,
                "");
        String each = "cpu: 8, memory: 64 GiB}]}";
        PurchasePlan.Purchases two = purchases(
                "v,8,64\n".repeat(10),
                "sites: [{name: a, servers: [{count: 6, " + each + ", {name: b, servers: [{count: 10, " + each + "]",
                "spare-site: true",
                offers,
                0);
        assertThat(two.steps().get(0).buy()).containsExactly(0L, 2L, 0L, 0L);
        assertThat(two.cost()).isEqualTo(10).isEqualTo(two.least());
        PurchasePlan.Purchases three = purchases(
                "v,8,64\n".repeat(10),
                "sites: ["
                        + List.of("a", "b", "c").stream()
                                .map(name -> "{name: " + name + ", servers: [{count: 2, " + each)
                                .collect(Collectors.joining(", "))
                        + "]",
                "spare-site: true",
                offers,
                0);
        assertThat(three.steps().get(0).buy()).containsExactly(1L, 1L, 1L, 1L, 1L, 1L);
        assertThat(three.cost()).isEqualTo(24);
        assertThat(three.least()).isEqualTo(23);
        assertThat(three.ways())
                .extracting(PurchasePlan.Way::what)
                .containsExactly("the cheapest mix", "only one", "only two", "no present server kept");
    }

    private PurchasePlan.Purchases purchases(String rows, Offers offers, double perYear) throws IOException {
        return purchases(rows, "servers: {count: 1, cpu: 1, memory: 1 GiB}", "spare: 0", offers, perYear);
    }

    private PurchasePlan.Purchases purchases(String rows, String servers, String spare, Offers offers, double perYear)
            throws IOException {
        Files.writeString(directory.resolve("vms.csv"), "VM,vCPU,RAM GB\n" + rows);
        ReadExperiment read = ExperimentReader.read(
                "test",
                "{cluster: {" + servers + "}, workload: {trace: {file: vms.csv}},"
                        + " policies: [{policy: best-fit, when-full: queue}], size: {target: waited <= 0 %, " + spare
                        + "}}",
                directory,
                List.of(),
                new Policies());
        Experiment point = read.points().get(0);
        return new PurchasePlan(
                        point,
                        Objects.requireNonNull(read.size()),
                        new Policies(),
                        Offers.sites(point, true),
                        offers,
                        LoadGrowth.of(perYear),
                        1,
                        what -> {})
                .of(point.policies().get(0));
    }
}
