package dev.stowage.policies.lifetime;

import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.Score;
import dev.stowage.policies.fit.ServerChoice;
import dev.stowage.policies.fit.ServerRank;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Best fit by lifetime. A server's class is that of the time until it is expected to be empty ({@link ExpectedEnds},
 * {@link TimeClasses}). A request goes to the best server of its own class or a longer one, which it does not keep in
 * use for longer; if none has room to the best of the next shorter class, and so on; last to an empty one.
 *
 * <p>As time passes a server comes to shorter classes, and when a request outlives its expectation perhaps to a longer
 * one. The class is a {@link ServerRank}.
 */
final class LifetimeClasses implements ServerChoice {
    /** Class of an empty server. */
    static final int EMPTY = 0;

    private final TimeClasses steps;
    private final ServerChoice servers;
    private ExpectedEnds ends = new ExpectedEnds();
    private int[] classes = new int[0];

    LifetimeClasses(View view, TimeClasses steps, Score score, IntPredicate open) {
        this.steps = steps;
        classify(view);
        servers = BestFit.servers(view, score, open, new Ranks());
    }

    private final class Ranks implements ServerRank {
        @Override
        public int most() {
            return TimeClasses.UNKNOWN;
        }

        @Override
        public int of(int server) {
            return classes[server];
        }

        @Override
        public int wanted(View view, int job) {
            long end = ExpectedEnds.of(view, job);
            return end == ExpectedEnds.NEVER ? TimeClasses.UNKNOWN : steps.of(end, view.now());
        }
    }

    @Override
    public void rebuild(View view) {
        ends = new ExpectedEnds();
        classify(view);
        servers.rebuild(view);
    }

    private void classify(View view) {
        for (int server = 0; server < view.servers(); server++) {
            ends.update(view, server);
            classify(view, server);
        }
    }

    @Override
    public void update(View view, int server) {
        ends.update(view, server);
        classify(view, server);
        servers.update(view, server);
    }

    private void classify(View view, int server) {
        if (server >= classes.length) {
            classes = Arrays.copyOf(classes, server + (server >> 1) + 16);
        }
        long end = ends.of(server);
        if (end == ExpectedEnds.EMPTY || end == ExpectedEnds.NEVER) {
            classes[server] = end == ExpectedEnds.EMPTY ? EMPTY : TimeClasses.UNKNOWN;
            ends.lookAgain(server, ExpectedEnds.NEVER);
        } else {
            classes[server] = steps.of(end, view.now());
            ends.lookAgain(server, steps.until(end, classes[server]));
        }
    }

    /** Brings the classes up to the present time. */
    private void advance(View view) {
        for (int due = ends.changed(view); due != View.NONE; due = ends.changed(view)) {
            if (!ends.isValid(view, due)) {
                ends.update(view, due);
            }
            int before = classes[due];
            classify(view, due);
            if (classes[due] != before) {
                servers.update(view, due);
            }
        }
    }

    @Override
    public int choose(View view, int job) {
        advance(view);
        return servers.choose(view, job);
    }

    @Override
    public int chooseIn(View view, int job, int site) {
        advance(view);
        return servers.chooseIn(view, job, site);
    }

    @Override
    public String reason() {
        return "best fit among servers that are expected to be in use as long as the request";
    }
}
