package dev.stowage.testkit;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Makes a failing scenario small: leaves out commands (delta debugging: chunks of half the log, then of a quarter, down
 * to one), then makes times, amounts, numbers and the cluster smaller, as long as it still fails, until nothing more
 * helps.
 */
final class Shrinker {
    private static final int MOST_ATTEMPTS = 20_000;

    private final Predicate<Scenario> fails;
    private Scenario best;
    private int attempts;

    private Shrinker(Scenario scenario, Predicate<Scenario> fails) {
        this.fails = fails;
        best = scenario;
    }

    /** A smallest scenario found that fails as this one does. */
    static Scenario shrink(Scenario scenario, Predicate<Scenario> fails) {
        Shrinker shrinker = new Shrinker(scenario, fails);
        boolean progress = true;
        while (progress) {
            progress = shrinker.leaveOut();
            progress |= shrinker.simplifyCommands();
            progress |= shrinker.renumber();
            progress |= shrinker.simplifyCluster();
        }
        return shrinker.best;
    }

    private boolean attempt(Scenario candidate) {
        if (attempts++ < MOST_ATTEMPTS && fails.test(candidate)) {
            best = candidate;
            return true;
        }
        return false;
    }

    private boolean leaveOut() {
        int before = best.log().size();
        for (int chunk = before; chunk >= 1; chunk /= 2) {
            for (int from = best.log().size() - chunk; from > -chunk; from -= chunk) {
                List<Command> kept = new ArrayList<>(best.log().commands());
                kept.subList(Math.max(0, from), Math.min(kept.size(), from + chunk))
                        .clear();
                attempt(best.withLog(new CommandLog(kept)));
            }
        }
        return best.log().size() < before;
    }

    private boolean simplifyCommands() {
        boolean progress = false;
        for (int i = 0; i < best.log().size(); i++) {
            Command command = best.log().commands().get(i);
            long earliest = i == 0 ? 0 : best.log().commands().get(i - 1).at();
            if (command.at() > earliest) {
                progress |= replace(i, command.withAt(earliest))
                        || (command.at() > earliest + 1 && replace(i, command.withAt(earliest + 1)));
            }
            progress |= simplifyAmounts(i);
        }
        return progress;
    }

    private boolean simplifyAmounts(int index) {
        boolean progress = simplifyGang(index);
        Command command = best.log().commands().get(index);
        if (command.kind() == Command.Kind.HEARTBEAT || command.kind() == Command.Kind.REPORT) {
            return progress;
        }
        for (int a = 0; a < command.amounts().size() + command.pooled().size(); a++) {
            Command present = best.log().commands().get(index);
            long amount = amount(present, a);
            for (long smaller : new long[] {0, 1, amount / 2, amount - 1}) {
                if (smaller >= 0 && smaller < amount && replace(index, withAmount(present, a, smaller))) {
                    progress = true;
                    break;
                }
            }
        }
        return progress;
    }

    private boolean simplifyGang(int index) {
        boolean progress = false;
        for (int k = best.log().commands().get(index).members().size() - 1; k >= 0; k--) {
            Command present = best.log().commands().get(index);
            List<Command> fewer = new ArrayList<>(present.members());
            fewer.remove(k);
            progress |= !fewer.isEmpty() && replace(index, present.withMembers(fewer));
        }
        return progress;
    }

    private static long amount(Command command, int number) {
        int first = command.amounts().size();
        return number < first ? command.amounts().get(number) : command.pooled().get(number - first);
    }

    private static Command withAmount(Command command, int number, long value) {
        List<Long> amounts = new ArrayList<>(command.amounts());
        List<Long> pooled = new ArrayList<>(command.pooled());
        if (number < amounts.size()) {
            amounts.set(number, value);
        } else {
            pooled.set(number - amounts.size(), value);
        }
        return command.withAmounts(amounts, pooled);
    }

    private boolean replace(int index, Command command) {
        List<Command> changed = new ArrayList<>(best.log().commands());
        changed.set(index, command);
        return attempt(best.withLog(new CommandLog(changed)));
    }

    /** Requests get the ids 0, 1, 2, ... in order of appearance. */
    private boolean renumber() {
        Map<Long, Long> ids = new TreeMap<>();
        List<Command> changed = new ArrayList<>();
        for (Command command : best.log().commands()) {
            boolean named = command.isArrival()
                    || command.kind() == Command.Kind.LEAVE
                    || command.kind() == Command.Kind.LEAVE_TOGETHER;
            if (named && command.subject() >= 0) {
                long id = ids.computeIfAbsent(command.subject(), old -> (long) ids.size());
                changed.add(command.withSubject(id));
            } else {
                changed.add(command);
            }
        }
        return !changed.equals(best.log().commands()) && attempt(best.withLog(new CommandLog(changed)));
    }

    private boolean simplifyCluster() {
        boolean progress = false;
        for (int s = 0; s < best.cluster().sites().size(); s++) {
            for (int b = 0; b < best.cluster().sites().get(s).servers().size(); b++) {
                while (best.cluster().sites().get(s).servers().get(b).count() > 0
                        && attempt(best.withCluster(withOneServerLess(best.cluster(), s, b)))) {
                    progress = true;
                }
            }
        }
        return progress;
    }

    private static Cluster withOneServerLess(Cluster cluster, int site, int block) {
        List<Site> sites = new ArrayList<>(cluster.sites());
        List<ServerBlock> blocks = new ArrayList<>(sites.get(site).servers());
        ServerBlock old = blocks.get(block);
        blocks.set(block, new ServerBlock(old.count() - 1, old.capacity(), List.of(), old.labels()));
        sites.set(site, new Site(sites.get(site).name(), blocks, sites.get(site).pooled()));
        return cluster.withSites(sites);
    }
}
