package dev.stowage.core.engine;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.random.KeyedRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The whole state of the engine, to be saved and restored. */
final class State {
    static final int NONE = -1;

    final List<Resource> resources;
    final List<String> pooledResources;
    final List<RequestType> types;
    final int divisible;
    final Steps steps;
    final long seed;
    final Jobs jobs;
    /** If a resource comes in devices. */
    final @Nullable Devices devices;

    final Servers servers;
    final ConstraintTable constraints;
    final Chains queues;
    final Chains occupants;
    final Chains pending;
    final Timers timers = new Timers();
    final Gangs gangs = new Gangs();
    final Leases leases = new Leases();
    final Drains drains = new Drains();
    private final long[] typeDemands;

    long now = Long.MIN_VALUE;
    long callbacks;
    long arrived;
    long left;
    long rejected;
    long refused;
    private long digest;

    State(List<Resource> resources, List<String> pooledResources, List<RequestType> types, Steps steps, long seed) {
        this.resources = resources;
        this.pooledResources = pooledResources;
        this.types = types;
        this.steps = steps;
        this.seed = seed;
        divisible = divisibleOf(resources);
        servers = new Servers(resources.size(), pooledResources.size());
        constraints = new ConstraintTable(servers);
        jobs = new Jobs(resources.size(), pooledResources.size(), divisible != NONE, constraints);
        devices = devicesOf(resources, jobs);
        queues = new Chains(jobs);
        occupants = new Chains(jobs);
        pending = new Chains(jobs);
        pending.growTo(1);
        typeDemands = new long[types.size() * resources.size()];
        for (int type = 0; type < types.size(); type++) {
            for (int r = 0; r < resources.size(); r++) {
                typeDemands[type * resources.size() + r] =
                        types.get(type).demand().get(r);
            }
        }
    }

    /** The state at the start: servers up and empty. */
    static State of(Cluster cluster, Steps steps, long seed) {
        State state = new State(cluster.resources(), cluster.pooledResources(), cluster.types(), steps, seed);
        for (Site site : cluster.sites()) {
            int number = state.servers.addSite(site.pooled().toArray());
            for (ServerBlock block : site.servers()) {
                long[] capacity = block.capacity().toArray();
                for (int i = 0; i < block.count(); i++) {
                    String name = block.names().isEmpty() ? "" : block.names().get(i);
                    state.addServer(number, capacity, name, block.labels());
                }
            }
        }
        return state;
    }

    /** A new server; returns its number. */
    int addServer(int site, long[] capacity, String name, Labels labels) {
        int server = servers.add(site, capacity);
        servers.name(server, name);
        servers.label(server, labels);
        occupants.growTo(servers.count());
        if (devices != null) {
            devices.add(server, capacity[devices.resource]);
        }
        return server;
    }

    long typeDemand(int type, int resource) {
        return typeDemands[type * resources.size() + resource];
    }

    /** The amount of a resource that the job holds while on a server. */
    long held(int job, int resource) {
        return resource == divisible ? jobs.share(job) : jobs.demand(job, resource);
    }

    /** The server has another capacity, and these devices; 0 for those of {@link Devices#after}. */
    void resize(int server, long[] capacity, long named) {
        servers.resize(server, capacity);
        constraints.groups.changed(server);
        if (devices != null) {
            devices.setPresent(server, named == 0 ? devices.after(server, capacity[devices.resource]) : named);
        }
    }

    /** The job comes to the server, and holds these of its devices; 0 for those of {@link Devices#give}. */
    void put(int job, int server, long chosen) {
        if (devices != null) {
            devices.give(job, server, chosen);
        }
        hold(job, server, 1);
    }

    /** The job has left the server. */
    void take(int job, int server) {
        hold(job, server, -1);
        if (devices != null) {
            devices.forget(job);
        }
    }

    /** The devices that a job on a server holds. */
    long devices(int job) {
        return devices == null ? 0 : devices.held(job);
    }

    /** Puts the job's holdings on the server ({@code sign} 1) or takes them off (-1). */
    void hold(int job, int server, int sign) {
        if (jobs.constraint(job) != ConstraintTable.NONE) {
            constraints.count(jobs.constraint(job), server, sign);
        }
        for (int r = 0; r < jobs.resources; r++) {
            servers.take(server, r, sign * held(job, r));
        }
        if (devices != null) {
            devices.hold(job, server, sign);
        }
        int site = jobs.pooledResources == 0 ? 0 : servers.site(server);
        for (int p = 0; p < jobs.pooledResources; p++) {
            servers.takePooled(site, p, sign * jobs.pooledDemand(job, p));
        }
    }

    /** Whether the job's holdings are free on the server and in its site's pool. */
    boolean hasRoom(int job, int server) {
        for (int r = 0; r < jobs.resources; r++) {
            if (held(job, r) > servers.free(server, r)) {
                return false;
            }
        }
        return (devices == null || devices.haveRoom(job, server))
                && (jobs.pooledResources == 0 || poolHasRoom(job, servers.site(server)));
    }

    /** Whether the request's constraints admit the server. */
    boolean mayRunOn(int job, int server) {
        return jobs.constraint(job) == ConstraintTable.NONE || constraints.admits(jobs.constraint(job), server);
    }

    /** Whether some server that ever existed could hold the job. */
    boolean couldEverHold(int job) {
        return servers.couldEverHold(demands(job), pooledDemands(job));
    }

    private long[] demands(int job) {
        long[] demand = new long[jobs.resources];
        for (int r = 0; r < demand.length; r++) {
            demand[r] = jobs.demand(job, r);
        }
        return demand;
    }

