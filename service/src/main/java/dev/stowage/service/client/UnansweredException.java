package dev.stowage.service.client;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.LinkedHashMap;
import java.util.Map;

/** None of several nodes answered a call as a service does. */
public final class UnansweredException extends StatusRuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Map<String, Throwable> byAddress;

    /** With why each did not, in the order in which they were known; the last failure is the call's own. */
    UnansweredException(Map<String, Throwable> byAddress, Throwable last) {
        super(Status.fromThrowable(last).withCause(last));
        this.byAddress = new LinkedHashMap<>(byAddress);
    }

    /** Why each of those that were asked did not answer, by its {@code host:port}. */
    public Map<String, Throwable> byAddress() {
        return byAddress;
    }
}
