package dev.stowage.sim.result;

import org.jspecify.annotations.Nullable;

/**
 * Whether the total queue grows without bound, judged from its trajectory after warm-up.
 *
 * @param verdict {@code stable}, {@code unstable} or {@code undecided} (too short, or no queue: {@code no-queue})
 * @param growthPerHour fitted growth of the queue length, requests per simulated hour
 * @param halfWidth half-width of its confidence interval; null if it could not be formed
 */
public record Stability(
        String verdict, double growthPerHour, @Nullable Double halfWidth) {}
