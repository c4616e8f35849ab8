package dev.stowage.policies;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Random commands for a policy and its reference implementation, which must decide alike: requests come and go, servers
 * too, in continuous or slotted time; the fast one is saved and restored now and then. What a scenario is like is drawn
 * from a stream of its own, each property independently of the others, so that they meet in all combinations.
 */
public abstract class Duel {
    private static final int MOST_SERVERS = 20;

    /** For the cluster and the commands. */
    protected final KeyedRandom random = new KeyedRandom();

    private final String description;
    private final String repeat;
    private final KeyedRandom properties = new KeyedRandom();
    private final Steps steps;
    private final int arriving;
    private final int leaving;
    private final List<Long> known = new ArrayList<>();
    /** Times between commands are 0, 1 or 2 of these. */
    protected long timeUnit = 1;

    /** The present time; {@link #first} may let some pass. */
    protected long now;

    private long ids;

    /**
     * A scenario.
     *
     * @param test the test class, for the command that repeats a failure
     * @param description says which policy
     */
    protected Duel(Class<?> test, String description, int scenario) {
        this.description = description;
        random.key(scenario, Streams.of("duel"), 0);
        properties.key(scenario, Streams.of("properties of a duel"), 0);
        repeat = "mvn -pl policies -am test -Dsurefire.failIfNoSpecifiedTests=false -Dtest=" + test.getSimpleName()
                + " -Dscenario=" + scenario;
        steps = property(5) < 2 ? Steps.SLOTS : Steps.COMMANDS;
        arriving = 45 + property(10);
        leaving = 25 + property(20);
    }

    /** Runs a number of scenarios, or as the system properties {@code scenarios} and {@code scenario} say. */
    public static void scenarios(int count, IntConsumer run) {
        int only = Integer.getInteger("scenario", -1);
        int first = only < 0 ? 0 : only;
        int end = only < 0 ? Integer.getInteger("scenarios", count) : only + 1;
        for (int scenario = first; scenario < end; scenario++) {
            run.accept(scenario);
        }
    }

    /** A property of the scenario, 0..n-1. */
    protected final int property(int n) {
        return properties.nextInt(n);
    }

    /** What happens before the first command; nothing if a test does not say otherwise. */
    protected void first(ComparedEngines engines) {}

    /** A request arrives. */
    protected abstract void arrive(ComparedEngines engines, long at, long id);

    /** Capacity of a server that joins. */
    protected abstract long[] capacity(ComparedEngines engines);

    /** Changes a server in a way of the test's own; false if it has none. */
    protected boolean changeOtherwise(ComparedEngines engines, long at, int server) {
        return false;
    }

    /** One or two sites, maybe the same twice. */
    protected final int[] sites(ComparedEngines engines) {
        int all = engines.view().sites();
        return new int[] {random.nextInt(all), random.nextInt(all)};
    }

    /** Plays the scenario. */
    public final void run(Cluster cluster, PolicySpec fast, PolicyFactory slow, int commands) {
        ComparedEngines engines = new ComparedEngines(cluster, fast, slow, steps);
        first(engines);
        for (int k = 0; k < commands; k++) {
            command(engines);
            engines.agree("%s, command %d; to repeat: %s", description, k, repeat);
            if (random.nextInt(40) == 0) {
                engines.restoreFast();
            }
        }
    }

    private void command(ComparedEngines engines) {
        now += random.nextInt(3) * timeUnit;
        int kind = random.nextInt(100);
        if (kind < arriving) {
            long id = ids++;
            arrive(engines, now, id);
            known.add(id);
        } else if (kind < arriving + leaving) {
            leave(engines);
        } else if (kind < 94) {
            if (steps == Steps.SLOTS) {
                engines.both(engine -> engine.round(now));
            } else {
                leave(engines);
            }
        } else {
            change(engines);
        }
    }

    private void leave(ComparedEngines engines) {
        if (known.isEmpty()) {
            return;
        }
        int at = random.nextInt(known.size());
        long id = known.get(at);
        int job = engines.find(id);
        // Those who wait mostly go on waiting.
        if (job < 0 || engines.view().state(job) == JobState.RUNNING || random.nextInt(10) == 0) {
            engines.both(engine -> engine.leave(now, id));
            known.remove(at);
        }
    }

    private void change(ComparedEngines engines) {
        int server = random.nextInt(engines.view().servers());
        if (changeOtherwise(engines, now, server)) {
            return;
        }
        int kind = random.nextInt(5);
        if (kind == 0 && engines.view().servers() < MOST_SERVERS) {
            int site = random.nextInt(engines.view().sites());
            long[] capacity = capacity(engines);
            engines.both(engine -> engine.addServer(now, site, capacity));
        } else {
            engines.awayOrBack(now, server, kind < 3);
        }
    }
}
