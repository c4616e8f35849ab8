package dev.stowage.service.api;

import dev.stowage.service.state.Rollouts;
import dev.stowage.service.v1.Explanation;
import dev.stowage.service.v1.Forecast;
import java.util.Optional;

/** When a waiting request will probably start, as a message. */
final class Forecasts {
    private static final double PROBABILITY = 0.9;

    private Forecasts() {}

    /**
     * An explanation with what rollouts say, if there are any.
     *
     * @param all whether the caller may know of all tenants, and so from how many requests it is learned
     */
    static Explanation with(Explanation why, Optional<Rollouts.Result> result, boolean all) {
        return result.isEmpty()
                ? why
                : why.toBuilder().setForecast(message(result.get(), all)).build();
    }

    private static Forecast message(Rollouts.Result result, boolean all) {
        Forecast.Builder out = Forecast.newBuilder()
                .setRollouts(result.waits().length)
                .setStarted(result.started())
                .setHorizonNanos(result.horizonNanos())
                .setProblem(result.problem());
        if (all) {
            out.setLearnedRequests(result.learned())
                    .setLearnedEnds(result.ended())
                    .setLearnedSinceNanos(result.sinceNanos());
        }
        if (result.waits().length == 0) {
            return out.build();
        }
        long[] bounds = result.interval(PROBABILITY);
        if (bounds[0] < Long.MAX_VALUE) {
            out.setWaitLowNanos(bounds[0]);
        }
        if (result.median() < Long.MAX_VALUE) {
            out.setWaitMedianNanos(result.median());
        }
        if (bounds[1] < Long.MAX_VALUE) {
            out.setWaitHighNanos(bounds[1]);
        }
        return out.build();
    }
}
