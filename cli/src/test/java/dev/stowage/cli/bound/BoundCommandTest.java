package dev.stowage.cli.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BoundCommandTest {
    /** Two servers of 10, sizes 4 and 6 equally often: one of each to a server, so 4 requests are the maximum. */
    private static final String TOY = """
            name: toy
            cluster: {servers: {count: 2, size_units: 10}}
            workload:
              types:
                - {name: small, rate: 1 / s, demand: {size_units: 4}, service: {exponential: 1 s}}
                - {name: large, rate: 0.5 / s, demand: {size_units: 6}, service: {exponential: 2 s}}
            policies: [first-fit]
            horizon: 100 s
            """;

    @TempDir
    private Path directory;

    @Test
    void aLoadHandComputed() throws IOException {
        Program program = Program.run("bound", file(TOY));
        assertThat(program.code()).isZero();
        assertThat(program.out())
                .contains("0.5000", "supportable", "size_units: 50.0 % of the capacity")
                .contains("100.0 %  1 x 4 units size + 1 x 6 units size")
                .contains("bf-js supports at least 0.500");
        JsonNode bound = json(file(TOY)).get(0);
        assertThat(bound.get("requestsInService").asDouble()).isEqualTo(2);
        assertThat(bound.get("growthAtLeast").asDouble()).isCloseTo(2, within(1e-8));
        assertThat(bound.get("growthAtMost").asDouble()).isCloseTo(2, within(1e-8));
        assertThat(bound.get("verdict").asText()).isEqualTo("supportable");
    }

    /**
     * One server of 4, load 8 of small (size 1, reward 1) and 0.5 of large (size 3, reward 4). Greedy: one of each pays
     * 5, large runs out at 0.5 servers: 2.5; then 0.5 servers with four small: 2. In total 4.5. The optimum is the
     * same: large pays more for its size.
     */
    @Test
    void rewardHandComputed() throws IOException {
        String paying = TOY.replace("count: 2, size_units: 10", "count: 1, size_units: 4")
                .replace("rate: 1 / s, demand: {size_units: 4}", "reward: 1 / s, rate: 8 / s, demand: {size_units: 1}")
                .replace(
                        "rate: 0.5 / s, demand: {size_units: 6}",
                        "reward: 4 / s, rate: 0.25 / s, demand: {size_units: 3}");
        JsonNode reward = json(file(paying)).get(0).get("reward");
        assertThat(reward.get("atLeast").asDouble()).isCloseTo(4.5, within(1e-8));
        assertThat(reward.get("atMost").asDouble()).isCloseTo(4.5, within(1e-8));
        assertThat(reward.get("greedy").asDouble()).isCloseTo(4.5, within(1e-8));
        assertThat(Program.run("bound", file(paying)).out())
                .contains("greatest reward per second", "4.5000000", "1.0000")
                .contains("0.500000  1 x small + 1 x large", "0.500000  4 x small");
        assertThat(json(file(TOY)).get(0).get("reward").isNull()).isTrue();
    }

    /** Two servers carry the load twice over; with one of them lost for good it is just the maximum. */
    @Test
    void noConclusionWhereServersChangeForGood() throws IOException {
        String lost = TOY + "server-changes:\n  - {at: 10 s, lose: {count: 1}}\n";
        String back = lost + "  - {at: 20 s, return: {count: 1}}\n";
        assertThat(Program.run("bound", file(lost)).out().replaceAll("\\s+", " "))
                .startsWith(
                        "The load is 0.5000 times the greatest load that any policy can support on the servers at the"
                                + " start. The servers change for good, so this does not say whether some policy can support");
        assertThat(json(file(lost)).get(0).get("verdict").asText()).isEqualTo("unknown");
        assertThat(json(file(back)).get(0).get("verdict").asText()).isEqualTo("supportable");
        Program run = Program.run(
                "run",
                file(lost),
                "--no-report",
                "--out",
                directory.resolve("o").toString());
        assertThat(run.out()).doesNotContain("load / maximum");
        assertThat(run.err().replaceAll("\\s+", " "))
                .contains("No ratio of load to maximum supportable load: the servers change for good");
    }

    /** Two sites of a server each: one of them is away for a while, and the load is 1.5 of what the other carries. */
    @Test
    void periodsInWhichNoPolicyKeepsUpAreSaidFirst() throws IOException {
        String sites = TOY.replace(
                                "cluster: {servers: {count: 2, size_units: 10}}",
                                "cluster: {sites: [{name: a, servers: {count: 1, size_units: 10}},"
                                        + " {name: b, servers: {count: 1, size_units: 10}}]}")
                        .replace("rate: 0.5 / s", "rate: 0.75 / s")
                        .replace("rate: 1 / s", "rate: 1.5 / s")
                + "server-changes:\n  - {at: 10 s, drain: {site: a}}\n  - {at: 20 s, return: {site: a}}\n";
        assertThat(Program.run("bound", file(sites)).out().replaceAll("\\s+", " "))
                .startsWith("The load is 0.7500 times the greatest load that any policy can support, so some policy can"
                        + " support it. In 1 of 3 periods no policy can keep up (rho above 1, or no server up).");
    }

    @Test
    void verdicts() throws IOException {
        // 3 small and 3 large in the mean: half as much again as fits.
        JsonNode much =
                json(file(TOY), "--set", "workload.arrivals.traffic-scaling=3").get(0);
        assertThat(much.get("loadOfBoundAtLeast").asDouble()).isCloseTo(1.5, within(1e-8));
        assertThat(much.get("verdict").asText()).isEqualTo("unsupportable");
        JsonNode full =
                json(file(TOY), "--set", "workload.arrivals.traffic-scaling=2").get(0);
        assertThat(full.get("verdict").asText()).isEqualTo("at the bound");
    }

    /** Uniform in [0.1, 0.9]: x goes with 1 - x, so the load over the maximum is alpha. */
    @Test
    void aDistributionOfSizes() throws IOException {
        for (JsonNode bound : json("slotted-uniform", "--tolerance", "0.02")) {
            double alpha = bound.get("point").get("alpha").asDouble();
            assertThat(bound.get("loadOfBoundAtLeast").asDouble()).isLessThanOrEqualTo(alpha);
            assertThat(bound.get("loadOfBoundAtMost").asDouble()).isBetween(alpha, alpha * 1.021);
        }
    }

    /**
     * A grid of 1,000 steps ends the refinement of sizes from .01 to .19 above .1 %: it is reported, with the reason.
     */
    @Test
    void aToleranceThatIsNotMetIsTold() throws IOException {
        String uniform = """
                name: small
                time: {slot: 1 s}
                cluster: {servers: {count: 5, size_ppm: 1000000}}
                workload:
                  types:
                    - name: job
                      rate: 0.45 / slot
                      demand: {size_ppm: {uniform: {from: 0.01, to: 0.19}, scale: 1000000}}
                      service: {geometric: 100 slots}
                policies: [vqs]
                horizon: 1000 slots
                """;
        String text =
                Program.run("bound", file(uniform), "--tolerance", "0.001").out();
        assertThat(text)
                .containsPattern("0\\.[89]\\d{3} to 0\\.9\\d{3}")
                .containsPattern("tolerance not met: the bounds are [01]\\.\\d+ % apart, not 0\\.100 %")
                .contains("1000 steps of the largest server");
        assertThat(Program.run("bound", file(uniform), "--tolerance", "2 %").out())
                .doesNotContain("tolerance not met");
    }

    /** Wrong: some policy was said to support a load of which half fits no server. */
    @Test
    void whatFitsNoServerIsSaidFirst() throws IOException {
        Path rows = directory.resolve("rows.csv");
        Files.writeString(
                rows,
                "arrival_s,duration_s,cpu_milli,mem_mib\n0,1000,6000,1000\n0,1000,6000,1000\n100,1000,5000,1000\n"
                        + "200,1000,4000,9000\n");
        assertThat(Program.run("bound", rows.toString(), "--servers", "3 x 5 cores, 16 GiB")
                        .out()
                        .replaceAll("\\s+", " "))
                .startsWith("80.0 % of the load fits no server, is rejected and left out. The rest is ");
    }

    @Test
    void whatFitsNoServer() throws IOException {
        Program type = Program.run("bound", file(TOY.replace("size_units: 6", "size_units: 11")));
        assertThat(type.code()).isEqualTo(2);
        assertThat(type.err()).contains("workload.types[1].demand: fits no server");
        // 6 to 15, each a tenth: those up to 10 come one to a server, 0.5 of them; the simulator refuses the other
        // half.
        Program drawn = Program.run(
                "bound",
                file(TOY.replace(
                                "demand: {size_units: 6}",
                                "demand: {size_units: {uniform: {from: 5.5, to: 15.5}, scale: 1}}")
                        .replace("rate: 1 / s", "rate: 0 / s")));
        assertThat(drawn.code()).as(drawn.err()).isZero();
        assertThat(drawn.out())
                .containsPattern("0\\.2500|0\\.24\\d\\d to 0\\.25\\d\\d")
                .contains("0.500 of the requests are larger than every server");
    }

    /**
     * Two requests of a trace of 100 s: 40 s and, cut at the window's end, 50 s: 0.9 of one server that holds one at
     * once.
     */
    @Test
    void aTrace() throws IOException {
        Path trace = Files.writeString(
                directory.resolve("t.csv"),
                "arrival_s,duration_s,cpu_milli,mem_mib\n0,40,1000,1024\n50,500,1000,1024\n100,1,1000,1024\n");
        String experiment = file("""
                name: trace
                cluster: {servers: {count: 1, cpu_milli: 1500, mem_mib: 4096}}
                workload: {trace: {file: %s}}
                policies: [first-fit]
                """.formatted(trace));
        JsonNode bound = json(experiment).get(0);
        assertThat(bound.get("requestsInService").asDouble()).isCloseTo(.9, within(1e-9));
        assertThat(bound.get("loadOfBoundAtMost").asDouble()).isCloseTo(.9, within(1e-8));
    }

    @Test
    void pointsOfASweepAsCsv() {
        List<String> lines = Program.run("bound", "sweep-load", "--format", "csv")
                .out()
                .lines()
                .toList();
        assertThat(lines).hasSize(7);
        assertThat(lines.get(0)).startsWith("point,from_s,requests_in_service,load_of_bound_at_least");
        assertThat(lines.get(4)).startsWith("load=1,").contains(",supportable,");
    }

    /** A run has the load in its table and summaries, or says why not. */
    @Test
    void besideTheResultsOfARun() throws IOException {
        Path out = directory.resolve("out");
        Program run = Program.run("run", file(TOY), "--no-report", "--out", out.toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("For every policy: load / maximum 50 %");
        assertThat(Files.readString(out.resolve("results.jsonl"))).contains("\"load_of_bound\":{\"mean\":0.5,");
        Program divisible = Program.run(
                "bound", file(TOY.replace("cluster: {servers:", "cluster: {divisible: size_units, servers:")));
        assertThat(divisible.out().replaceAll("\\s+", " "))
                .as(divisible.err())
                .contains("divisible resource: it has no fixed load");
    }

    /**
     * One server of 2 places. Ones pay 1, of which two are there from 0 to 60 s; a two that pays 3 from 30 to 90 s. In
     * windows of 30 s the load is (2, 0), (2, 1), (0, 1), and at most 2, 3 and 3 can be earned. In one window the mean
     * load is (4/3, 2/3): two thirds of a two and a third of the server for ones is 2 + 2/3 = 8/3, as much as the mean
     * of the three.
     */
    @Test
    void greatestRewardInWindows() throws IOException {
        Path trace = Files.writeString(
                directory.resolve("w.csv"),
                "arrival_s,duration_s,cpu_milli,mem_mib\n0,60,1000,1000\n0,60,1000,1000\n30,60,2000,4000\n90,1,1000,1000\n");
        String experiment = file("""
                name: windows
                cluster: {servers: {count: 1, cpu_milli: 2000, mem_mib: 4000}}
                workload: {trace: {file: %s}, prices: {cpu: 0.5 / s, memory: 0.512 / s}}
                policies: [first-fit]
                """.formatted(trace));
        // A one pays 0.5 + 0.5 per second; a two pays 1 + 2.
        JsonNode windows = json(experiment, "--windows", "3").get(0).get("windows");
        assertThat(windows).hasSize(3);
        double[] greatest = {2, 3, 3};
        double[] present = {2, 3, 1};
        for (int w = 0; w < 3; w++) {
            assertThat(windows.get(w).get("atMost").asDouble()).isCloseTo(greatest[w], within(0.004));
            assertThat(windows.get(w).get("requests").asDouble()).isCloseTo(present[w], within(1e-9));
        }
        JsonNode whole =
                json(experiment, "--windows", "1").get(0).get("windows").get(0);
        assertThat(whole.get("atMost").asDouble()).isBetween(8 / 3.0 - 1e-9, 8 / 3.0 * 1.002);
        Program table = Program.run("bound", experiment, "--windows", "3");
        assertThat(table.out()).contains("greatest reward per second").contains("Mean over the run: at most 2.66");

        Path out = directory.resolve("run");
        assertThat(Program.run("run", experiment, "--no-report", "--out", out.toString())
                        .code())
                .isZero();
        // Two ones, then nothing while the two would fit: 2 for 60 of 90 s, half of what is possible.
        assertThat(Files.readString(out.resolve("results.jsonl")))
                .contains("\"name\":\"reward_bound\"")
                .containsPattern("\"reward_of_bound\":\\{\"mean\":0\\.(5|49)");
    }

    @Test
    void windowsWithoutABound() throws IOException {
        Program free = Program.run("bound", file(TOY), "--windows", "4");
        assertThat(free.code()).isEqualTo(2);
        assertThat(free.err()).contains("no bound for windows: no request has a reward");
        assertThat(Program.run("bound", file(TOY), "--windows", "-1").err())
                .contains("--windows -1 must be from 1 to 1000");
    }

    /**
     * One small and one large fill a server: rho is 1/3 with three servers, 1/2 when site b is in maintenance from 50 s
     * on. A small one takes 1 of 4 units of its site's disk.
     */
    @Test
    void routingHandComputed() throws IOException {
        String sites = TOY.replace("size_units: 4}", "size_units: 4, disk_units: 1}")
                        .replace(
                                "cluster: {servers: {count: 2, size_units: 10}}",
                                "cluster: {sites: [{name: a, servers: {count: 2, size_units: 10}, pooled: {disk_units:"
                                        + " 4}},"
                                        + " {name: b, servers: {count: 1, size_units: 10}, pooled: {disk_units: 4}}]}")
                + "server-changes: [{at: 50 s, drain: {site: b}}]\n";
        JsonNode periods = json(file(sites)).get(0).get("routing");
        assertThat(periods).hasSize(2);
        assertThat(periods.get(0).get("rhoAtLeast").asDouble()).isCloseTo(1.0 / 3, within(1e-8));
        assertThat(periods.get(0).get("rhoAtMost").asDouble()).isCloseTo(1.0 / 3, within(1e-8));
        assertThat(periods.get(1).get("fromSeconds").asDouble()).isEqualTo(50);
        assertThat(periods.get(1).get("rhoAtMost").asDouble()).isCloseTo(0.5, within(1e-8));
        JsonNode blocks = periods.get(0).get("blocks");
        double small = 0;
        for (JsonNode block : blocks) {
            assertThat(block.get("ofServers").asDouble()).isCloseTo(1.0 / 3, within(1e-8));
            small += block.get("routed").get("small").asDouble();
        }
        assertThat(small).isCloseTo(1, within(1e-8));
        assertThat(periods.get(0).get("pools").get(1).get("ofCapacity").asDouble())
                .isCloseTo(blocks.get(1).get("routed").get("small").asDouble() / 4, within(1e-8));
        assertThat(Program.run("bound", file(sites)).out().replaceAll(" +", " "))
                .contains("0.333333", "0.500000", "33.33 %", "b 33.3 % 1 x small + 1 x large");
        assertThat(json(file(TOY)).get(0).get("routing")).isEmpty();
    }

    /**
     * With no server up, or no server that could hold a type, there is no bound for a while, and the reason says why.
     */
    @Test
    void routingWhereNothingIsUp() throws IOException {
        String sites = TOY.replace(
                        "cluster: {servers: {count: 2, size_units: 10}}",
                        "cluster: {sites: [{name: a, servers: {count: 1, size_units: 10}},"
                                + " {name: b, servers: {count: 1, size_units: 5}}]}")
                + "server-changes: [{at: 50 s, drain: {site: a}}, {at: 60 s, drain: {site: b}}, {at: 70 s, return:"
                + " {site: a}}]\n";
        JsonNode periods = json(file(sites)).get(0).get("routing");
        assertThat(periods).hasSize(4);
        assertThat(periods.get(1).get("reason").asText()).isEqualTo("large: no server that is up could hold one");
        assertThat(periods.get(2).get("reason").asText()).isEqualTo("no server is up");
        assertThat(periods.get(3).get("rhoAtMost").asDouble()).isCloseTo(1, within(1e-8));
        assertThat(Program.run("bound", file(sites)).out()).contains("no server is up");
    }

    /** Two sites of one server that holds one at once; 40 of the first 50 s, all of the second 50 s. */
    @Test
    void routingOfATraceInWindows() throws IOException {
        Path trace = Files.writeString(
                directory.resolve("t.csv"),
                "arrival_s,duration_s,cpu_milli,mem_mib\n0,40,1000,1024\n50,500,1000,1024\n100,1,1000,1024\n");
        String experiment = file("""
                name: trace
                cluster:
                  sites:
                    - {name: a, servers: {count: 1, cpu_milli: 1500, mem_mib: 4096}}
                    - {name: b, servers: {count: 1, cpu_milli: 1500, mem_mib: 4096}}
                workload: {trace: {file: %s}}
                policies: [first-fit]
                """.formatted(trace));
        JsonNode windows = json(experiment, "--routing-windows", "2").get(0).get("routing");
        assertThat(windows).hasSize(2);
        assertThat(windows.get(0).get("rhoAtMost").asDouble()).isCloseTo(.4, within(1e-8));
        assertThat(windows.get(1).get("rhoAtMost").asDouble()).isCloseTo(.5, within(1e-8));
        assertThat(json(experiment)
                        .get(0)
                        .get("routing")
                        .get(0)
                        .get("rhoAtMost")
                        .asDouble())
                .isCloseTo(.45, within(1e-8));
        assertThat(Program.run("bound", experiment, "--routing-windows", "1001").err())
                .contains("--routing-windows 1001 must be from 1 to 1000");
    }

    /** In the 10 s until the last arrival 6 s of one core are asked for, of two cores: 0.3. */
    @Test
    void ofATableOfOnesOwn(@TempDir Path directory) throws IOException {
        Path table = directory.resolve("jobs.csv");
        Files.writeString(table, "queued_at;took_s;n\n0;6;1\n10;6;1\n");
        Program program = Program.run(
                "bound",
                "--trace",
                table.toString(),
                "--columns",
                "arrival=queued_at,duration=took_s,cpu=n:cores",
                "--servers",
                "2 x 1 cores",
                "--format",
                "json");
        assertThat(program.code()).as(program.err()).isZero();
        assertThat(program.out()).contains("0.3");
    }

    @Test
    void badUsage() {
        assertThat(Program.run("bound", "--windows", "0").err()).contains("--windows 0 must be from 1 to 1000");
        assertThat(Program.run("bound", "--trace", "none.csv").err()).contains("none.csv: no such file");
        assertThat(Program.run("bound", "nope.yaml").code()).isEqualTo(2);
        Program tolerance = Program.run("bound", "quickstart", "--tolerance", "0");
        assertThat(tolerance.code()).isEqualTo(2);
        assertThat(tolerance.err()).contains("--tolerance '0' must be from 0.0001 % to below 100 %");
        assertThat(Program.run("bound", "quickstart", "--tolerance", "narrow").err())
                .contains("--tolerance 'narrow' must be");
    }

    private static JsonNode json(String experiment, String... options) throws IOException {
        String[] arguments = new String[options.length + 4];
        arguments[0] = "bound";
        arguments[1] = experiment;
        arguments[2] = "--format";
        arguments[3] = "json";
        System.arraycopy(options, 0, arguments, 4, options.length);
        Program program = Program.run(arguments);
        assertThat(program.code()).as(program.err()).isZero();
        return new ObjectMapper().readTree(program.out());
    }

    private String file(String text) throws IOException {
        return Files.writeString(directory.resolve("experiment.yaml"), text).toString();
    }
}
