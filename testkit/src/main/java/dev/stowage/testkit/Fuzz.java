package dev.stowage.testkit;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.random.KeyedRandom;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Looks for logs that break a {@link Law}: random small clusters and random commands, valid and not, from a seed. A
 * failure is shrunk to a minimal log; its message has the seed, the log and the one command that repeats it.
 *
 * <p>By default all kinds of clusters and commands occur; a policy that supports less restricts them, e.g.
 * {@code Fuzz.of(getClass(), new Policies(), spec).resources(1, 1).typesOnly().run()}. System property
 * {@code stowage.seeds}: how many seeds; {@code stowage.seed}: only this one.
 */
public final class Fuzz {
    private static final int DEFAULT_SEEDS = 200;

    private final Class<?> test;
    private final Shape shape;
    private int seeds = Integer.getInteger("stowage.seeds", DEFAULT_SEEDS);

    private Fuzz(Class<?> test, Shape shape) {
        this.test = test;
        this.shape = shape;
    }

    /**
     * Everything allowed.
     *
     * @param test the test class, for the command that repeats a failure
     * @param policies makes the policies; must refuse the name {@value Shape#NO_SUCH_POLICY}
     * @param specs policies to start with and to switch to; they choose the random stream of the scenarios
     */
    public static Fuzz of(Class<?> test, PolicyFactory policies, PolicySpec... specs) {
        return new Fuzz(test, new Shape(policies, List.of(specs)));
    }

    /** Servers have this many resources. */
    public Fuzz resources(int least, int most) {
        shape.leastResources = least;
        shape.mostResources = most;
        return this;
    }

    /** Only these steps. */
    public Fuzz steps(Steps only) {
        shape.steps = List.of(only);
        return this;
    }

    /** There is at least one type, and every valid request has a type and its demand. */
    public Fuzz typesOnly() {
        shape.typesOnly = true;
        return this;
    }

    /** No pooled resources. */
    public Fuzz withoutPools() {
        shape.pools = false;
        return this;
    }

    /** No divisible resource. */
    public Fuzz withoutDivisible() {
        shape.divisible = false;
        return this;
    }

    /** One site only. */
    public Fuzz singleSite() {
        shape.singleSite = true;
        return this;
    }

    /** Servers and sites stay as they are. */
    public Fuzz withoutServerChanges() {
        shape.serverChanges = false;
        return this;
    }

    /** Some requests are limited to sites; otherwise none is. */
    public Fuzz siteLimits() {
        shape.siteLimits = true;
        return this;
    }

    /** Servers have labels, which may change, and some requests have constraints; otherwise none has. */
    public Fuzz constraints() {
        shape.constraints = true;
        return this;
    }

    /** Servers change their capacity, and requests are adopted; otherwise neither happens. */
    public Fuzz overcommitment() {
        shape.overcommitment = true;
        return this;
    }

    /** Some requests arrive as gangs; otherwise none does. */
    public Fuzz gangs() {
        shape.gangs = true;
        return this;
    }

    /** Some requests and servers have agents, and requests are evicted and moved; otherwise none of this happens. */
    public Fuzz agents() {
        shape.agents = true;
        return this;
    }

    /** Some requests have a priority; otherwise none has. */
    public Fuzz priorities() {
        shape.priorities = true;
        return this;
    }

    /** Some requests say how long they expect to run, rightly or not; otherwise none does. */
    public Fuzz lifetimes() {
        shape.lifetimes = true;
        return this;
    }

    /** A resource comes in devices; otherwise none does. Only for policies that know devices. */
    public Fuzz devices() {
        shape.devices = true;
        return this;
    }

    /** The policy is never switched. */
    public Fuzz withoutPolicySwitch() {
        shape.policySwitches = false;
        return this;
    }

    /** Switches to these policies instead of those given at the start. */
    public Fuzz handingOverTo(PolicySpec... successors) {
        shape.successors = List.of(successors);
        return this;
    }

    /** At most this many random commands. */
    public Fuzz commands(int most) {
        shape.mostCommands = most;
        return this;
    }

    /** This many seeds unless the system property says otherwise. */
    public Fuzz seeds(int count) {
        seeds = Integer.getInteger("stowage.seeds", count);
        return this;
    }

    /** The scenario of a seed. */
    public Scenario scenario(long seed) {
        return new ScenarioGenerator(shape, seed).generate();
    }

    /**
     * Checks the laws on the scenario of every seed.
     *
     * @throws LawError at the first broken law, with the minimal log
     */
    public void run() {
        Long only = Long.getLong("stowage.seed");
        if (only != null) {
            check(only);
            return;
        }
        for (long seed = 1; seed <= seeds; seed++) {
            check(seed);
        }
    }

    /**
     * One line: the policies, how many first seeds were run, and a digest of all their effects; for {@link LawDigests}.
     */
    public String digest(int count) {
        long digest = 0;
        for (long seed = 1; seed <= count; seed++) {
            digest = KeyedRandom.mix(
                    digest ^ scenario(seed).play(new EffectTrace()).digest());
        }
        String names = shape.specs.stream().map(PolicySpec::toString).collect(Collectors.joining(", "));
        return String.format(Locale.ROOT, "%s: %d seeds %016x", names, count, digest);
    }

    private void check(long seed) {
        Scenario scenario = scenario(seed);
        try {
            Laws.check(scenario);
        } catch (LawError e) {
            throw explain(seed, scenario, e);
        }
    }

    private LawError explain(long seed, Scenario scenario, LawError first) {
        Scenario minimal = Shrinker.shrink(scenario, candidate -> breaks(candidate, first.law()));
        LawError error = first;
        try {
            Laws.check(minimal);
        } catch (LawError e) {
            error = e;
        }
        String message =
                error.getMessage() + "\n  policy " + minimal.spec() + ", seed " + seed + ", steps " + minimal.steps()
                        + ", policy's seed " + minimal.seed() + "\n  cluster " + minimal.cluster() + "\n  minimal log ("
                        + minimal.log().size() + " of " + scenario.log().size() + " commands):\n"
                        + minimal.log().toString().indent(4) + "  repeat: " + repeat(seed);
        return new LawError(error.law(), message.substring(message.indexOf(": ") + 2), error);
    }

    private static boolean breaks(Scenario candidate, Law law) {
        try {
            Laws.check(candidate);
            return false;
        } catch (LawError e) {
            return e.law() == law;
        }
    }

    private String repeat(long seed) {
        String[] packages = test.getName().split("\\.", -1);
        String module = packages.length > 3 ? packages[2] : ".";
        return "mvn test -pl " + module + " -am -Dtest=" + test.getSimpleName()
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dstowage.seed=" + seed;
    }
}
