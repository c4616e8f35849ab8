package dev.stowage.study.size;

import dev.stowage.core.model.Spread;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.TypeChoice;
import java.math.BigInteger;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many servers an inventory needs because some of it is kept apart: of a group no server has more than the greatest
 * limit of a member, so that n need at least n / limit servers, rounded up.
 *
 * @param servers that are left after any loss
 * @param rule in the words of a list, as in {@code spread db:1}; empty if none are needed
 */
record Apart(long servers, String rule) {
    /** Begins what decides a bound where this does. */
    static final String RULE = "spread ";

    /** Of the requests that count and fit a server, without some of them. */
    static Apart of(Experiment point, RequestList requests, TypeChoice types, boolean[] fits, long without) {
        Map<String, Long> members = new TreeMap<>();
        Map<String, Integer> limit = new TreeMap<>();
        for (int i = 0; i < requests.size() && point.workload().isInventory(); i++) {
            if (fits[requests.kind()[i]] && types.has(requests.type()[i])) {
                for (String text :
                        point.workload().typeConstraints(requests.type()[i]).spread()) {
                    Spread each = Spread.parse(text);
                    if (each.perServer()) {
                        members.merge(each.group(), 1L, Long::sum);
                        limit.merge(each.group(), each.most(), Math::max);
                    }
                }
            }
        }
        Apart most = new Apart(0, "");
        for (Map.Entry<String, Integer> group : limit.entrySet()) {
            long all = members.getOrDefault(group.getKey(), 0L) - without;
            long servers = (all + group.getValue() - 1) / group.getValue();
            if (servers > most.servers()) {
                most = new Apart(servers, RULE + group.getKey() + ":" + group.getValue());
            }
        }
        return most;
    }

    /** The least level of a fleet at which so many are left, whatever is lost. */
    long level(ServerFleet fleet, ServerFleet.Loss loss) {
        return fleet.least(
                BigInteger.valueOf(servers - fleet.stay()),
                Collections.nCopies(fleet.kinds().length, BigInteger.ONE),
                loss,
                0);
    }
}
