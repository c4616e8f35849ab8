package dev.stowage.policies.lifetime;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Remembering;

/**
 * Whether expected lifetimes are good enough to act on. Each request that ends and had said how long it expects to run
 * counts one up if that was right to a factor of 3, else one down, between 0 and 200. They are trusted from 200 on, and
 * no more from 0 on; at first they are not.
 *
 * <p>Where a part p below one half is right, each independently, a count that has left 0 reaches 200 before it is back
 * with a probability of less than (p / (1 - p))^199: of 45 %, 5 10^-18.
 */
final class Trust implements Remembering.Memory {
    static final int FACTOR = 3;
    static final int ENOUGH = 200;

    private int balance;
    private boolean trusted;

    boolean isTrusted() {
        return trusted;
    }

    @Override
    public void left(View view, int job, int server) {
        if (view.expectedNanos(job) > 0) {
            ended(view.now() - view.runsSince(job), view.expectedNanos(job));
        }
    }

    /** A request has ended, nanoseconds after it was placed. */
    void ended(long ran, long expected) {
        boolean right = ran / FACTOR < expected && expected / FACTOR < ran;
        balance = Math.max(0, Math.min(ENOUGH, balance + (right ? 1 : -1)));
        trusted = trusted ? balance > 0 : balance == ENOUGH;
    }

    @Override
    public void save(StateWriter out) {
        out.putInt(balance);
        out.putBoolean(trusted);
    }

    @Override
    public void restore(StateReader in, View view) {
        balance = in.getInt();
        trusted = in.getBoolean();
    }
}
