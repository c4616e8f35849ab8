package com.example.embed;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import java.util.Map;

/** The engine without the simulator: commands with times of your own go in, effects come out. */
final class DriveEngine extends EngineListener {
    public static void main(String[] args) {
        // Three servers of 8 cores; a request that fits nowhere waits.
        PolicySpec spec = PolicySpec.of("best-fit", Map.of("when-full", "queue"));
        Engine engine =
                Engine.start(Cluster.single(3, 8), spec, new Policies(), Steps.COMMANDS, 1, 0, new DriveEngine());
        for (int id = 1; id <= 4; id++) {
            engine.arrive(1_000 * id, NewRequest.of(id, 5));
        }
        engine.leave(5_000, 2);
        // A server is lost: what ran there is placed again, or waits.
        engine.loseServer(6_000, 0);
        System.out.printf("%d arrived, %d left, digest %016x%n", engine.arrived(), engine.left(), engine.digest());
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        System.out.printf("at %d request %d is placed on server %d (%s)%n", now, view().id(job), server, reason);
    }

    @Override
    public void queued(long now, int job, int queue, String reason) {
        System.out.printf("at %d request %d waits (%s)%n", now, view().id(job), reason);
    }

    @Override
    public void displaced(long now, int job, int server) {
        System.out.printf("at %d request %d loses server %d%n", now, view().id(job), server);
    }
}
