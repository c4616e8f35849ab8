package dev.stowage.service.api;

import io.grpc.Status;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A limited quantity that callers share: no caller and no address may have more than a part of it, so none starves the
 * others. Thread-safe; O(1).
 */
final class Shares {
    private final String reason;
    private final String what;
    private final int most;
    private final int ofCaller;
    private final int ofAddress;
    private final AtomicInteger all = new AtomicInteger();
    private final Map<String, Integer> held = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();

    /**
     * Something to share.
     *
     * @param reason of refusals
     * @param what it is, for messages
     * @param most in all
     * @param ofCaller most for a caller
     * @param ofAddress most for an address
     */
    Shares(String reason, String what, int most, int ofCaller, int ofAddress) {
        this.reason = reason;
        this.what = what;
        this.most = most;
        this.ofCaller = ofCaller;
        this.ofAddress = ofAddress;
    }

    /** A share that is held until it is given back. */
    final class Held {
        private final String caller;
        private final String address;
        private final int amount;

        private Held(String caller, String address, int amount) {
            this.caller = caller;
            this.address = address;
            this.amount = amount;
        }

        /** Gives it back; must be called once. */
        void free() {
            all.addAndGet(-amount);
            less(caller, amount);
            less(address, amount);
        }
    }

    int taken() {
        return all.get();
    }

    /** Takes some, or throws an exception that names the limit. */
    Held take(Caller caller, String address, int amount) {
        String named = caller.isAnybody() ? "" : "caller '" + caller.name() + "'";
        String from = "address " + address;
        if (all.addAndGet(amount) > most) {
            all.addAndGet(-amount);
            throw refused("this node", most);
        }
        if (!more(named, amount, ofCaller)) {
            all.addAndGet(-amount);
            throw refused(named, ofCaller);
        }
        if (!more(from, amount, ofAddress)) {
            all.addAndGet(-amount);
            less(named, amount);
            throw refused(from, ofAddress);
        }
        return new Held(named, from, amount);
    }

    private boolean more(String whose, int amount, int limit) {
        if (whose.isEmpty()) {
            return true;
        }
        boolean[] fits = new boolean[1];
        held.compute(whose, (key, now) -> {
            int before = now == null ? 0 : now;
            fits[0] = before + amount <= limit;
            return fits[0] ? Integer.valueOf(before + amount) : now;
        });
        return fits[0];
    }

    private void less(String whose, int amount) {
        held.computeIfPresent(whose, (key, now) -> now <= amount ? null : now - amount);
    }

    private Failure refused(String who, int limit) {
        refused.increment();
        return Failure.of(
                Status.Code.RESOURCE_EXHAUSTED,
                reason,
                who + " may have at most " + limit + " " + what + "; try again when some have ended");
    }
}
