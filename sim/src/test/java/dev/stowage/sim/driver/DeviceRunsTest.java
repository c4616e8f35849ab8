package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.workload.ArrivalProcess;
import dev.stowage.sim.workload.Demand;
import dev.stowage.sim.workload.Distribution;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on servers with devices: against theory, and recorded. */
class DeviceRunsTest {
    private static final PolicySpec FIRST_FIT = PolicySpec.of("first-fit");

    @TempDir
    private Path directory;

    private static Cluster cluster(Resource gpu) {
        ServerBlock server = new ServerBlock(1, Amounts.of(8000));
        return new Cluster(List.of(gpu), List.of(), List.of(Site.of("site", server)), List.of());
    }

    private static Workload workload(double perSecond, long demand) {
        return SyntheticWorkload.of(
                List.of("gpu_milli"),
                ArrivalProcess.poisson(),
                List.of(SyntheticType.inSeconds("t", perSecond, Demand.fixed(demand), Distribution.exponential(1))));
    }

    private static double erlangB(int servers, double load) {
        double blocking = 1;
        for (int k = 1; k <= servers; k++) {
            blocking = load * blocking / (k + load * blocking);
        }
        return blocking;
    }

    /** Of .6 each of 8 GPUs holds one, their sum 13; of .4 each holds two, their sum 20. */
    @Test
    void partsFollowErlangBWithAsManyServersAsDevicesHold() {
        for (long[] each : new long[][] {{600, 8, 13, 10}, {400, 16, 20, 20}}) {
            int load = (int) each[3];
            Workload workload = workload(load, each[0]);
            double onDevices = erlangB((int) each[1], load);
            SeededRuns runs = run(Resource.inDevices("gpu_milli", 1000), workload);
            runs.match("rejection_fraction", onDevices, 0.1);
            runs.match("devices_in_use_mean{resource=gpu_milli}", load * (1 - onDevices) * each[0] / 1000, 0.02);
            run(Resource.of("gpu_milli"), workload).match("rejection_fraction", erlangB((int) each[2], load), 0.2);
        }
    }

    private static SeededRuns run(Resource gpu, Workload workload) {
        return SeededRuns.of(cluster(gpu), workload, FIRST_FIT, new Policies(), 8_000, Steps.COMMANDS, 0);
    }

    @Test
    void aRecordingKnowsThem() throws Exception {
        Path file = directory.resolve("log.txt");
        Setup setup = new Setup(
                cluster(Resource.inDevices("gpu_milli", 1000)),
                workload(10, 600),
                DrawnOrigins.ANYWHERE,
                FIRST_FIT,
                new Policies(),
                Steps.COMMANDS,
                0,
                1,
                new End(Long.MAX_VALUE, 200, false),
                List.of(),
                1);
        RunEnd end = CommandRecorder.record(file, setup, setup.workload().open(1));
        Recording recording = Recording.replay(file, new Policies(), Effects.NONE);
        assertThat(recording.agrees()).isTrue();
        assertThat(recording.setup().cluster().resources()).containsExactly(Resource.inDevices("gpu_milli", 1000));
        assertThat(end.rejected()).isPositive();
        // The same commands on a sum place more.
        Files.writeString(file, Files.readString(file).replace("\"devices\":{\"gpu_milli\":1000},", ""));
        assertThat(Recording.replay(file, new Policies(), Effects.NONE).agrees())
                .isFalse();
    }
}
