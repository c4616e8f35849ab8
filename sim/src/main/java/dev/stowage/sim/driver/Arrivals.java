package dev.stowage.sim.driver;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.DeadlineHeap;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Resource;
import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.List;

/** The requests of a workload as commands: numbers them from 0 and puts their demands in the cluster's order. */
final class Arrivals {
    private static final int ABSENT = -1;

    private final RequestStream stream;
    private final Origins.Cursor origins;
    private final RequestConstraints constraints;

    private final Plant plant;
    private final long most;
    /** For every resource of the cluster the workload's resource, or ABSENT: demand 0. */
    private final int[] localSource;

    private final int[] pooledSource;
    private final long[] demand;
    private final long[] pooledDemand;
    private long sent;
    private long nextAt;

    Arrivals(Setup setup, Plant plant) {
        this.plant = plant;
        stream = setup.workload().open(setup.seed());
        origins = setup.origins().open(setup.seed());
        constraints = new RequestConstraints(setup.cluster(), setup.workload(), setup.origins());
        most = setup.end().requests();
        Cluster cluster = setup.cluster();
        localSource = sources(cluster.resources().stream().map(Resource::name).toList(), setup.workload());
        pooledSource = sources(cluster.pooledResources(), setup.workload());
        demand = new long[localSource.length];
        pooledDemand = new long[pooledSource.length];
        advance();
    }

    /** When the next request arrives, or {@link DeadlineHeap#NEVER}. */
    long nextArrival() {
        return nextAt;
    }

    /** Whether as many requests arrived as the run may have. */
    boolean reachedTheirNumber() {
        return sent >= most;
    }

    /** Requests sent so far. */
    long sent() {
        return sent;
    }

    /** Sends the next request, at {@code at}. */
    void send(long at, Commands commands) {
        for (int r = 0; r < demand.length; r++) {
            demand[r] = localSource[r] == ABSENT ? 0 : stream.demand(localSource[r]);
        }
        for (int p = 0; p < pooledDemand.length; p++) {
            pooledDemand[p] = pooledSource[p] == ABSENT ? 0 : stream.demand(pooledSource[p]);
        }
        plant.expect(stream.workNanos());
        Constraints allowed = constraints.of(origins.next(stream.arrivalNanos()), stream.type());
        commands.arrive(at, sent++, stream.type(), demand, pooledDemand, stream.rewardMicros(), allowed);
        advance();
    }

    private void advance() {
        nextAt = sent < most && stream.next() ? stream.arrivalNanos() : DeadlineHeap.NEVER;
    }

    private static int[] sources(List<String> names, Workload workload) {
        return names.stream().mapToInt(workload.resources()::indexOf).toArray();
    }
}
