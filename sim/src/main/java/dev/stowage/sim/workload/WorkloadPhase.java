package dev.stowage.sim.workload;

import java.util.List;

/**
 * The request types of a {@link SyntheticWorkload} from a time on: a change of rates, mix, demands or service times is
 * a new phase. It applies to requests that arrive from {@code fromNanos} on, not to those already present.
 */
public record WorkloadPhase(long fromNanos, List<SyntheticType> types) {
    public WorkloadPhase {
        Parameters.check(fromNanos >= 0, "start of a phase in nanoseconds", fromNanos, "at least 0");
        types = List.copyOf(types);
        if (types.isEmpty()) {
            throw new IllegalArgumentException("a phase has no request types, must have at least 1");
        }
    }

    List<String> names() {
        return types.stream().map(SyntheticType::name).toList();
    }

    double ratePerSecond() {
        return types.stream().mapToDouble(SyntheticType::ratePerSecond).sum();
    }
}
