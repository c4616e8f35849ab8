package dev.stowage.study.fgd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The engine's first fit on devices decides as that of the benchmark, which is a program of its own. */
final class EngineOnDevicesTest {
    private static final int MODELS = 16;

    private static ServerBlock block(GpuServer server) {
        Amounts capacity = Amounts.of(server.cpuMilli, server.memoryMib, (long) server.free.length * GpuServer.WHOLE);
        return new ServerBlock(1, capacity, List.of(server.name), Labels.parse("gpu=m" + server.model));
    }

    private static Engine engine(List<GpuServer> servers) {
        ServerBlock[] blocks = servers.stream().map(EngineOnDevicesTest::block).toArray(ServerBlock[]::new);
        Cluster cluster = new Cluster(
                List.of(
                        Resource.of("cpu_milli"),
                        Resource.of("mem_mib"),
                        Resource.inDevices("gpu_milli", GpuServer.WHOLE)),
                List.of(),
                List.of(Site.of("site", blocks)),
                List.of());
        return Engine.start(cluster, PolicySpec.of("first-fit"), new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE);
    }

    private static Constraints models(GpuRequest request) {
        String named = IntStream.range(0, MODELS)
                .filter(request::mayUse)
                .mapToObj(model -> "m" + model)
                .collect(Collectors.joining(","));
        return request.gpus() == 0 || request.models().isEmpty()
                ? Constraints.NONE
                : new Constraints(
                        List.of(), Constraints.parseTerms("gpu=" + named.replace(',', '|')), List.of(), List.of());
    }

    /** Where each arrival goes, and what is left of each GPU. */
    private static void decidesAlike(GpuSequence sequence) {
        Engine engine = engine(sequence.servers());
        GpuRun run = GpuPolicies.FIRST_FIT.run(sequence);
        List<Integer> differing = new ArrayList<>();
        for (int i = 0; i < sequence.arrivals().size(); i++) {
            GpuRequest request = sequence.arrivals().get(i);
            engine.arrive(
                    i,
                    NewRequest.of(i, request.cpuMilli(), request.memoryMib(), request.milli())
                            .constrained(models(request)));
            int job = engine.find(i);
            if ((job < 0 ? -1 : engine.view().server(job)) != run.servers()[i]) {
                differing.add(i);
            }
        }
        assertThat(differing).isEmpty();
        for (int server = 0; server < sequence.servers().size(); server++) {
            int[] free = sequence.servers().get(server).free;
            for (int gpu = 0; gpu < free.length; gpu++) {
                assertThat(engine.view().deviceFree(server, gpu))
                        .as("GPU %d of server %d", gpu, server)
                        .isEqualTo(free[gpu]);
            }
        }
    }

    @Test
    void onRandomCases() {
        for (long seed = 1; seed <= 300; seed++) {
            decidesAlike(GpuCases.random(seed));
        }
    }

    @Test
    void onListsOfTheBenchmark() {
        Path data = Path.of("..", "..", "shared", "data").toAbsolutePath().normalize();
        assumeTrue(GpuLists.present(data), "skipped: no " + GpuLists.NODES + " in " + data);
        GpuLists files = new GpuLists(data);
        for (String list : List.of("default", "gpuspec33")) {
            decidesAlike(GpuSequence.of(files.requests(list), files.servers(), 42));
        }
    }
}
