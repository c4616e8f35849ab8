package dev.stowage.core.engine;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;

/** The view of a policy onto the state. */
final class EngineView implements View {
    final State state;
    private final KeyedRandom random = new KeyedRandom();
    private long randomKey = -1;

    EngineView(State state) {
        this.state = state;
    }

    @Override
    public long now() {
        return state.now;
    }

    @Override
    public KeyedRandom random() {
        if (randomKey != state.callbacks) {
            randomKey = state.callbacks;
            random.key(state.seed, Streams.POLICY, state.callbacks);
        }
        return random;
    }

    @Override
    public int resources() {
        return state.jobs.resources;
    }

    @Override
    public String resourceName(int resource) {
        return state.resources.get(resource).name();
    }

    @Override
    public int divisibleResource() {
        return state.divisible;
    }

    @Override
    public int deviceResource() {
        return state.devices == null ? NONE : state.devices.resource;
    }

    @Override
    public long deviceAmount() {
        return state.devices == null ? 0 : state.devices.amount;
    }

    @Override
    public long devicesOf(int server) {
        return state.devices == null ? 0 : state.devices.present(server);
    }

    @Override
    public long deviceFree(int server, int device) {
        return state.devices == null ? 0 : state.devices.free(server, device);
    }

    @Override
    public long devicesHeld(int job) {
        return state.devices(job);
    }

    @Override
    public long room(int server, int kind) {
        Devices devices = state.devices;
        if (devices == null || (kind != devices.resource && kind != state.jobs.resources)) {
            return state.servers.free(server, kind);
        }
        long inDevices = kind == devices.resource ? devices.wholes(server) : devices.most(server);
        return Math.min(state.servers.free(server, devices.resource), inDevices);
    }

    @Override
    public long need(int job, int kind) {
        Devices devices = state.devices;
        if (devices == null || (kind != devices.resource && kind != state.jobs.resources)) {
            return state.jobs.demand(job, kind);
        }
        return kind == devices.resource ? devices.needOfWholes(job) : devices.needOfOne(job);
    }

    @Override
    public int pooledResources() {
        return state.jobs.pooledResources;
    }

    @Override
    public int sites() {
        return state.servers.sites();
    }

    @Override
    public int servers() {
        return state.servers.count();
    }

    @Override
    public int site(int server) {
        return state.servers.site(server);
    }

    @Override
    public ServerStatus status(int server) {
        return state.servers.status(server);
    }

    @Override
    public long capacity(int server, int resource) {
        return state.servers.capacity(server, resource);
    }

    @Override
    public long free(int server, int resource) {
        return state.servers.free(server, resource);
    }

    @Override
    public int capacityClass(int server) {
        return state.servers.capacityClass(server);
    }

    @Override
    public int capacityClasses() {
        return state.servers.classCount();
    }

    @Override
    public int classSite(int capacityClass) {
        return state.servers.classSite(capacityClass);
    }

    @Override
    public long classCapacity(int capacityClass, int resource) {
        return state.servers.classCapacity(capacityClass, resource);
    }

    @Override
    public long pooledCapacity(int site, int pooled) {
        return state.servers.pooledCapacity(site, pooled);
    }

    @Override
    public long pooledFree(int site, int pooled) {
        return state.servers.pooledFree(site, pooled);
    }

    @Override
    public int running(int server) {
        return state.servers.running(server);
    }

    @Override
    public int dummies(int server) {
        return state.occupants.length(server) - state.servers.running(server);
    }

    @Override
    public int firstOn(int server) {
        return state.occupants.head(server);
    }

    @Override
    public int types() {
        return state.types.size();
    }

    @Override
    public String typeName(int type) {
        return state.types.get(type).name();
    }

    @Override
    public long typeDemand(int type, int resource) {
        return state.typeDemand(type, resource);
    }

    @Override
    public long typePooledDemand(int type, int pooled) {
        return state.types.get(type).pooledDemand().get(pooled);
    }

    @Override
    public long typeReward(int type) {
        return state.types.get(type).rewardMicros();
    }

    @Override
    public long typeMeanService(int type) {
        return state.types.get(type).meanServiceNanos();
    }