    private long[] pooledDemands(int job) {
        long[] pooledDemand = new long[jobs.pooledResources];
        for (int p = 0; p < pooledDemand.length; p++) {
            pooledDemand[p] = jobs.pooledDemand(job, p);
        }
        return pooledDemand;
    }

    /**
     * From now on a request that is not on a server avoids this server too. If no server could hold it then, it avoids
     * only this one and those that it arrived with; if even then none could, only those that it arrived with.
     */
    void avoid(int job, int server) {
        Constraints present = constraints.what(jobs.constraint(job));
        Constraints own = jobs.traits.own(job, present);
        Constraints chosen = own;
        if (couldHold(job, present.avoidingAlso(server))) {
            chosen = present.avoidingAlso(server);
        } else if (couldHold(job, own.avoidingAlso(server))) {
            chosen = own.avoidingAlso(server);
        }
        int number = constraints.find(chosen, jobs);
        if (number <= ConstraintTable.MOST) {
            jobs.traits.keepOwn(job, own);
            jobs.constrain(job, number);
        }
    }

    private boolean couldHold(int job, Constraints what) {
        int number = constraints.find(what, jobs);
        return number <= ConstraintTable.MOST && constraints.couldHold(demands(job), pooledDemands(job), number);
    }

    /** Counts all on a server in their spread groups ({@code sign} 1), or no more (-1). */
    void countSpread(int server, int sign) {
        for (int job = occupants.head(server); job != NONE; job = jobs.next(job)) {
            if (jobs.constraint(job) != ConstraintTable.NONE) {
                constraints.count(jobs.constraint(job), server, sign);
            }
        }
    }

    /** An overfull pool matters only to jobs that demand some of it. */
    boolean poolHasRoom(int job, int site) {
        for (int p = 0; p < jobs.pooledResources; p++) {
            if (jobs.pooledDemand(job, p) > Math.max(0, servers.pooledFree(site, p))) {
                return false;
            }
        }
        return true;
    }

    /** Adds an effect to the digest. */
    void note(int kind, long subject, long value) {
        digest = KeyedRandom.mix(digest + now) ^ (KeyedRandom.mix(subject * 31 + kind) + value);
    }

    long digest() {
        return digest;
    }

    /** Estimate of the bytes that {@link #save} will write, without all of the queues and timers. */
    long leastBytes() {
        return jobs.bytes() + servers.bytes();
    }

    void save(StateWriter out) {
        saveModel(out);
        out.putInt(SavedCodes.of(steps));
        out.putLong(seed);
        out.putLong(now);
        out.putLong(callbacks);
        out.putLong(arrived);
        out.putLong(left);
        out.putLong(rejected);
        out.putLong(refused);
        out.putLong(digest);
        jobs.save(out);
        servers.save(out);
        queues.save(out);
        occupants.save(out);
        pending.save(out);
        timers.save(out);
        jobs.traits.save(out, jobs.used());
        gangs.save(out);
        leases.save(out);
        drains.save(out);
        if (devices != null) {
            devices.save(out, servers.count());
        }
    }

    static State restore(StateReader in, boolean old) {
        List<Resource> resources = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            resources.add(new Resource(in.getString(), in.getBoolean(), old ? 0 : in.getLong()));
        }
        List<String> pooled = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            pooled.add(in.getString());
        }
        List<RequestType> types = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            types.add(new RequestType(
                    in.getString(), Amounts.of(in.getLongs()), Amounts.of(in.getLongs()), in.getLong(), in.getLong()));
        }
        State state = new State(
                List.copyOf(resources),
                List.copyOf(pooled),
                List.copyOf(types),
                SavedCodes.steps(in.getInt()),
                in.getLong());
        state.now = in.getLong();
        state.callbacks = in.getLong();
        state.arrived = in.getLong();
        state.left = in.getLong();
        state.rejected = in.getLong();
        state.refused = in.getLong();
        state.digest = in.getLong();
        state.jobs.restore(in, old);
        state.servers.restore(in, old);
        state.queues.restore(in);
        state.occupants.restore(in);
        state.pending.restore(in);
        state.timers.restore(in);
        if (!old) {
            state.jobs.traits.restore(in);
            state.gangs.restore(in);
            state.leases.restore(in);
            state.drains.restore(in);
        }
        if (state.devices != null) {
            state.devices.restore(in);
        }
        state.constraints.restored(state.jobs);
        return state;
    }

    private void saveModel(StateWriter out) {
        out.putInt(resources.size());
        for (Resource resource : resources) {
            out.putString(resource.name());
            out.putBoolean(resource.divisible());
            out.putLong(resource.deviceAmount());
        }
        out.putInt(pooledResources.size());
        pooledResources.forEach(out::putString);
        out.putInt(types.size());
        for (RequestType type : types) {
            out.putString(type.name());
            out.putLongs(type.demand().toArray(), type.demand().size());
            out.putLongs(type.pooledDemand().toArray(), type.pooledDemand().size());
            out.putLong(type.rewardMicros());
            out.putLong(type.meanServiceNanos());
        }
    }

    private static @Nullable Devices devicesOf(List<Resource> resources, Jobs jobs) {
        for (int r = 0; r < resources.size(); r++) {
            if (resources.get(r).comesInDevices()) {
                return new Devices(r, resources.get(r).deviceAmount(), jobs);
            }
        }
        return null;
    }

    private static int divisibleOf(List<Resource> resources) {
        for (int r = 0; r < resources.size(); r++) {
            if (resources.get(r).divisible()) {
                return r;
            }
        }
        return NONE;
    }
}
