package dev.stowage.sim.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the total queue grows without bound, judged from its trajectory; docs/statistics.md says how.
 *
 * @param verdict {@code stable}, {@code unstable}, {@code undecided}, {@code no-queue} if nothing ever waited, or
 *     {@code inventory} if it is not judged, because all requests are there from the start and none ends
 * @param growthPerHour growth of the queue length after warm-up, requests per simulated hour
 * @param halfWidth half-width of its 95 % confidence interval; null if it could not be formed
 * @param reason of an undecided verdict: {@code still-filling} (the queue grows, but less and less) or {@code
 *     too-short}; else null
 * @param tellingHours length of a run that would probably decide, simulated hours; null if decided or if no length can
 *     be given
 * @param finalQueues queue length at the end of each replication, if some of them alone show growth and others do not;
 *     else null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Stability(
        String verdict,
        double growthPerHour,
        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Double halfWidth,
        @Nullable String reason,
        @Nullable Double tellingHours,
        @Nullable List<Long> finalQueues) {
    /** The verdict on an inventory, where nothing waits for anything to end. */
    public static final String INVENTORY = "inventory";
    /** The queue grows, but less and less. */
    public static final String STILL_FILLING = "still-filling";
    /** The interval of the growth is too wide. */
    public static final String TOO_SHORT = "too-short";

    /** A verdict without further details. */
    public Stability(String verdict, double growthPerHour, @Nullable Double halfWidth) {
        this(verdict, growthPerHour, halfWidth, null, null, null);
    }
}
