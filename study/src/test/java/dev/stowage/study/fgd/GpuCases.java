package dev.stowage.study.fgd;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.Requirement;
import dev.stowage.core.model.ServerBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Small clusters and lists for tests. */
final class GpuCases {
    private GpuCases() {}

    /** A server with GPUs of a model. */
    static ServerBlock server(String name, String model, long cpuMilli, long gpus) {
        return ServerBlock.named(name, Labels.of(Map.of("gpu", model)), cpuMilli, 100, gpus * GpuLists.WHOLE);
    }

    /** A request for GPUs of any model. */
    static NewRequest request(long cpuMilli, long gpuMilli) {
        return NewRequest.of(0, cpuMilli, 1, gpuMilli);
    }

    /** Requests one after the other on given servers. */
    static GpuSequence sequence(List<ServerBlock> servers, List<NewRequest> arrivals) {
        return GpuSequence.of(arrivals, arrivals, servers, new GoRandom(1));
    }

    /** A random case: up to eight servers of two models, a hundred requests of up to six kinds. */
    static GpuSequence random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<ServerBlock> servers = new ArrayList<>();
        for (int i = random.nextInt(2, 9); i > 0; i--) {
            servers.add(server("s" + i, i % 2 == 0 ? "a" : "b", random.nextInt(8, 64) * 1000L, random.nextInt(1, 9)));
        }
        List<NewRequest> kinds = new ArrayList<>();
        for (int kind = 0; kind < 6; kind++) {
            int gpus = random.nextInt(0, 3);
            long milli = gpus == 1 ? random.nextInt(1, 21) * 50L : gpus * (long) GpuLists.WHOLE;
            NewRequest one = request(random.nextInt(9) * 1000L, milli);
            Requirement ofModelA = new Requirement("gpu", Requirement.Operator.IN, List.of("a"));
            kinds.add(random.nextInt(4) == 0 ? one.constrained(Constraints.labels(ofModelA)) : one);
        }
        List<NewRequest> arrivals = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            arrivals.add(kinds.get(random.nextInt(kinds.size())));
        }
        return sequence(servers, arrivals);
    }
}
