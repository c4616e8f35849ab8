package dev.stowage.sim.driver;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.DeadlineHeap;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.Spread;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.sim.workload.MaxWait;
import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.RequestTraits;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The requests of a workload as commands: numbers them, each member of a gang, from 0, and puts their demands in the
 * cluster's order.
 */
final class Arrivals {
    private static final int ABSENT = -1;
    private static final long MAX_WAITS = Streams.of("longest-waits");
    /** Prefix of the spread group of a gang whose members share no server; the number of its first member follows. */
    private static final String GANG = "gang-of-";

    private final RequestStream stream;
    private final Origins.Cursor origins;
    private final RequestConstraints constraints;

    private final RequestTraits[] traits;
    private final boolean agents;
    private final Plant plant;
    private final Impatience impatience;
    private final long seed;
    private final KeyedRandom random = new KeyedRandom();
    private final long most;
    /** For every resource of the cluster the workload's resource, or ABSENT: demand 0. */
    private final int[] localSource;

    private final int[] pooledSource;
    private final long[] demand;
    private final long[] pooledDemand;
    private long sent;
    private long nextAt;

    Arrivals(Setup setup, Plant plant, Impatience impatience) {
        this.plant = plant;
        this.impatience = impatience;
        seed = setup.seed();
        stream = setup.workload().open(setup.seed());
        origins = setup.origins().open(setup.seed());
        constraints = new RequestConstraints(setup.cluster(), setup.workload(), setup.origins());
        traits = IntStream.range(0, setup.workload().types().size())
                .mapToObj(setup.workload()::typeTraits)
                .toArray(RequestTraits[]::new);
        agents = setup.hazards().starts() != null;
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

    /** Whether the run's limit of requests is reached. */
    boolean reachedTheirNumber() {
        return sent >= most;
    }

    /** Requests sent so far. */
    long sent() {
        return sent;
    }

    /** Sends the next request, at {@code at}; a gang with all its members. */
    void send(long at, Commands commands) {
        for (int r = 0; r < demand.length; r++) {
            demand[r] = localSource[r] == ABSENT ? 0 : stream.demand(localSource[r]);
        }
        for (int p = 0; p < pooledDemand.length; p++) {
            pooledDemand[p] = pooledSource[p] == ABSENT ? 0 : stream.demand(pooledSource[p]);
        }
        plant.expect(stream.workNanos());
        Constraints allowed = constraints.of(origins.next(stream.arrivalNanos()), stream.type());
        RequestTraits its = traits[stream.type()];
        impatience.expect(its.maxWait() == null ? Impatience.NEVER : longestWait(its.maxWait()));
        if (its.priority() == 0 && !its.isGang() && !agents && stream.expectedNanos() == 0) {
            commands.arrive(at, sent++, stream.type(), demand, pooledDemand, stream.rewardMicros(), allowed);
        } else if (its.isGang()) {
            commands.arriveTogether(at, gang(its, allowed));
        } else {
            commands.arrive(at, request(its, allowed));
        }
        advance();
    }

    /** Keyed by the request, a gang's first member: the same whatever the policy does. */
    private long longestWait(MaxWait maxWait) {
        return maxWait.sample(random.key(seed, MAX_WAITS, sent));
    }

    private List<NewRequest> gang(RequestTraits its, Constraints allowed) {
        Constraints each = its.distinctServers() ? allowed.spreadAlso(new Spread(GANG + sent, 1, "")) : allowed;
        List<NewRequest> members = new ArrayList<>();
        for (int k = 0; k < its.members(); k++) {
            members.add(request(its, each));
        }
        return members;
    }

    private NewRequest request(RequestTraits its, Constraints allowed) {
        return new NewRequest(
                sent++,
                stream.type(),
                demand,
                pooledDemand,
                stream.rewardMicros(),
                allowed,
                its.priority(),
                agents,
                stream.expectedNanos());
    }

    private void advance() {
        nextAt = sent < most && stream.next() ? stream.arrivalNanos() : DeadlineHeap.NEVER;
    }

    private static int[] sources(List<String> names, Workload workload) {
        return names.stream().mapToInt(workload.resources()::indexOf).toArray();
    }
}
