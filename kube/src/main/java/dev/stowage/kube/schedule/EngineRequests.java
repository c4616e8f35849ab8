package dev.stowage.kube.schedule;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.Spread;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.kube.schedule.KnownPods.KnownPod;
import dev.stowage.kube.translate.GpuRoom;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeGpus;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGpus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The pods that are requests of the engine: they arrive, alone or as a gang, are adopted, and leave. */
final class EngineRequests {
    private static final int NONE = View.NONE;
    private static final long SEED = 1;

    private final NodeOccupancy occupancy;
    private final LongSupplier clock;
    private final Vocabulary vocabulary = new Vocabulary();
    private final Kinds kinds;
    private final Resources resources;
    private final NodeServers servers;
    private EngineEvents events = new EngineEvents();
    private final CommandLogs logs;
    private @Nullable Engine engine;
    private @Nullable Commands commands;
    private long begun;
    private long now;

    /**
     * Without an engine.
     *
     * @param clock nanoseconds; may stand still or go back
     * @param preferences their weight
     * @param devices whether the policy knows devices
     */
    EngineRequests(NodeOccupancy occupancy, LongSupplier clock, CommandLogs logs, int preferences, boolean devices) {
        resources = new Resources(devices);
        kinds = new Kinds(preferences);
        this.logs = logs;
        this.occupancy = occupancy;
        this.clock = clock;
        servers = new NodeServers(occupancy, vocabulary, kinds, resources, this::at);
    }

    /** Starts a new engine with all nodes and without requests, after learning the vocabulary of these pods. */
    void start(PolicySpec spec, PolicyFactory policies, Iterable<KnownPod> pods) {
        endLog();
        events = new EngineEvents();
        begun = clock.getAsLong();
        now = 0;
        engine = Engine.start(resources.cluster(), spec, policies, Steps.COMMANDS, SEED, 0, events);
        commands = logs.begin(engine, resources.cluster(), spec, SEED);
        pods.forEach(entry -> {
            entry.inEngine = false;
            entry.gang = null;
            vocabulary.learn(entry.pod);
        });
        kinds.nodesChanged();
        kinds.update(occupancy);
        servers.start(engine, commands);
    }

    /** No more commands come to the engine. */
    void endLog() {
        if (engine != null) {
            logs.end(at());
        }
    }

    boolean isStarted() {
        return engine != null;
    }

    Engine engine() {
        return Objects.requireNonNull(engine, "not started");
    }

    private Commands commands() {
        return Objects.requireNonNull(commands, "not started");
    }

    /** Nanoseconds since the start of the engine. */
    private long at() {
        now = Math.max(now, clock.getAsLong() - begun);
        return now;
    }

    EngineEvents events() {
        return events;
    }

    NodeServers servers() {
        return servers;
    }

    Kinds kinds() {
        return kinds;
    }

    /** Learns the resources that a pod asks for. Returns whether there is a new one, which requires a new engine. */
    boolean learnResources(PodFacts pod) {
        return resources.learn(pod) && engine != null;
    }

    /** The same of a node. */
    boolean learnResources(NodeFacts node) {
        return resources.learn(node) && engine != null;
    }

    /** Learns the vocabulary of a pod's rules. */
    void learnWords(PodFacts pod) {
        if (vocabulary.learn(pod) && engine != null) {
            servers.relabelAll();
        }
    }

    /** What a pod asks for that is not supported; empty if nothing. */
    String notKnown(PodFacts pod) {
        String unspeakable = Vocabulary.unspeakable(pod);
        return !pod.unknown().isEmpty()
                ? String.join("; ", pod.unknown())
                : !unspeakable.isEmpty()
                        ? unspeakable
                        : occupancy.hasSharedGpus() && !pod.gpus().isNone() && !resources.countsGpus()
                                ? "GPUs that pods share, which are not counted: the policy does not know"
                                        + " devices, or there are too many resources"
                                : resources.uncountable(pod);
    }

    /**
     * Pods whose vocabulary is learnt arrive, as a gang if there are several. Returns why they were refused, or null.
     */
    EngineEvents.@Nullable Refused arrive(List<KnownPod> members) {
        for (KnownPod entry : members) {
            part(entry);
            entry.prefers = kinds.prefers(entry.pod, occupancy);
            if (entry.mustHaveKind || entry.prefers || entry.pod.dependsOnOthers() || occupancy.isKeptAway(entry.pod)) {
                PodFacts like =
                        occupancy.sharesGpus(entry.pod) ? entry.pod : entry.pod.boundTo(entry.pod.node(), PodGpus.NONE);
                entry.kind = kinds.join(like, entry.prefers);
            }
        }
        kinds.update(occupancy).forEach(servers::relabel);
        List<NewRequest> requests = new ArrayList<>();
        Map<KnownPod, List<Spread>> apart = PodGroups.apart(members, "gang-" + members.get(0).id);
        for (KnownPod entry : members) {
            entry.inEngine = true;
            entry.state = PodState.QUEUED;
            Constraints constraints = vocabulary.constraints(entry.pod, entry.kind, entry.prefers);
            for (Spread spread : apart.getOrDefault(entry, List.of())) {
                constraints = constraints.spreadAlso(spread);
            }
            entry.gpus = entry.pod.gpus().most(occupancy.nodes());
            requests.add(NewRequest.of(entry.id, resources.demand(entry.pod, entry.gpus))
                    .constrained(constraints)
                    .expecting(entry.pod.expectedNanos()));
        }
        if (members.size() > 1) {
            new PodGang(members).begin();
            commands().arriveTogether(at(), requests);
        } else {
            commands().arrive(at(), requests.get(0));
        }
        return events.takeRefusal();
    }

    /** Adopts a running pod that is not in the engine; its vocabulary is learnt. */
    void adopt(KnownPod entry) {
        entry.inEngine = true;
        NodeGpus there =
                Objects.requireNonNull(occupancy.node(entry.pod.node())).gpus();
        PodGpus its = entry.pod.gpus();
        long devices = there.areShared() ? GpuRoom.devices(entry.pod, there) : 0;
        long gpus = there.areShared() ? GpuRoom.milli(its, there, devices) : PodGpus.WHOLE * its.wholes();
        NewRequest request =
                NewRequest.of(entry.id, resources.demand(entry.pod, gpus)).expecting(entry.pod.expectedNanos());
        commands().adopt(at(), request, servers.number(entry.pod.node()), resources.countsGpus() ? devices : 0);
        EngineEvents.Refused refusal = events.takeRefusal();
        if (refusal != null) {
            throw new IllegalStateException("cannot adopt " + entry.pod.path() + ": " + refusal);
        }
    }

    /** A pod leaves the engine, if it is there. */
    void leave(KnownPod entry) {
        part(entry);
        if (engine != null && entry.inEngine) {
            entry.inEngine = false;
            commands().leave(at(), entry.id);
        }
    }

    /** A pod no longer needs its kind. */
    void part(KnownPod entry) {
        if (entry.kind != NONE) {
            int kind = entry.kind;
            entry.kind = NONE;
            Set<String> freed = kinds.part(kind);
            if (engine != null) {
                freed.forEach(servers::relabel);
            }
        }
    }
}
