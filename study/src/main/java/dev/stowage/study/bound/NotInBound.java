package dev.stowage.study.bound;

import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.measure.MeasuredPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The features of an experiment that bounds ignore: the bounds hold, but may be farther from what is possible. */
public final class NotInBound {
    private NotInBound() {}

    /** These features in words; empty if there are none. */
    public static List<String> of(Experiment experiment) {
        List<String> unknown = new ArrayList<>();
        for (int type = 0; type < experiment.workload().types().size(); type++) {
            if (!experiment.workload().typeConstraints(type).spread().isEmpty()) {
                unknown.add("that requests are kept apart (spread)");
                break;
            }
        }
        Set<MeasuredPart> parts = experiment.parts();
        if (parts.contains(MeasuredPart.GANGS)) {
            unknown.add("that gangs are placed at once");
        }
        if (parts.contains(MeasuredPart.PRIORITIES)) {
            unknown.add("that evicted requests start again (priority)");
        }
        if (parts.contains(MeasuredPart.LONGEST_WAITS)) {
            unknown.add("that requests leave when they have waited too long (max-wait)");
        }
        if (parts.contains(MeasuredPart.FAILURES)) {
            unknown.add("failures of servers");
        }
        if (parts.contains(MeasuredPart.STARTS)) {
            unknown.add("starts that take time or fail");
        }
        return unknown.isEmpty()
                ? List.of()
                : List.of("the bound of the load ignores " + String.join(", ", unknown)
                        + ": no policy supports more, but what is supportable may be less");
    }
}
