package dev.stowage.sim.driver;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.DeadlineHeap;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Runs one policy on one workload. In continuous time every event is a command at its own time; at one instant timers
 * come first, then ends of longest waits, departures (in order of arrival), reports of agents, changes of servers,
 * failures and repairs, arrivals. In slotted time events are carried to the next slot boundary, and each boundary has
 * ends of longest waits, departures, reports, changes, failures and repairs, arrivals, one round, and again ends of
 * longest waits, of those who would not wait at all; slots without events cost nothing.
 */
public final class Simulation {
    private static final long PROGRESS_EVERY = 1 << 13;

    private final Setup setup;
    private final Plant plant;
    private final Impatience impatience = new Impatience();
    private final Arrivals arrivals;
    private final Breakdowns breakdowns;
    private final Engine engine;
    private final Commands commands;
    private final Progress progress;
    private int nextChange;
    private long nextProgress = PROGRESS_EVERY;

    private Simulation(Setup setup, Effects observers, Function<Engine, Commands> tee, Progress progress) {
        this.setup = setup;
        this.progress = progress;
        plant = new Plant(
                setup.speedOneShare(),
                setup.workload().efficiency(),
                setup.hazards().starts(),
                setup.seed());
        breakdowns = new Breakdowns(setup.hazards().failures(), setup.seed());
        engine = Engine.start(
                withTypes(setup.cluster(), setup.workload()),
                setup.policy(),
                setup.policies(),
                setup.steps(),
                setup.seed(),
                0,
                new EffectsFan(isImpatient(setup.workload()) ? new EffectsFan(plant, impatience) : plant, observers));
        arrivals = new Arrivals(setup, plant, impatience);
        commands = tee.apply(engine);
    }

    /**
     * Runs to the end.
     *
     * @param setup the run
     * @param observers receives every effect
     * @param tee puts something between simulation and engine, e.g. a recorder; {@code engine -> engine} for nothing
     * @param progress receives the progress
     * @throws dev.stowage.core.policy.PolicyBugException if the policy breaks a rule
     */
    public static RunEnd run(Setup setup, Effects observers, Function<Engine, Commands> tee, Progress progress) {
        Simulation simulation = new Simulation(setup, observers, tee, progress);
        long endNanos = setup.steps() == Steps.SLOTS ? simulation.runSlots() : simulation.runContinuous();
        Engine engine = simulation.engine;
        return new RunEnd(
                endNanos, engine.digest(), engine.arrived(), engine.left(), engine.rejected(), engine.refused());
    }

    /** The cluster with the workload's request types. */
    public static Cluster withTypes(Cluster cluster, Workload workload) {
        List<RequestType> types = new ArrayList<>();
        for (int type = 0; type < workload.types().size(); type++) {
            List<String> local =
                    cluster.resources().stream().map(Resource::name).toList();
            types.add(new RequestType(
                    workload.types().get(type),
                    typeDemand(workload, type, local),
                    typeDemand(workload, type, cluster.pooledResources()),
                    workload.typeRewardMicros(type),
                    workload.typeMeanServiceNanos(type)));
        }
        return cluster.withTypes(types);
    }

    private static boolean isImpatient(Workload workload) {
        return IntStream.range(0, workload.types().size())
                .anyMatch(type -> workload.typeTraits(type).maxWait() != null);
    }

    private static Amounts typeDemand(Workload workload, int type, List<String> resources) {
        return Amounts.of(resources.stream()
                .mapToInt(workload.resources()::indexOf)
                .mapToLong(source -> source < 0 ? 0 : workload.typeDemand(type, source))
                .toArray());
    }

    private long runContinuous() {
        long now = 0;
        while (!ended()) {
            long next = nextEvent();
            if (next >= setup.end().atNanos()) {
                break;
            }
            now = next;
            step(now);
        }
        return finish(now);
    }

    private void step(long now) {
        if (engine.nextDeadline() == now) {
            commands.tick(now);
        } else if (impatience.next() == now) {
            impatience.end(now, commands);
        } else if (plant.nextDeparture() == now) {
            plant.end(now, commands);
        } else if (plant.nextWord() == now) {
            plant.say(now, commands);
        } else if (changeDue(now)) {
            setup.changes().get(nextChange++).apply(commands);
        } else if (breakdowns.next() == now) {
            breakdowns.apply(now, commands);
        } else {
            sendArrival(now);
        }
    }

    private long runSlots() {
        long now = 0;
        while (!ended()) {
            long next = slotAt(nextEvent());
            if (next >= setup.end().atNanos()) {
                break;
            }
            now = next;
            slot(now);
        }
        return finish(now);
    }

    private void slot(long now) {
        commands.tick(now);
        endWaits(now);
        while (plant.nextDeparture() <= now) {
            plant.end(now, commands);
        }
        while (plant.nextWord() <= now) {
            plant.say(now, commands);
        }
        while (changeDue(now)) {
            setup.changes().get(nextChange++).apply(now, commands);
        }
        while (breakdowns.next() <= now) {
            breakdowns.apply(now, commands);
        }
        while (arrivals.nextArrival() <= now) {
            sendArrival(now);
        }
        commands.round(now);
        endWaits(now);
    }

    private void endWaits(long now) {
        while (impatience.next() <= now) {
            impatience.end(now, commands);
        }
    }

    /** The first slot boundary at or after an instant. */
    private long slotAt(long instant) {
        long slot = setup.slotNanos();
        return instant == DeadlineHeap.NEVER ? instant : Math.multiplyExact((instant + slot - 1) / slot, slot);
    }

    private void sendArrival(long now) {
        arrivals.send(now, commands);
        if (arrivals.sent() >= nextProgress) {
            nextProgress += PROGRESS_EVERY;
            progress.at(now, arrivals.sent());
        }
    }

    private boolean changeDue(long now) {
        return nextChange < setup.changes().size()
                && setup.changes().get(nextChange).atNanos() <= now;
    }

    private long nextEvent() {
        long change = nextChange < setup.changes().size()
                ? setup.changes().get(nextChange).atNanos()
                : DeadlineHeap.NEVER;
        long ofRequests = Math.min(arrivals.nextArrival(), Math.min(plant.nextDeparture(), plant.nextWord()));
        long ofWorld = Math.min(Math.min(change, breakdowns.next()), impatience.next());
        return Math.min(ofRequests, Math.min(ofWorld, engine.nextDeadline()));
    }

    /** Whether the run is over although its end time has not come. */
    private boolean ended() {
        if (nextEvent() == DeadlineHeap.NEVER) {
            return true;
        }
        if (arrivals.nextArrival() != DeadlineHeap.NEVER || hasEndTime()) {
            return false;
        }
        boolean nothingEnds = plant.nextDeparture() == DeadlineHeap.NEVER
                && plant.nextWord() == DeadlineHeap.NEVER
                && impatience.next() == DeadlineHeap.NEVER;
        return !setup.end().drain() || nobodyWaits() || (nothingEnds && !breakdowns.anyDown());
    }

    /** Whether the run is ended by its end time rather than by the last request. */
    private boolean hasEndTime() {
        return setup.end().atNanos() != DeadlineHeap.NEVER && !arrivals.reachedTheirNumber();
    }

    private boolean nobodyWaits() {
        for (int queue = 0; queue < engine.view().queues(); queue++) {
            if (engine.view().queueLength(queue) > 0) {
                return false;
            }
        }
        return true;
    }

    private long finish(long now) {
        long end = hasEndTime() ? setup.end().atNanos() : now;
        commands.tick(end);
        progress.at(end, arrivals.sent());
        return end;
    }
}
