package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import dev.stowage.study.load.LoadGrowth;
import dev.stowage.study.load.MoreLoad;
import dev.stowage.study.load.ResampledWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fleets of several kinds and sites, spares, growth and prices, compared with trying every number. */
final class FleetQuestionsTest {
    private static final PolicySpec FIRST_FIT = PolicySpec.of("first-fit");
    private static final LabelledPolicy LABELLED = new LabelledPolicy("first-fit", FIRST_FIT);

    @TempDir
    private Path directory;

    private int files;

    private ReadExperiment read(String cluster, String size, List<long[]> jobs) throws IOException {
        StringBuilder text = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib\n");
        for (long[] job : jobs) {
            text.append(job[0]).append(',').append(job[1] < 0 ? "" : String.valueOf(job[1]));
            text.append("," + job[2] + "," + job[3] + "\n");
        }
        Path file = Files.writeString(directory.resolve("t" + files++ + ".csv"), text);
        return ExperimentReader.read(
                "test",
                "{cluster: " + cluster + ", workload: {trace: {file: " + file.getFileName()
                        + "}}, policies: [first-fit], size: " + size + "}",
                directory,
                List.of(),
                new Policies());
    }

    private static List<long[]> jobs(long seed, int number) {
        Random random = new Random(seed);
        List<long[]> jobs = new ArrayList<>();
        long at = 0;
        for (int i = 0; i < number; i++) {
            at += random.nextInt(3);
            jobs.add(new long[] {at, 5 + random.nextInt(40), 1 + random.nextInt(9), 1 + random.nextInt(7)});
        }
        return jobs;
    }

    private static Experiment point(ReadExperiment read) {
        return read.points().get(0);
    }

    private static SizeQuestion question(ReadExperiment read) {
        return Objects.requireNonNull(read.size());
    }

    private static long needs(ReadExperiment read) {
        return new Sizing(point(read), question(read), new Policies())
                .need(FIRST_FIT)
                .servers()
                .get(0);
    }

