package dev.stowage.study.size;

import dev.stowage.sim.experiment.Experiment;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.stream.Collectors;

/** What can be reached of a target that no number of servers meets, in words. */
record Reached(Experiment experiment) {
    private static final double PERCENT = 100;
    private static final double MICROS = 1e6;

    /** With any number of servers, where more requests fit none than may miss the target: which, and what is left. */
    String atBest() {
        Unfit unfit = Unfit.of(experiment);
        return "No number of servers is enough: " + unfit.sentence() + " So "
                + part((double) unfit.count() / unfit.requests())
                + " of the requests miss the target in any case. Leave such requests out, or name servers that hold"
                + " them.";
    }

    /** By a finished run. */
    String by(TargetWatch run) {
        return run.counts().stream()
                .filter(count -> Trial.isMissed(count, run))
                .map(count -> by(count, run))
                .collect(Collectors.joining(", "));
    }

    private String by(RequirementCount count, TargetWatch run) {
        double achieved = count.achieved(run.measuredNanos());
        String whose = count.its().type().isEmpty()
                ? "the requests"
                : "the requests of type "
                        + PeakBound.types(experiment, count.its()).name();
        return switch (count.its().kind()) {
            case MISSED -> part(achieved) + " of " + whose + " miss it";
            case MEAN_WAIT -> String.format(Locale.ROOT, "%s wait %.4g s on average", whose, achieved);
            case WAITING -> String.format(Locale.ROOT, "%.4g of %s wait on average", achieved, whose);
            case REWARD -> String.format(Locale.ROOT, "the reward is %.6g an hour", achieved / MICROS);
            case STABLE -> "the queue grows, or requests are rejected";
        };
    }

    /** As a percentage, rounded up in the last digit shown so that it can be reached. */
    private static String part(double part) {
        return BigDecimal.valueOf(Math.ceil(part * PERCENT * 1e4 - 1e-9) / 1e4)
                        .stripTrailingZeros()
                        .toPlainString()
                + " %";
    }
}
