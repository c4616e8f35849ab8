package dev.stowage.testkit;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Checks every {@link Law} on given runs. Costs some ten runs of the log with all its lists compared: for small
 * systems.
 */
public final class Laws {
    private static final long CUTS = Streams.of("laws-cuts");

    private Laws() {}

    /**
     * Checks the laws on every log, each from a fresh start with seed 1.
     *
     * @throws LawError at the first broken law
     */
    public static void check(
            PolicyFactory policies, PolicySpec spec, Cluster cluster, Steps steps, CommandLog... logs) {
        for (CommandLog log : logs) {
            check(new Scenario(policies, spec, cluster, steps, 1, log));
        }
    }

    /**
     * Checks the laws on one run.
     *
     * @throws LawError at the first broken law
     */
    public static void check(Scenario scenario) {
        Auditor.Run audited = Auditor.audit(scenario);
        byte[] end = audited.engine().save();
        long digest = audited.engine().digest();
        checkReplay(scenario, digest, end);
        checkRestoredAlways(scenario, digest, end);
        checkRestoredTwice(scenario, digest, end);
        checkTicks(scenario, digest, end);
        checkRefused(scenario, audited.refusedCommands(), digest);
    }

    static void checkReplay(Scenario scenario, long digest, byte[] end) {
        compare(Law.REPLAY, "played again", scenario, digest, end, effects -> scenario.play(effects));
    }

    /** Saved and restored after every command. */
    static void checkRestoredAlways(Scenario scenario, long digest, byte[] end) {
        boolean[] everywhere = new boolean[scenario.log().size()];
        Arrays.fill(everywhere, true);
        String how = "restored after every command";
        compare(Law.RESTORE, how, scenario, digest, end, effects -> playRestored(scenario, everywhere, effects));
    }

    /** Saved and restored at two random points. */
    static void checkRestoredTwice(Scenario scenario, long digest, byte[] end) {
        int size = scenario.log().size();
        if (size > 0) {
            KeyedRandom random = new KeyedRandom().key(scenario.seed(), CUTS, size);
            boolean[] cuts = new boolean[size];
            int first = random.nextInt(size);
            int second = random.nextInt(size);
            cuts[first] = true;
            cuts[second] = true;
            String how = "restored after commands " + (first + 1) + " and " + (second + 1);
            compare(Law.RESTORE, how, scenario, digest, end, effects -> playRestored(scenario, cuts, effects));
        }
    }

    private static Engine playRestored(Scenario scenario, boolean[] cuts, Effects effects) {
        Engine engine = scenario.start(scenario.policies(), effects);
        for (int i = 0; i < cuts.length; i++) {
            scenario.log().commands().get(i).send(engine);
            if (cuts[i]) {
                byte[] saved = engine.save();
                engine = Engine.restore(saved, scenario.policies(), effects);
                if (!Arrays.equals(engine.save(), saved)) {
                    throw new LawError(
                            Law.RESTORE,
                            "what is restored after command " + (i + 1) + " ("
                                    + scenario.log().commands().get(i) + ") is not what was saved");
                }
            }
        }
        return engine;
    }

    /** With ticks wherever they make no later command late, especially at the deadlines of timers. */
    static void checkTicks(Scenario scenario, long digest, byte[] end) {
        compare(Law.TICKS, "with extra ticks", scenario, digest, end, effects -> {
            Engine engine = scenario.start(scenario.policies(), effects);
            for (Command command : scenario.log().commands()) {
                long now = engine.view().now();
                long until = Math.max(now, command.at());
                engine.tick(now);
                engine.tick(Math.min(until, engine.nextDeadline()));
                engine.tick(Math.max(engine.view().now(), now + (until - now) / 2));
                engine.tick(until);
                engine.tick(until);
                command.send(engine);
            }
            return engine;
        });
    }

    /**
     * With ticks in place of the refused commands; the saved state counts refusals, so it is not compared.
     */
    static void checkRefused(Scenario scenario, List<Integer> refused, long digest) {
        List<Command> commands = new ArrayList<>(scenario.log().commands());
        long now = 0;
        for (int i = 0; i < commands.size(); i++) {
            now = Math.max(now, commands.get(i).at());
            if (refused.contains(i)) {
                commands.set(i, Command.plain(Command.Kind.TICK, now, -1));
            }
        }
        Scenario without = scenario.withLog(new CommandLog(commands));
        compareDigests(
                Law.REFUSED_CHANGE_NOTHING,
                "without what was refused",
                scenario,
                digest,
                effects -> without.play(effects));
    }

    private interface Play {
        Engine run(Effects effects);
    }

    private static void compare(Law law, String how, Scenario scenario, long digest, byte[] end, Play play) {
        Engine engine = compareDigests(law, how, scenario, digest, play);
        if (!Arrays.equals(engine.save(), end)) {
            throw new LawError(law, how + ", the run has the same effects but ends in another state");
        }
    }

    private static Engine compareDigests(Law law, String how, Scenario scenario, long digest, Play play) {
        Engine engine = attempt(law, how, play, Effects.NONE);
        if (engine.digest() != digest) {
            EffectTrace one = new EffectTrace();
            EffectTrace other = new EffectTrace();
            attempt(law, how, effects -> scenario.play(effects), one);
            attempt(law, how, play, other);
            throw new LawError(
                    law,
                    String.format(
                            Locale.ROOT,
                            "%s, the run ends in digest %016x instead of %016x: %s",
                            how,
                            engine.digest(),
                            digest,
                            one.difference(other)));
        }
        return engine;
    }

    private static Engine attempt(Law law, String how, Play play, Effects effects) {
        try {
            return play.run(effects);
        } catch (RuntimeException e) {
            throw new LawError(law, how + ", the run stops: " + e, e);
        }
    }
}