    /**
     * 20 requests that fill a server each: a spare is one more, a tenth in maintenance adds the servers that are away.
     */
    @Test
    void spares() throws IOException {
        List<long[]> jobs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            jobs.add(new long[] {i, 100, 10, 8});
        }
        String cluster = "{servers: {count: 1, cpu_milli: 10, mem_mib: 8}}";
        assertThat(needs(read(cluster, "{target: rejected <= 0}", jobs))).isEqualTo(20);
        ReadExperiment spared = read(cluster, "{target: rejected <= 0, spare: 2}", jobs);
        assertThat(needs(spared)).isEqualTo(22);
        assertThat(new Sizing(point(spared), question(spared), new Policies()).least())
                .containsExactly(22L);
        assertThat(question(spared).phrase()).endsWith(", with 2 servers lost at the worst moment");
        // While 3 of 23 are away the last ones come: without a maintenance 20 do.
        ReadExperiment upkeep = read(cluster, "{target: rejected <= 0, maintenance: {part: 10 %, for: 50 s}}", jobs);
        assertThat(needs(upkeep)).isEqualTo(23);
    }

    /** Kinds of a list that comes again, of one site, with any site lost. */
    @Test
    void severalKindsAndSites() throws IOException {
        List<long[]> jobs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            jobs.add(new long[] {i, 100, 10, 8});
        }
        String ratio = "{sites: [{name: east, servers: {count: 2, cpu_milli: 10, mem_mib: 8}},"
                + " {name: west, servers: {count: 1, cpu_milli: 20, mem_mib: 16}}]}";
        // Two of 10 and one of 20 hold four: five times three servers.
        assertThat(needs(read(ratio, "{target: rejected <= 0}", jobs))).isEqualTo(15);
        // The east keeps its two, so the west needs nine.
        assertThat(needs(read(ratio, "{target: rejected <= 0, site: west}", jobs)))
                .isEqualTo(11);
        // Either site holds half of what there is.
        assertThat(needs(read(ratio, "{target: rejected <= 0, spare-site: true}", jobs)))
                .isEqualTo(30);
    }

    /** The load that servers can take: with one percent more some request is turned away. */
    @Test
    void load() throws IOException {
        ReadExperiment read =
                read("{servers: {count: 12, cpu_milli: 10, mem_mib: 8}}", "{target: rejected <= 2 %}", jobs(3, 900));
        LoadSearch search = new LoadSearch(point(read), question(read), new Policies());
        long percent = search.bears(FIRST_FIT).get(0);
        assertThat(percent).isPositive().isLessThanOrEqualTo(search.most().get(0));
        assertThat(isMet(read, percent, 12)).isTrue();
        assertThat(isMet(read, percent + 1, 12)).isFalse();
    }

    private static boolean isMet(ReadExperiment read, long percent, int servers) {
        Experiment faster = new LoadSearch(point(read), question(read), new Policies()).at(percent);
        ServerFleet fleet = ServerFleet.of(faster.cluster(), "");
        return new Trial(faster, question(read), new Policies(), FIRST_FIT)
                .meets(fleet.at(servers), 1, () -> Requests.of(faster, question(read), fleet, 1, Packing.ANEW));
    }

    /** A plan buys what each quarter needs beyond the present servers. */
    @Test
    void growth() throws IOException {
        ReadExperiment read =
                read("{servers: {count: 12, cpu_milli: 10, mem_mib: 8}}", "{target: rejected <= 2 %}", jobs(3, 900));
        List<GrowthPlan.Step> steps =
                new GrowthPlan(point(read), question(read), new Policies()).of(LABELLED, LoadGrowth.of(1.0), 4, 5);
        assertThat(steps).hasSize(5);
        assertThat(steps.get(4).load()).isEqualTo(2);
        long owned = 5;
        for (GrowthPlan.Step step : steps) {
            owned += step.buy();
            assertThat(owned).isGreaterThanOrEqualTo(step.servers().get(0));
        }
        assertThat(steps.get(0).servers()).containsExactly(needs(read));
    }

    /**
     * Ten requests without an end that fill a server each: at 30 % a year for three years 10 x 2.197 = 21.97, so 22
     * servers; and on 11 servers 110 % of them. What lasts as long as the trace is no different.
     */
    @Test
    void whatStillRunsGrowsToo() throws IOException {
        for (long lasting : new long[] {Trace.UNKNOWN, 5_000, 10}) {
            // All at once and for ever; one after the other and longer than all arrivals take; about as long.
            int apart = lasting == Trace.UNKNOWN ? 0 : 1;
            List<long[]> jobs = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                jobs.add(new long[] {(long) i * apart, lasting, 10, 8});
            }
            ReadExperiment read =
                    read("{servers: {count: 11, cpu_milli: 10, mem_mib: 8}}", "{target: rejected <= 0}", jobs);
            List<GrowthPlan.Step> steps = new GrowthPlan(point(read), question(read), new Policies())
                    .of(LABELLED, LoadGrowth.of(0.3), 12, 11);
            GrowthPlan.Step last = steps.get(12);
            assertThat(last.servers()).containsExactly(22L);
            assertThat(last.bound()).containsExactly(22L);
            assertThat(steps.stream().mapToLong(GrowthPlan.Step::buy).sum()).isEqualTo(11);
            LoadSearch search = new LoadSearch(point(read), question(read), new Policies());
            assertThat(search.most()).containsExactly(110L);
            assertThat(search.bears(FIRST_FIT)).containsExactly(110L);
        }
    }

    /**
     * Both resources grow by at least what is asked, and one of them by no more than the largest request above it. With
     * more load there are none fewer, and of a whole multiple just that.
     */
    @Test
    void moreLoadHasAllOfLess() throws IOException {
        Random random = new Random(7);
        for (int round = 0; round < 30; round++) {
            int types = 1 + random.nextInt(6);
            List<long[]> jobs = new ArrayList<>();
            for (int i = 1 + random.nextInt(40); i > 0; i--) {
                long size = 1L << random.nextInt(types);
                jobs.add(new long[] {0, Trace.UNKNOWN, size, random.nextInt(4) == 0 ? 16 * size : size});
            }
            ReadExperiment read =
                    read("{servers: {count: 1, cpu_milli: 99, mem_mib: 999}}", "{target: rejected <= 0}", jobs);
            Workload workload = point(read).workload();
            long[] today = counts(workload);
            long[] before = new long[today.length];
            for (double times = 0.05; times < 3.01; times += 0.05) {
                long[] now = counts(MoreLoad.of(workload).times(times, workload));
                boolean needed = false;
                for (int r = 0; r < 2; r++) {
                    int resource = r;
                    double over = sum(workload, now, r) - times * sum(workload, today, r);
                    assertThat(over).isGreaterThan(-1e-6);
                    needed |= over
                            < IntStream.range(0, now.length)
                                    .mapToLong(type -> workload.typeDemand(type, resource))
                                    .max()
                                    .orElseThrow();
                }
                assertThat(needed).as("whether the last copy is needed").isTrue();
                for (int type = 0; type < now.length; type++) {
                    assertThat(now[type]).isGreaterThanOrEqualTo(before[type]);
                    if (Math.abs(times - Math.rint(times)) < 1e-6) {
                        assertThat(now[type]).isEqualTo(Math.round(times) * today[type]);
                    }
                }
                before = now;
            }
        }
    }

    private static double sum(Workload workload, long[] count, int resource) {
        return IntStream.range(0, count.length)
                .mapToDouble(type -> (double) count[type] * workload.typeDemand(type, resource))
                .sum();
    }

    /** Of three types 5, 3 and 2 requests of 1, 2 and 3: 1.5 times 17 are 25.5, of each type about as many. */
    @Test
    void copiesAreEvenAmongTypes() throws IOException {
        List<long[]> jobs = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            jobs.add(new long[] {0, Trace.UNKNOWN, i % 2 == 0 ? 1 : i % 3 == 0 ? 3 : 2, 1});
        }
        ReadExperiment read = read("{servers: {count: 1, cpu_milli: 10, mem_mib: 8}}", "{target: rejected <= 0}", jobs);
        Workload workload = point(read).workload();
        long[] count = counts(MoreLoad.of(workload).times(1.5, workload));
        assertThat(sum(workload, count, 0)).isBetween(26.0, 27.0);
        assertThat(count[0]).isEqualTo(3L);
        assertThat(count[1]).isBetween(7L, 8L);
        assertThat(count[2]).isBetween(4L, 5L);
        // Of two that grow by 60 % a year there are 3.2, so 4; the others stay.
        LoadGrowth unlike = new LoadGrowth(
                0, List.of(new LoadGrowth.OfTypes(workload.types().get(0), 0.6)));
        assertThat(counts(MoreLoad.of(workload).after(1, unlike, workload))).containsExactly(4, 5, 3);
        // Those that come and go, one by one, come faster instead.
        assertThat(MoreLoad.of(point(read(
                                "{servers: {count: 1, cpu_milli: 10, mem_mib: 8}}",
                                "{target: rejected <= 0}",
                                jobs(3, 900)))
                        .workload()))
                .isEqualTo(new MoreLoad(0, 0, 0));
    }

    /** Of 101 s, one second each, 11 s are 9.8 % of the time that all run; 11 and 20 s are 23 %. */
    @Test
    void theReasonsThatHold() throws IOException {
        List<long[]> jobs = new ArrayList<>();
        for (int i = 0; i <= 100; i++) {
            jobs.add(new long[] {i, 1, 10, 8});
        }
        jobs.add(new long[] {5, 11, 10, 8});
        String few = more(jobs).sentence(LoadGrowth.of(0), false);
        assertThat(few).isEqualTo("Load is requests per hour: arrival times are divided, durations stay.");
        jobs.add(new long[] {6, 20, 10, 8});
        assertThat(more(jobs).sentence(LoadGrowth.of(0), false))
                .contains("because 2, with 23 % of the time that all run, have no end")
                .doesNotContain("from the start");
        jobs.replaceAll(job -> new long[] {job[0], 1, 10, 8});
        jobs.add(new long[] {0, 1, 10, 8});
        jobs.add(new long[] {0, 1, 10, 8});
        assertThat(more(jobs).sentence(LoadGrowth.of(0), false))
                .contains("because 3 requests are there from the start.");
    }

    private MoreLoad more(List<long[]> jobs) throws IOException {
        return MoreLoad.of(
                point(read("{servers: {count: 1, cpu_milli: 10, mem_mib: 8}}", "{target: rejected <= 0}", jobs))
                        .workload());
    }

    private static long[] counts(Workload workload) {
        long[] count = new long[workload.types().size()];
        RequestStream stream = workload.open(0);
        while (stream.next()) {
            count[stream.type()]++;
        }
        return count;
    }

    /** The mix found is the cheapest of all small ones, and never below the bound. */
    @Test
    void prices() throws IOException {
        int best = 0;
        for (int round = 0; round < 12; round++) {
            ReadExperiment read = read(
                    "{servers: [{count: 1, cpu_milli: 10, mem_mib: 8}, {count: 1, cpu_milli: 22, mem_mib: 14}]}",
                    "{target: rejected <= 5 %}",
                    jobs(round, 60));
            double[] price = {1, 1.7 + 0.05 * round};
            PricedSizing sizing = new PricedSizing(point(read), question(read), new Policies(), price);
            PricedSizing.Cheapest found = sizing.cheapest(FIRST_FIT);
            assertThat(sizing.least().atLeast()).isLessThanOrEqualTo(found.cost());
            double cheapest = cheapest(read, price);
            assertThat(found.cost()).isGreaterThanOrEqualTo(cheapest);
            assertThat(found.cost()).isLessThanOrEqualTo(1.1 * cheapest);
            assertThat(found.tried()).containsEntry(found.servers(), true);
            best += found.cost() == cheapest ? 1 : 0;
        }
        assertThat(best).as("mixes that are the cheapest of all").isGreaterThanOrEqualTo(9);
    }

    /**
     * Fourteen that fill half a small server or a quarter of a large one, three small ones that stay. One may be lost:
     * n small ones hold 2 (n - 1), so five more for 5 x 9; three large ones hold 6 and 2 x 4, for 3 x 16; one or two
     * large ones with small ones cost 52 and 50. Nothing costs less than 45, and that is proven.
     */
    @Test
    void pricesBesideWhatStays() throws IOException {
        List<long[]> jobs = new ArrayList<>();
        for (int i = 0; i < 14; i++) {
            jobs.add(new long[] {0, -1, 8, 64});
        }
        String kinds = "{servers: [{count: 3, cpu_milli: 16, mem_mib: 128}, {count: 1, cpu_milli: 16, mem_mib: 128},"
                + " {count: 1, cpu_milli: 32, mem_mib: 256}]}";
        ReadExperiment read = read(kinds, "{target: waited <= 0 %, spare: 1}", jobs);
        PricedSizing sizing = new PricedSizing(point(read), question(read), new Policies(), new double[] {0, 9, 16});
        PricedSizing.Cheapest found = sizing.cheapest(FIRST_FIT);
        assertThat(found.servers()).containsExactly(5L, 0L);
        assertThat(found.cost()).isEqualTo(45);
        assertThat(sizing.leastToBuy()).isEqualTo(45);
        // Of one kind alone what is found is proven.
        String small = "{servers: [{count: 3, cpu_milli: 16, mem_mib: 128}, {count: 1, cpu_milli: 16, mem_mib: 128}]}";
        ReadExperiment alone = read(small, "{target: waited <= 0 %, spare: 1}", jobs);
        assertThat(new PricedSizing(point(alone), question(alone), new Policies(), new double[] {0, 9}).leastToBuy())
                .isEqualTo(45);
        // Eight small ones that stay are enough.
        ReadExperiment enough = read(kinds.replace("count: 3", "count: 8"), "{target: waited <= 0 %, spare: 1}", jobs);
        PricedSizing none = new PricedSizing(point(enough), question(enough), new Policies(), new double[] {0, 9, 16});
        assertThat(none.cheapest(FIRST_FIT).servers()).containsExactly(0L, 0L);
        assertThat(none.leastToBuy()).isZero();
    }

    /** Ten hosts' worth of each of two types, of which one doubles each year: 30 hosts, then 50. */
    @Test
    void someTypesGrowOtherwise() throws IOException {
        StringBuilder text = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib,type\n");
        for (int i = 0; i < 20; i++) {
            text.append("0,,10,8," + (i % 2 == 0 ? "databases" : "web servers") + "\n");
        }
        Files.writeString(directory.resolve("types.csv"), text);
        ReadExperiment read = ExperimentReader.read(
                "test",
                "{cluster: {servers: {count: 20, cpu_milli: 10, mem_mib: 8}}, workload: {trace: {file: types.csv}},"
                        + " policies: [first-fit], size: {target: waited <= 0 %}}",
                directory,
                List.of(),
                new Policies());
        LoadGrowth growth = new LoadGrowth(0, List.of(new LoadGrowth.OfTypes("databases", 1.0)));
        List<GrowthPlan.Step> steps =
                new GrowthPlan(point(read), question(read), new Policies()).of(LABELLED, growth, 8, 20);
        assertThat(steps.get(0).servers()).containsExactly(20L);
        assertThat(steps.get(8).servers()).containsExactly(50L);
        assertThat(steps.get(4).bound()).containsExactly(30L);
        assertThat(steps.get(8).load()).isEqualTo(1);
    }

    /** Those that stay have memory to spare, so that cores alone say what to buy: two more of five. */
    @Test
    void whatStaysHasMoreOfOneResource() throws IOException {
        List<long[]> jobs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            jobs.add(new long[] {0, 100, 10, 8});
        }
        String kinds = "{servers: [{count: 3, cpu_milli: 10, mem_mib: 80}, {count: 1, cpu_milli: 10, mem_mib: 8},"
                + " {count: 1, cpu_milli: 20, mem_mib: 64}]}";
        ReadExperiment read = read(kinds, "{target: waited <= 0 %}", jobs);
        PricedSizing sizing = new PricedSizing(point(read), question(read), new Policies(), new double[] {0, 9, 30});
        assertThat(sizing.leastToBuy()).isEqualTo(18);
        assertThat(sizing.cheapest(FIRST_FIT).servers()).containsExactly(2L, 0L);
    }

    /** Twenty at once that fill a small server each, or half a large one: a large one to spare, whichever is lost. */
    @Test
    void pricesWithASpare() throws IOException {
        List<long[]> jobs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            jobs.add(new long[] {i, 100, 10, 8});
        }
        String kinds = "{servers: [{count: 1, cpu_milli: 10, mem_mib: 8}, {count: 1, cpu_milli: 20, mem_mib: 16}]}";
        double[] price = {1, 1.5};
        for (int spare = 0; spare <= 2; spare++) {
            ReadExperiment read = read(kinds, "{target: rejected <= 0, spare: " + spare + "}", jobs);
            PricedSizing.Cheapest found =
                    new PricedSizing(point(read), question(read), new Policies(), price).cheapest(FIRST_FIT);
            assertThat(found.servers()).containsExactly(0L, 10L + spare);
        }
        // Small ones are cheaper now, but a large one that is lost takes two with it.
        double[] dear = {1, 2.5};
        ReadExperiment read = read(kinds, "{target: rejected <= 0, spare: 1}", jobs);
        assertThat(new PricedSizing(point(read), question(read), new Policies(), dear)
                        .cheapest(FIRST_FIT)
                        .servers())
                .containsExactly(21L, 0L);
    }

    private static double cheapest(ReadExperiment read, double[] price) {
        TreeMap<Double, Boolean> met = new TreeMap<>();
        ServerFleet fleet = ServerFleet.of(point(read).cluster(), "");
        Requests requests = Requests.of(point(read), question(read), fleet, 1, Packing.ANEW);
        Trial trial = new Trial(point(read), question(read), new Policies(), FIRST_FIT);
        for (int a = 0; a < 40; a++) {
            for (int b = 0; b < 20; b++) {
                double cost = a * price[0] + b * price[1];
                if (a + b > 0 && (met.isEmpty() || cost < met.firstKey())) {
                    var cluster = ServerFleet.with(point(read).cluster(), new long[] {a, b});
                    if (trial.meets(cluster, 1, () -> requests)) {
                        met.put(cost, true);
                    }
                }
            }
        }
        return met.firstKey();
    }

    /** Blocks of a trace keep their content; every block comes from the trace, and a seed gives the same trace. */
    @Test
    void resampled() throws IOException {
        List<long[]> jobs = jobs(9, 400);
        ReadExperiment read =
                read("{servers: {count: 12, cpu_milli: 10, mem_mib: 8}}", "{target: rejected <= 2 %}", jobs);
        Experiment drawn = ResampledWorkload.of(point(read), 5, 50_000_000_000L);
        assertThat(drawn.replications()).isEqualTo(5);
        assertThat(drawn.workload().isGiven()).isFalse();
        assertThat(drawn.workload().endNanos()).isLessThanOrEqualTo(jobs.get(399)[0] * 1_000_000_000L);
        List<String> first = blocks(drawn, 7);
        assertThat(first).isEqualTo(blocks(drawn, 7)).isNotEqualTo(blocks(drawn, 8));
        assertThat(blocks(point(read), 1)).containsAll(first);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResampledWorkload.of(point(read), 5, 300_000_000_000L))
                .withMessageContaining("less than two blocks");
    }

    /** The requests of each block of 50 s, by time within the block. */
    private static List<String> blocks(Experiment experiment, long seed) {
        TreeMap<Long, StringBuilder> blocks = new TreeMap<>();
        RequestStream stream = experiment.workload().open(seed);
        while (stream.next()) {
            long second = stream.arrivalNanos() / 1_000_000_000L;
            blocks.computeIfAbsent(second / 50, key -> new StringBuilder())
                    .append(second % 50 + ":" + stream.demand(0) + "/" + stream.workNanos() + " ");
        }
        return blocks.values().stream().map(StringBuilder::toString).toList();
    }

    @Test
    void hours() throws IOException {
        // Two at a time on a server, one server; then one.
        List<long[]> jobs =
                List.of(new long[] {0, 3600, 5, 4}, new long[] {1800, 3600, 5, 4}, new long[] {7200, 10, 5, 4});
        ReadExperiment read = read("{servers: {count: 1, cpu_milli: 10, mem_mib: 8}}", "{target: rejected <= 0}", jobs);
        SizedRuns.Hours hours = Objects.requireNonNull(
                new Sizing(point(read), question(read), new Policies()).runs().hours(FIRST_FIT, 2));
        assertThat(hours.least()).isEqualTo(1.5);
        assertThat(hours.occupied()).isEqualTo(1.5);
    }

    /** Beside a 6 of 10 CPU and a 2 of 8 memory, no second one has room, on either server. */
    @Test
    void stranded() throws IOException {
        List<long[]> jobs = List.of(new long[] {0, 7200, 6, 2}, new long[] {3600, 10, 6, 2});
        ReadExperiment read = read("{servers: {count: 1, cpu_milli: 10, mem_mib: 8}}", "{target: rejected <= 0}", jobs);
        SizedRuns.Hours hours = Objects.requireNonNull(
                new Sizing(point(read), question(read), new Policies()).runs().hours(FIRST_FIT, 2));
        assertThat(hours.stranded()).containsExactly(Map.entry("cpu_milli", .4), Map.entry("mem_mib", .75));
    }

    @Test
    void onlyWhatCanBeMissed() {
        assertThat(SizeTarget.parse("rejected <= 1 % and wait p99 <= 1 min").waitsForEver())
                .isTrue();
    }
}
