package dev.stowage.testkit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Policies of every kind that keep the laws, to test the engine with. */
final class Samples {
    private static final Map<String, Supplier<Policy>> ALL = new TreeMap<>(Map.of(
            "first-fit", FirstFitLoss::new,
            "fcfs", CentralFcfs::new,
            "power-of-two", PowerOfTwo::new,
            "equal-share", EqualShare::new,
            "dummies", RandomDummies::new,
            "migrating", Migrating::new,
            "largest-first", LargestFirst::new));

    static final PolicyFactory FACTORY = spec -> {
        Supplier<Policy> maker = ALL.get(spec.name());
        if (maker == null) {
            throw new IllegalArgumentException("policy " + spec.name() + " is not one of " + ALL.keySet());
        }
        return maker.get();
    };

    private Samples() {}

    static PolicySpec[] specs() {
        return ALL.keySet().stream().map(PolicySpec::of).toArray(PolicySpec[]::new);
    }

    static int firstFit(int job, View view) {
        for (int server = 0; server < view.servers(); server++) {
            if (view.fits(job, server)) {
                return server;
            }
        }
        return View.NONE;
    }

    static List<Integer> jobs(int head, View view) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = head; job != View.NONE; job = view.next(job)) {
            jobs.add(job);
        }
        return jobs;
    }

    /** Loss: the first server with room, or rejected. */
    static class FirstFitLoss implements Policy {
        @Override
        public int queues(View view) {
            return 0;
        }

        @Override
        public void arrived(int job, View view, Actions actions) {
            int server = firstFit(job, view);
            if (server == View.NONE) {
                actions.reject(job, "no room");
            } else {
                actions.place(job, server, "first fit");
            }
        }

        @Override
        public void timer(long tag, View view, Actions actions) {
            throw new IllegalStateException("timer " + tag + " is not mine");
        }
    }

    /** One queue, first come first served, with head-of-line blocking. */
    static final class CentralFcfs implements Policy {
        @Override
        public void arrived(int job, View view, Actions actions) {
            actions.enqueue(job, 0, "in line");
        }

        @Override
        public void round(View view, Actions actions) {
            int head = view.queueHead(0);
            while (head != View.NONE && firstFit(head, view) != View.NONE) {
                actions.place(head, firstFit(head, view), "its turn");
                head = view.queueHead(0);
            }
        }
    }

    /** A queue per server; a request joins the shorter of two random ones. */
    static final class PowerOfTwo implements Policy {
        @Override
        public int queues(View view) {
            return view.servers();
        }

        @Override
        public void arrived(int job, View view, Actions actions) {
            List<Integer> up = new ArrayList<>();
            for (int server = 0; server < view.servers(); server++) {
                if (view.status(server) == ServerStatus.UP) {
                    up.add(server);
                }
            }
            if (up.isEmpty()) {
                actions.reject(job, "no server is up");
                return;
            }
            int one = up.get(view.random().nextInt(up.size()));
            int other = up.get(view.random().nextInt(up.size()));
            actions.enqueue(job, view.queueLength(one) <= view.queueLength(other) ? one : other, "shorter of two");
        }

        @Override
        public void serverChanged(int server, View view, Actions actions) {
            if (view.status(server) != ServerStatus.UP) {
                jobs(view.queueHead(server), view).forEach(job -> arrived(job, view, actions));
            }
        }

        @Override
        public void round(View view, Actions actions) {
            for (int server = 0; server < view.servers(); server++) {
                int head = view.queueHead(server);
                while (head != View.NONE && view.fits(head, server)) {
                    actions.place(head, server, "its turn");
                    head = view.queueHead(server);
                }
            }
        }
    }

    /** What runs on a server has equal shares of the divisible resource. */
    static final class EqualShare implements Policy {
        @Override
        public void arrived(int job, View view, Actions actions) {
            for (int server = 0; server < view.servers(); server++) {
                if (view.divisibleResource() != View.NONE) {
                    running(server, view).forEach(other -> actions.allocate(other, 0));
                }
                if (view.fits(job, server)) {
                    actions.place(job, server, "first with room");
                    share(server, view, actions);
                    return;
                }
                share(server, view, actions);
            }
            actions.enqueue(job, 0, "no room");
        }

        @Override
        public void left(int job, int server, View view, Actions actions) {
            if (server != View.NONE) {
                share(server, view, actions);
                int head = view.queueHead(0);
                if (head != View.NONE) {
                    arrived(head, view, actions);
                }
            }
        }

        private static void share(int server, View view, Actions actions) {
            List<Integer> running = running(server, view);
            if (view.divisibleResource() != View.NONE && !running.isEmpty()) {
                long all = view.free(server, view.divisibleResource());
                for (int job : running) {
                    all += view.share(job);
                }
                running.forEach(job -> actions.allocate(job, 0));
                for (int job : running) {
                    actions.allocate(job, all / running.size());
                }
            }
        }

        private static List<Integer> running(int server, View view) {
            return jobs(view.firstOn(server), view).stream()
                    .filter(job -> view.state(job) == JobState.RUNNING)
                    .toList();
        }
    }

    /** Random placement, dummies that follow each other, timers that are set and taken back. */
    static final class RandomDummies implements Policy {
        private int timer = View.NONE;

        @Override
        public void started(View view, Actions actions) {
            for (int server = 0; server < view.servers(); server++) {
                dummy(server, view, actions);
            }
        }

        @Override
        public void arrived(int job, View view, Actions actions) {
            actions.enqueue(job, 0, "wait for the timer");
            if (timer != View.NONE && view.random().nextInt(2) == 0) {
                actions.cancelTimer(timer);
                timer = View.NONE;
            }
            if (timer == View.NONE) {
                timer = actions.timer(view.now() + 1 + view.random().nextInt(3), view.now());
            }
        }

        @Override
        public void timer(long tag, View view, Actions actions) {
            timer = View.NONE;
            for (int job : jobs(view.queueHead(0), view)) {
                int server = view.servers() == 0 ? View.NONE : view.random().nextInt(view.servers());
                if (server != View.NONE && view.fits(job, server)) {
                    actions.place(job, server, "random");
                }
            }
        }

        @Override
        public void dummyEnded(int dummy, int server, View view, Actions actions) {
            if (view.random().nextInt(2) == 0) {
                dummy(server, view, actions);
            }
        }

        @Override
        public void left(int job, int server, View view, Actions actions) {
            if (server != View.NONE) {
                dummy(server, view, actions);
            }
        }

        private static void dummy(int server, View view, Actions actions) {
            if (view.types() == 0 || view.status(server) != ServerStatus.UP) {
                return;
            }
            int type = view.random().nextInt(view.types());
            for (int r = 0; r < view.resources(); r++) {
                if (view.typeDemand(type, r) > view.free(server, r)) {
                    return;
                }
            }
            for (int p = 0; p < view.pooledResources(); p++) {
                if (view.typePooledDemand(type, p) > view.pooledFree(view.site(server), p)) {
                    return;
                }
            }
            actions.placeDummy(type, server, view.now() + 1 + view.random().nextInt(4), "hold the place");
        }

        @Override
        public void save(StateWriter out) {
            out.putInt(timer);
        }

        @Override
        public void restore(StateReader in, View view) {
            timer = in.getInt();
        }
    }

    /** First fit that fills gaps: after a departure the last job of the last server moves down. */
    static final class Migrating extends FirstFitLoss {
        @Override
        public void left(int job, int server, View view, Actions actions) {
            for (int from = view.servers() - 1; from >= 0; from--) {
                for (int candidate : jobs(view.firstOn(from), view)) {
                    int to = firstFit(candidate, view);
                    if (to != View.NONE && to < from) {
                        actions.migrate(candidate, to, "fill the gap");
                        return;
                    }
                }
            }
        }
    }

    /** Decides at the end of a step only: largest demand first, the rest waits; has memory of its own. */
    static final class LargestFirst implements Policy {
        private long rounds;

        @Override
        public void arrived(int job, View view, Actions actions) {}

        @Override
        public void round(View view, Actions actions) {
            rounds++;
            List<Integer> jobs = new ArrayList<>(jobs(view.pendingHead(), view));
            jobs.addAll(jobs(view.queueHead(0), view));
            jobs.sort(Comparator.comparingLong((Integer job) -> -view.demand(job, 0))
                    .thenComparingLong(view::order));
            for (int job : jobs) {
                int server = firstFit(job, view);
                if (server != View.NONE) {
                    actions.place(job, server, "largest");
                } else if (view.state(job) == JobState.PENDING) {
                    actions.enqueue(job, 0, rounds % 2 == 0 ? "even round" : "odd round");
                }
            }
        }

        @Override
        public void save(StateWriter out) {
            out.putLong(rounds);
        }

        @Override
        public void restore(StateReader in, View view) {
            rounds = in.getLong();
        }
    }
}
