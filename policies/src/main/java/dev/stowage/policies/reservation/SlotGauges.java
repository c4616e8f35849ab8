package dev.stowage.policies.reservation;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.View;
import java.util.Arrays;
import java.util.List;

/**
 * Reports slots per type, filled and empty, and the sizes of the groups. In the service interpretation also
 * {@code vms}, the number of VMs of each type that should exist: the signal for auto-scaling.
 */
final class SlotGauges {
    private static final long UNTOLD = Long.MIN_VALUE;

    private final int types;
    private final boolean tellsTotal;
    private final Gauge[] gauges;
    private final long[] told;

    SlotGauges(Interpretation interpretation, View view) {
        types = view.types();
        tellsTotal = interpretation == Interpretation.SERVICE;
        gauges = new Gauge[2 + 3 * types];
        told = new long[gauges.length];
        Arrays.fill(told, UNTOLD);
        gauges[0] = Gauge.of("accept_group", "servers");
        gauges[1] = Gauge.of("reject_group", "servers");
        for (int type = 0; type < types; type++) {
            String name = view.typeName(type);
            gauges[2 + 3 * type] =
                    Gauge.of(interpretation.filled, interpretation.unit).with("type", name);
            gauges[3 + 3 * type] =
                    Gauge.of(interpretation.empty, interpretation.unit).with("type", name);
            gauges[4 + 3 * type] = Gauge.of("vms", interpretation.unit).with("type", name);
        }
    }

    void tell(List<Groups> classes, Actions actions) {
        long servers = 0;
        long rejecting = 0;
        for (int c = 0; c < classes.size(); c++) {
            servers += classes.get(c).slots().servers();
            rejecting += classes.get(c).rejectGroup();
        }
        tell(0, servers - rejecting, actions);
        tell(1, rejecting, actions);
        for (int type = 0; type < types; type++) {
            long total = 0;
            long filled = 0;
            for (int c = 0; c < classes.size(); c++) {
                total += classes.get(c).slots().total(type);
                filled += classes.get(c).slots().totalFilled(type);
            }
            tell(2 + 3 * type, filled, actions);
            tell(3 + 3 * type, total - filled, actions);
            if (tellsTotal) {
                tell(4 + 3 * type, total, actions);
            }
        }
    }

    /** There are no slots any more. */
    void end(Actions actions) {
        for (int k = 0; k < gauges.length; k++) {
            if (told[k] != UNTOLD) {
                tell(k, 0, actions);
            }
        }
    }

    private void tell(int k, long value, Actions actions) {
        if (told[k] != value) {
            told[k] = value;
            actions.gauge(gauges[k], value);
        }
    }
}
