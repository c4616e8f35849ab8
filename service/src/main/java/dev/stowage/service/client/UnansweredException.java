package dev.stowage.service.client;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** None of several nodes answered a call as a service does; some may have answered who leads: nobody. */
public final class UnansweredException extends StatusRuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Map<String, Throwable> byAddress;
    private final transient Set<String> leaderless;

    /** With why each did not, in the order in which they were known; the last failure is the call's own. */
    UnansweredException(Map<String, Throwable> byAddress, Set<String> leaderless, Throwable last) {
        super(Status.fromThrowable(last).withCause(last));
        this.byAddress = new LinkedHashMap<>(byAddress);
        this.leaderless = new TreeSet<>(leaderless);
    }

    /** Why each of those that were asked did not answer, by its {@code host:port}. */
    public Map<String, Throwable> byAddress() {
        return byAddress;
    }

    /** Those that run and know of no leader, by {@code host:port}. */
    public Set<String> leaderless() {
        return leaderless;
    }
}
