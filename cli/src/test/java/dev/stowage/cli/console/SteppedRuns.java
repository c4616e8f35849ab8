package dev.stowage.cli.console;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.api.LocalPage;
import dev.stowage.sim.driver.CommandRecorder;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.driver.ScheduledChange;
import dev.stowage.sim.driver.Setup;
import dev.stowage.sim.workload.ArrivalProcess;
import dev.stowage.sim.workload.Demand;
import dev.stowage.sim.workload.Distribution;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.study.step.RecordedRun;
import dev.stowage.study.step.StepAnswers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Simulations of some policies on the same requests, recorded, on a page of their own. */
final class SteppedRuns implements AutoCloseable {
    private final List<RecordedRun> runs = new ArrayList<>();
    private final LocalPage page;

    /**
     * Runs, records, reads and serves them.
     *
     * @param servers at each of two sites
     * @param answers changes every answer before it is sent
     */
    SteppedRuns(Path directory, int servers, int requests, List<String> policies, UnaryOperator<String> answers)
            throws IOException {
        for (String policy : policies) {
            Path file = directory.resolve(policy + ".log.gz");
            CommandRecorder.record(file, setup(policy, servers, requests), null);
            runs.add(RecordedRun.read(file, policy, new Policies(), commands -> {}));
        }
        StepAnswers known = new StepAnswers(runs);
        page = LocalPage.start(0, "step.html", (path, query) -> answers.apply(known.answer(path, query)));
    }

    private static Setup setup(String policy, int servers, int requests) {
        List<String> resources = List.of("cpu_milli", "mem_mib");
        // As many requests as keep four fifths of the cores busy: 3.4 cores each for 60 s in the mean.
        double perSecond = 0.8 * 2 * servers * 48 / 3.4 / 60;
        return new Setup(
                new Cluster(
                        resources.stream()
                                .map(name -> new Resource(name, false))
                                .toList(),
                        List.of(),
                        List.of(site("east", servers), site("west", servers)),
                        List.of()),
                SyntheticWorkload.of(
                        resources,
                        ArrivalProcess.poisson(),
                        List.of(
                                SyntheticType.inSeconds(
                                        "small",
                                        perSecond * 0.7,
                                        Demand.fixed(1000, 4096),
                                        Distribution.exponential(60)),
                                SyntheticType.inSeconds(
                                        "large",
                                        perSecond * 0.3,
                                        Demand.fixed(9000, 8192),
                                        Distribution.exponential(60)))),
                DrawnOrigins.ANYWHERE,
                PolicySpec.of(policy),
                new Policies(),
                Steps.COMMANDS,
                0,
                1,
                new End(Long.MAX_VALUE, requests, true),
                List.of(
                        ScheduledChange.of(20_000_000_000L, ScheduledChange.Kind.DRAIN, 3, 1),
                        ScheduledChange.of(25_000_000_000L, ScheduledChange.Kind.LOSE, 5, 1)),
                1);
    }

    private static Site site(String name, int servers) {
        Amounts capacity = Amounts.of(48_000, 128 * 1024);
        return new Site(
                name,
                List.of(
                        new ServerBlock(servers / 2, capacity, List.of(), Labels.parse("zone=a")),
                        new ServerBlock(servers - servers / 2, capacity, List.of(), Labels.parse("zone=b"))),
                Amounts.of());
    }

    String url() {
        return "http://127.0.0.1:" + page.port() + "/";
    }

    @Override
    public void close() {
        page.close();
        runs.forEach(RecordedRun::close);
    }
}