    @Override
    public JobState state(int job) {
        return state.jobs.state(job);
    }

    @Override
    public long id(int job) {
        return state.jobs.id(job);
    }

    @Override
    public int type(int job) {
        return state.jobs.type(job);
    }

    @Override
    public long demand(int job, int resource) {
        return state.jobs.demand(job, resource);
    }

    @Override
    public long pooledDemand(int job, int pooled) {
        return state.jobs.pooledDemand(job, pooled);
    }

    @Override
    public long reward(int job) {
        return state.jobs.reward(job);
    }

    @Override
    public long arrivedAt(int job) {
        return state.jobs.arrivedAt(job);
    }

    @Override
    public long order(int job) {
        return state.jobs.order(job);
    }

    @Override
    public int server(int job) {
        JobState where = state(job);
        return where == JobState.RUNNING || where == JobState.DUMMY ? state.jobs.place(job) : NONE;
    }

    @Override
    public int queue(int job) {
        return state(job) == JobState.WAITING ? state.jobs.place(job) : NONE;
    }

    @Override
    public long share(int job) {
        return state.jobs.share(job);
    }

    @Override
    public boolean fits(int job, int server) {
        return state.servers.isUp(server) && state.hasRoom(job, server) && state.mayRunOn(job, server);
    }

    @Override
    public int constraint(int job) {
        return state.jobs.constraint(job);
    }

    @Override
    public int constraints() {
        return state.constraints.used();
    }

    @Override
    public Constraints constraints(int constraint) {
        return state.constraints.what(constraint);
    }

    @Override
    public boolean allowsSite(int constraint, int site) {
        return state.constraints.allowsSite(constraint, site);
    }

    @Override
    public boolean admits(int constraint, int server) {
        return state.constraints.admits(constraint, server);
    }

    @Override
    public boolean admitsGroup(int constraint, int group) {
        return state.constraints.admitsGroup(constraint, group);
    }

    @Override
    public int penalty(int constraint, int group) {
        return state.constraints.penalty(constraint, group);
    }

    @Override
    public boolean spreadsOverLabels(int constraint) {
        return state.constraints.spreadsOverLabels(constraint);
    }

    @Override
    public int group(int server) {
        return state.constraints.groups.group(server);
    }

    @Override
    public int groups() {
        return state.constraints.groups.count();
    }

    @Override
    public int groupSite(int group) {
        return state.constraints.groups.site(group);
    }

    @Override
    public long grouping() {
        return state.constraints.groups.version();
    }

    @Override
    public String serverName(int server) {
        return state.servers.name(server);
    }

    @Override
    public Labels labels(int server) {
        return state.servers.labels(server);
    }

    @Override
    public long expectedNanos(int job) {
        return state.jobs.traits.expectedNanos(job);
    }

    @Override
    public long runsSince(int job) {
        return state.jobs.traits.runsSince(job);
    }

    @Override
    public int priority(int job) {
        return state.jobs.traits.priority(job);
    }

    @Override
    public boolean prioritized() {
        return state.jobs.traits.prioritized() > 0;
    }

    @Override
    public boolean hasAgent(int job) {
        return state.jobs.traits.hasAgent(job);
    }

    @Override
    public Phase phase(int job) {
        return state.jobs.traits.phase(job);
    }

    @Override
    public int startFailures(int job) {
        return state.jobs.traits.failures(job);
    }

    @Override
    public int gang(int job) {
        return state.gangs.of(job);
    }

    @Override
    public int gangSize(int gang) {
        return state.gangs.exists(gang) ? state.gangs.members(gang).length : 0;
    }

    @Override
    public int gangMember(int gang, int k) {
        return state.gangs.members(gang)[k];
    }

    @Override
    public int queues() {
        return state.queues.count();
    }

    @Override
    public int queueLength(int queue) {
        return state.queues.length(queue);
    }

    @Override
    public int queueHead(int queue) {
        return state.queues.head(queue);
    }

    @Override
    public int pending() {
        return state.pending.length(0);
    }

    @Override
    public int pendingHead() {
        return state.pending.head(0);
    }

    @Override
    public int next(int job) {
        return state.jobs.next(job);
    }
}
