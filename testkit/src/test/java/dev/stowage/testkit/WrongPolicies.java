package dev.stowage.testkit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyBugException;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.View;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Policies that each break one rule: the laws must catch every one. */
final class WrongPolicies {
    private WrongPolicies() {}

    /** A factory of this one policy under the name "wrong". */
    static PolicyFactory only(Supplier<Policy> maker) {
        return spec -> {
            if (!spec.name().equals("wrong")) {
                throw new IllegalArgumentException("policy " + spec.name() + " is not wrong");
            }
            return maker.get();
        };
    }

    /** Places without looking whether there is room. */
    static final class Overfills implements Policy {
        @Override
        public void arrived(int job, View view, Actions actions) {
            actions.place(job, 0, "whatever");
        }
    }

    /** Decides nothing. */
    static final class Undecided implements Policy {
        @Override
        public void arrived(int job, View view, Actions actions) {}
    }

    /** Names a job that is not there. */
    static final class UnknownJob implements Policy {
        @Override
        public void arrived(int job, View view, Actions actions) {
            actions.enqueue(job + 1_000, 0, "who?");
        }
    }

    /** Names a queue that is not there. */
    static final class UnknownQueue implements Policy {
        @Override
        public void arrived(int job, View view, Actions actions) {
            actions.enqueue(job, 1, "where?");
        }
    }

    /** Starts a request twice. */
    static final class PlacesTwice extends Samples.FirstFitLoss {
        @Override
        public void round(View view, Actions actions) {
            int job = view.servers() == 0 ? View.NONE : view.firstOn(0);
            if (job != View.NONE) {
                actions.place(job, 0, "again");
            }
        }
    }

    /** Overfills and hides it. */
    static final class SwallowsTheException implements Policy {
        @Override
        public void arrived(int job, View view, Actions actions) {
            try {
                actions.place(job, 0, "perhaps");
            } catch (PolicyBugException e) {
                actions.reject(job, "perhaps not");
            }
        }
    }

    /** Rejects every other request, and forgets which when saved. */
    static final class Forgetful extends Samples.FirstFitLoss {
        private int count;

        @Override
        public void arrived(int job, View view, Actions actions) {
            if (count++ % 2 == 0) {
                actions.reject(job, "every other");
            } else {
                super.arrived(job, view, actions);
            }
        }
    }

    /** Writes something else every time it is saved: what a hash order or an address would do. */
    static final class SavesNoise extends Samples.FirstFitLoss {
        private static final AtomicInteger NOISE = new AtomicInteger();

        @Override
        public void save(dev.stowage.core.policy.StateWriter out) {
            out.putInt(NOISE.incrementAndGet());
        }

        @Override
        public void restore(dev.stowage.core.policy.StateReader in, View view) {
            in.getInt();
        }
    }

    /** Draws from a generator that every object starts differently. */
    static final class Unseeded extends Samples.FirstFitLoss {
        private static final AtomicInteger OBJECTS = new AtomicInteger();
        private final boolean rejects = OBJECTS.incrementAndGet() % 2 == 0;

        @Override
        public void arrived(int job, View view, Actions actions) {
            if (rejects) {
                actions.reject(job, "today");
            } else {
                super.arrived(job, view, actions);
            }
        }
    }
}
