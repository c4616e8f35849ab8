package dev.stowage.service.state;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.service.state.Operation.Gang;
import dev.stowage.service.state.Operation.Submit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** One of the {@link Rollouts}. */
final class Rollout {
    private static final long STREAM = Streams.of("rollout-lifetimes");
    /** Limit on events: a request without a server by then is starved, or its turn is far away. */
    private static final int MOST_EVENTS = 200_000;

    private static final int EVENTS_A_STEP = 256;
    /** A time before which no lease ends. */
    private static final long FAR = Long.MAX_VALUE / 2;

    private final long target;
    private final int index;
    private final long begin;
    private final LearnedLifetimes lifetimes;
    /** Lifetimes of the requests in the system, by number. */
    private final Map<Long, LearnedLifetimes.OfKind> ofRequest = new HashMap<>();

    private final PriorityQueue<ReplayedPolicy.Due> ends = new PriorityQueue<>();
    /**
     * When each running request ends; one that has started again meanwhile has another time here than in {@link #ends}.
     */
    private final Map<Long, Long> dueOf = new HashMap<>();

    private final Deque<Long> stopping = new ArrayDeque<>();
    private final KeyedRandom random = new KeyedRandom();
    private long endedAt;
    private long startedAt = Long.MAX_VALUE;
    private boolean over;

    /**
     * A rollout.
     *
     * @param target number of the request that waits
     * @param index of the rollout: each draws other numbers
     * @param begin time of the state
     */
    Rollout(long target, int index, long begin, LearnedLifetimes lifetimes) {
        this.target = target;
        this.index = index;
        this.begin = begin;
        this.lifetimes = lifetimes;
        endedAt = begin;
    }

    /** Receiver of the effects of the engine's copy. */
    Effects effects() {
        return new Listener();
    }

    /** When it was over. */
    long endedAt() {
        return endedAt;
    }

    /**
     * Goes on until the request has a server, or will have none.
     *
     * @param engine the copy, with {@link #effects}
     * @param present the requests in the system
     * @param ages how long requests have held their servers, by number, nanoseconds; of others since they came to the
     *     server on which they are
     * @param goOn asked now and then; where it says no, it is over
     * @return how long it takes until the request starts, nanoseconds; {@link Long#MAX_VALUE} if it does not before
     *     this is over, after {@value #MOST_EVENTS} events at the latest
     */
    long run(
            Engine engine,
            OperationDriver driver,
            List<Request> present,
            Map<Long, Long> ages,
            FutureArrivals arrivals,
            BooleanSupplier goOn) {
        engine.renewLeases(begin, FAR);
        for (Request request : present) {
            ofRequest.put(request.number(), lifetimes.of(request.type(), request.demand()));
            if (request.waitUntil() > begin && request.state() == Request.State.WAITING) {
                driver.waits(request.waitUntil(), request.number());
            }
            if (request.state() == Request.State.RUNNING) {
                long standIn = HeldRoom.of(engine, request.number());
                if (standIn >= 0) {
                    stopping.add(standIn);
                }
                if (request.life().agent() && request.life().phase() == Phase.STOPPING) {
                    stopping.add(request.number());
                } else {
                    Long age = ages.get(request.number());
                    ends(request.number(), begin, Math.max(0, age == null ? begin - request.since() : age));
                }
            }
        }
        FutureArrivals.Walk walk = arrivals.walk(index, begin);
        stop(engine);
        for (int event = 0; event < MOST_EVENTS && !over; event++) {
            if (event % EVENTS_A_STEP == EVENTS_A_STEP - 1 && !goOn.getAsBoolean()) {
                break;
            }
            long end = ends.isEmpty() ? Long.MAX_VALUE : ends.peek().at();
            long wait = driver.nextWait();
            long arrival = walk == null ? Long.MAX_VALUE : walk.at();
            long deadline = engine.nextDeadline();
            long next = Math.min(Math.min(end, wait), Math.min(arrival, deadline));
            if (next >= FAR) {
                break;
            }
            endedAt = Math.max(endedAt, next);
            if (deadline == next) {
                engine.tick(endedAt);
            } else if (wait == next) {
                driver.endWait();
            } else if (end == next) {
                end(engine, ends.remove());
            } else if (walk != null) {
                arrive(driver, walk);
            }
            stop(engine);
        }
        return startedAt == Long.MAX_VALUE ? Long.MAX_VALUE : startedAt - begin;
    }

    private void end(Engine engine, ReplayedPolicy.Due due) {
        if (dueOf.remove(due.number(), due.at())) {
            engine.leave(endedAt, due.number());
        }
    }

    /** Simulates agents that stop requests at once. */
    private void stop(Engine engine) {
        while (!stopping.isEmpty()) {
            engine.stopped(endedAt, stopping.remove());
        }
    }

    private void arrive(OperationDriver driver, FutureArrivals.Walk walk) {
        RecentRequests.Known known = walk.known();
        long number = walk.number();
        walk.next();
        if (known.operation() instanceof Gang gang) {
            if (gang.members().stream().allMatch(member -> driver.problem(member) == null)) {
                for (int k = 0; k < gang.members().size(); k++) {
                    isLike(number + k, gang.members().get(k), driver);
                }
                driver.arriveTogether(gang, number, endedAt);
            }
        } else if (known.operation() instanceof Submit submit && driver.problem(submit) == null) {
            isLike(number, submit, driver);
            driver.arrive(submit, number, endedAt);
        }
    }

    private void isLike(long number, Submit submit, OperationDriver driver) {
        ofRequest.put(number, lifetimes.of(submit.type(), driver.demand(submit)));
    }

    private void ends(long number, long now, long age) {
        LearnedLifetimes.OfKind its = ofRequest.get(number);
        if (its != null) {
            long left = its.draw(age, random.key(index, STREAM, number).nextDouble()) - age;
            long at = OperationDriver.saturated(now, left);
            dueOf.put(number, at);
            ends.add(new ReplayedPolicy.Due(at, number));
        }
    }

    /** Receives the effects on requests. */
    private final class Listener extends EngineListener {
        private long number(int job) {
            return view().id(job);
        }

        @Override
        public void placed(long now, int job, int server, String reason) {
            long number = number(job);
            if (number == target) {
                startedAt = now;
                over = true;
            }
            ends(number, now, 0);
        }

        @Override
        public void displaced(long now, int job, int server) {
            dueOf.remove(number(job));
        }

        @Override
        public void stopping(long now, int job, int server, String reason) {
            stopping.add(number(job));
        }

        @Override
        public void rejected(long now, int job, String reason) {
            gone(job);
        }

        @Override
        public void left(long now, int job, int server) {
            gone(job);
        }

        private void gone(int job) {
            long number = number(job);
            over |= number == target;
            dueOf.remove(number);
            ofRequest.remove(number);
        }
    }
}
