package dev.stowage.policies.randomized;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Typed;
import dev.stowage.policies.learn.ServiceTimes;

/**
 * The common part of Algorithms 1 and 2: requests wait by type; every queue has a Poisson clock; when it ticks, its
 * head, or a dummy if it is empty, goes to a server if it fits.
 *
 * <p>Ticks without effect are left out: a clock that would find no room has rate 0 until there is some. Removing the
 * ticks that change nothing from a Poisson process does not change the distribution of the states.
 */
abstract class PoissonClocks implements Policy {
    private static final double SECOND_NANOS = 1e9;
    private static final String TICK = "the clock of its queue ticked";
    private static final String DUMMY = "the clock of an empty queue ticked";
    private static final String NO_TYPE = "has no type, or its demand is not that of its type";

    final int types;
    final Occupancy occupancy;
    final ClockRate rates;
    final Dummies dummies;
    private final ServiceTimes service;
    private final double unitNanos;
    private final Clock clock;

    PoissonClocks(View view, ClockOptions options) {
        types = view.types();
        occupancy = new Occupancy(view, options.configuration());
        rates = new ClockRate(options.scale(), options.exponent());
        dummies = options.dummies();
        service = new ServiceTimes(view);
        unitNanos = options.unitNanos() > 0 ? options.unitNanos() : service.declaredMeanNanos(SECOND_NANOS);
        clock = new Clock(unitNanos);
    }

    /** Queues a request of a known type. */
    abstract void queue(int job, int type, View view, Actions actions);

    /** A waiting request left. */
    abstract void gaveUp(int job, int type, View view);

    /** The requests or dummies on a server changed. */
    abstract void occupancyChanged(int server, View view);

    /** A server was added or changed its status. */
    abstract void statusChanged(int server, View view, Actions actions);

    /** One of the clocks ticks. */
    abstract void tick(View view, Actions actions);

    /** Sum of the rates of all clocks that would find room. */
    abstract double totalRate();

    /** Rate of a clock that finds room on a server. */
    final double rate(int server, int type, int queueLength) {
        if (queueLength == 0 && !placesDummy(server, type)) {
            return 0;
        }
        return rates.of(queueLength);
    }

    final boolean placesDummy(int server, int type) {
        return switch (dummies) {
            case ALWAYS -> true;
            case NEVER -> false;
            case KEEP -> occupancy.belowPeak(server, type);
        };
    }

    /** Serves the head of a queue, or a dummy if it is empty, on a server that has room. */
    final void serve(int head, int type, int server, View view, Actions actions) {
        if (!Typed.poolsHaveRoom(view, type, view.site(server))) {
            return;
        }
        if (head != View.NONE) {
            actions.place(head, server, TICK);
            service.started(view, head);
        } else {
            double mean = service.meanNanos(type, unitNanos);
            long ends = view.now() + Clock.nanos(view.random().nextExponential() * mean);
            actions.placeDummy(type, server, ends, DUMMY);
        }
        occupancy.added(server, type);
        occupancyChanged(server, view);
    }

    @Override
    public void started(View view, Actions actions) {
        wind(view, actions);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        if (Typed.isOfItsType(view, job)) {
            queue(job, view.type(job), view, actions);
            wind(view, actions);
        } else {
            actions.reject(job, NO_TYPE);
        }
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        int type = view.type(job);
        if (server == View.NONE) {
            gaveUp(job, type, view);
        } else {
            if (type != View.NONE) {
                service.ended(view, job);
            }
            removed(server, type, view);
        }
        wind(view, actions);
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        service.displaced(job);
        removed(server, view.type(job), view);
        arrived(job, view, actions);
        wind(view, actions);
    }

    @Override
    public void dummyEnded(int dummy, int server, View view, Actions actions) {
        removed(server, view.type(dummy), view);
        wind(view, actions);
    }

    private void removed(int server, int type, View view) {
        if (type != View.NONE) {
            occupancy.removed(view, server, type);
        }
        occupancyChanged(server, view);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        occupancy.growTo(view.servers());
        statusChanged(server, view, actions);
        occupancyChanged(server, view);
        wind(view, actions);
    }

    @Override
    public void timer(long tag, View view, Actions actions) {
        clock.ticked();
        if (totalRate() > 0) {
            tick(view, actions);
        }
        wind(view, actions);
    }

    final void wind(View view, Actions actions) {
        clock.wind(totalRate(), view, actions);
    }

    @Override
    public void save(StateWriter out) {
        occupancy.save(out);
        service.save(out);
        clock.save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        occupancy.restore(in);
        service.restore(in);
        clock.restore(in);
        for (int server = 0; server < view.servers(); server++) {
            occupancyChanged(server, view);
        }
    }
}
