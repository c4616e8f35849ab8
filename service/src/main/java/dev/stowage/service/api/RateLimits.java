package dev.stowage.service.api;

import dev.stowage.service.state.Quota;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many requests a second each tenant may submit, release or read at a node: a bucket that holds one second's
 * worth, at least one, and fills steadily. Only the leader takes requests, so the node's limit is the service's.
 */
final class RateLimits {
    private static final double SECOND = 1e9;

    private final String verb;
    private final Map<String, Double> perSecond;
    private final LongSupplier nanos;
    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

    /** The bucket of a tenant. */
    private static final class Bucket {
        private final double rate;
        private double level;
        private long last;

        Bucket(double rate, long now) {
            this.rate = rate;
            level = Math.max(1, rate);
            last = now;
        }

        /** Takes one; returns 0, or the nanoseconds until one will be available. */
        synchronized long take(long now) {
            level = Math.min(Math.max(1, rate), level + (now - last) / SECOND * rate);
            last = now;
            if (level >= 1) {
                level--;
                return 0;
            }
            return (long) Math.ceil((1 - level) / rate * SECOND);
        }
    }

    /** With rates by tenant; {@link Quota#EVERYBODY} stands for the others, each of which has its own bucket. */
    RateLimits(String verb, Map<String, Double> perSecond, LongSupplier nanos) {
        this.verb = verb;
        this.perSecond = Map.copyOf(new TreeMap<>(perSecond));
        this.nanos = nanos;
    }

    /** The limits of one kind among those of all. */
    static RateLimits of(String verb, Map<String, Rates> all, Function<Rates, @Nullable Double> kind) {
        Map<String, Double> given = new TreeMap<>();
        all.forEach((tenant, rates) -> {
            Double rate = kind.apply(rates);
            if (rate != null) {
                given.put(tenant, rate);
            }
        });
        return new RateLimits(verb, given, System::nanoTime);
    }

    /** Admits one more request of the tenant, or throws. */
    void admit(String tenant) {
        Double rate = rate(tenant);
        if (rate == null) {
            return;
        }
        long now = nanos.getAsLong();
        long wait =
                buckets.computeIfAbsent(tenant, name -> new Bucket(rate, now)).take(now);
        if (wait > 0) {
            throw Failure.tooFast(tenant, verb, rate, 1 + wait / 1_000_000);
        }
    }

    private @Nullable Double rate(String tenant) {
        Double own = perSecond.get(tenant);
        return own != null ? own : perSecond.get(Quota.EVERYBODY);
    }
}
