package dev.stowage.policies.lifetime;

import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.NumberSet;
import dev.stowage.policies.fit.Score;
import dev.stowage.policies.fit.ServerChoice;
import dev.stowage.policies.fit.ServerRank;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/**
 * The server that a request keeps in use least beyond the time at which it is expected to be empty
 * ({@link ExpectedEnds}), to 17 s or in steps; among those that it keeps alike the best; last an empty one. While
 * expectations are not to be trusted: the best server in use.
 *
 * <p>The expected end of a server is its {@link ServerRank}. It stays as it is while time passes, unless a request
 * outlives its expectation.
 */
final class LeastExtension implements ServerChoice {
    /** Of a server of which nobody knows when it is empty. */
    private static final int UNKNOWN = 1 << 30;

    /** Longer ones, as of requests that do not say when they end, are like this one: 146 years. */
    private static final long LONGEST_EXTENSION = 1 << 28;

    /** Ends are told apart to so many bits of a nanosecond. */
    private static final int BITS = 34;

    private final BooleanSupplier trusted;
    private final boolean inSteps;
    private final ServerChoice servers;
    private ExpectedEnds ends = new ExpectedEnds();
    private int[] ranks = new int[0];
    /** Of which {@link #servers} has yet to hear: many come and go more than once before the next choice. */
    private final NumberSet changed = new NumberSet();

    LeastExtension(View view, BooleanSupplier trusted, boolean inSteps, Score score, IntPredicate open) {
        this.trusted = trusted;
        this.inSteps = inSteps;
        rankAll(view);
        servers = BestFit.servers(view, score, open, new Ranks());
    }

    private final class Ranks implements ServerRank {
        @Override
        public int of(int server) {
            return ranks[server];
        }

        @Override
        public int wanted(View view, int job) {
            return trusted.getAsBoolean() ? rank(ExpectedEnds.of(view, job)) : 0;
        }

        @Override
        public int lowest(View view, int job, int rank) {
            return inSteps ? lowestOfStep(wanted(view, job), rank) : rank;
        }
    }

    /** Extensions of less than an hour are alike, those of less than 10, of less than 100, and all longer ones. */
    private static int lowestOfStep(int wanted, int rank) {
        Times steps = Times.TENFOLD;
        int step = steps.of(Math.min(wanted - rank, LONGEST_EXTENSION) << BITS);
        long end = steps.end(step);
        return end == ExpectedEnds.NEVER ? 0 : Math.max(0, wanted - (int) ((end - 1) >> BITS));
    }

    /** The rank of an expected end. */
    private static int rank(long end) {
        return end == ExpectedEnds.NEVER ? UNKNOWN : (int) (Math.max(0, end) >> BITS);
    }

    @Override
    public void rebuild(View view) {
        ends = new ExpectedEnds();
        rankAll(view);
        changed.clear();
        servers.rebuild(view);
    }

    private void rankAll(View view) {
        for (int server = 0; server < view.servers(); server++) {
            ends.update(view, server);
            renewRank(server);
        }
    }

    @Override
    public void update(View view, int server) {
        ends.update(view, server);
        renewRank(server);
        changed.add(server);
    }

    @Override
    public void placed(View view, int job, int server) {
        ends.placed(view, server, job);
        renewRank(server);
        changed.add(server);
    }

    @Override
    public void left(View view, int job, int server) {
        ends.left(view, server, job);
        renewRank(server);
        changed.add(server);
    }

    private void renewRank(int server) {
        if (server >= ranks.length) {
            ranks = Arrays.copyOf(ranks, server + (server >> 1) + 16);
        }
        ranks[server] = rank(ends.of(server));
    }

    /** Brings everything up to the present time. */
    private void advance(View view) {
        for (int due = ends.changed(view); due != View.NONE; due = ends.changed(view)) {
            int before = ranks[due];
            ends.update(view, due);
            renewRank(due);
            if (ranks[due] != before) {
                changed.add(due);
            }
        }
        while (changed.size() > 0) {
            servers.update(view, changed.removeLast());
        }
    }

    @Override
    public int choose(View view, int job, int site) {
        advance(view);
        return servers.choose(view, job, site);
    }

    @Override
    public String reason() {
        return "best fit among the servers that it keeps in use least beyond their expected end";
    }
}
