package dev.stowage.testkit;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Command.Kind;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks the laws on all sequences of commands of a given length in a tiny system, and thereby on all shorter ones: an
 * arrival of each type, the end of each request that arrived, loss, return and drain of server 0, and the end of a
 * slot. About 6^length runs.
 */
public final class Exhaustive {
    private final Scenario empty;
    private final int length;
    private final long gapNanos;
    private long checked;

    private Exhaustive(Scenario empty, int length, long gapNanos) {
        this.empty = empty;
        this.length = length;
        this.gapNanos = gapNanos;
    }

    /**
     * Checks all sequences; returns their number.
     *
     * @param cluster a cluster with types, a few servers at most
     * @param length commands in a sequence
     * @param gapNanos time between two commands
     * @throws LawError at the first broken law, with the log
     */
    public static long check(
            PolicyFactory policies, PolicySpec spec, Cluster cluster, Steps steps, int length, long gapNanos) {
        Scenario empty = new Scenario(policies, spec, cluster, steps, 1, CommandLog.of());
        Exhaustive search = new Exhaustive(empty, length, gapNanos);
        search.extend(List.of(), List.of(), 0);
        return search.checked;
    }

    private void extend(List<Command> log, List<Long> live, long nextId) {
        if (log.size() == length) {
            check(new CommandLog(log));
            return;
        }
        long at = gapNanos * (log.size() + 1);
        for (int type = 0; type < empty.cluster().types().size(); type++) {
            extend(plus(log, Command.arrive(at, nextId, type)), plus(live, nextId), nextId + 1);
        }
        for (long id : live) {
            List<Long> remaining = live.stream().filter(other -> other != id).toList();
            extend(plus(log, Command.plain(Kind.LEAVE, at, id)), remaining, nextId);
        }
        for (Kind kind : List.of(Kind.LOSE, Kind.RETURN, Kind.DRAIN)) {
            extend(plus(log, Command.plain(kind, at, 0)), live, nextId);
        }
        if (empty.steps() == Steps.SLOTS) {
            extend(plus(log, Command.plain(Kind.ROUND, at, -1)), live, nextId);
        }
    }

    private void check(CommandLog log) {
        checked++;
        try {
            Laws.check(empty.withLog(log));
        } catch (LawError e) {
            String message = String.valueOf(e.getMessage());
            throw new LawError(
                    e.law(),
                    message.substring(message.indexOf(": ") + 2) + "\n  policy " + empty.spec() + ", steps "
                            + empty.steps() + "\n  log:\n" + log.toString().indent(4),
                    e);
        }
    }

    private static <T> List<T> plus(List<T> list, T one) {
        List<T> longer = new ArrayList<>(list);
        longer.add(one);
        return longer;
    }
}
