package dev.stowage.service.api;

import dev.stowage.service.state.AuditRecord;
import dev.stowage.service.state.Quota;
import dev.stowage.service.v1.Audit;
import dev.stowage.service.v1.AuditLine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The audit trail as a message. */
final class AuditMessages {
    private static final Pattern QUOTA = Pattern.compile("(set-quota tenant=.*) requests=(-?\\d+) amounts=\\[(.*)]");

    private static final Pattern SERVER = Pattern.compile(" server=(\\d{1,9})(?= |$)");

    private AuditMessages() {}

    /**
     * The lines.
     *
     * @param names of servers, by number; empty for none
     */
    static Audit of(List<AuditRecord> lines, List<String> resources, IntFunction<String> names) {
        Audit.Builder audit = Audit.newBuilder();
        lines.forEach(line -> audit.addLines(AuditLine.newBuilder()
                .setAtNanos(line.at())
                .setPosition(line.position())
                .setActor(line.actor())
                // The time of a change is the line's own, and the command says 0.
                .setChange(serverByName(quotaByName(line.change().replaceFirst(" at=0(?= |$)", ""), resources), names))
                .setResult(line.result())));
        return audit.build();
    }

    /** The name of the server that is changed behind its number, if it has one. */
    static String serverByName(String change, IntFunction<String> names) {
        Matcher server = SERVER.matcher(change);
        String name = server.find() ? names.apply(Integer.parseInt(server.group(1))) : "";
        return name.isEmpty() ? change : change + " name=" + name;
    }

    /** Limits by the names of what they limit, where the log has them in the order of the resources. */
    static String quotaByName(String change, List<String> resources) {
        Matcher quota = QUOTA.matcher(change);
        if (!quota.matches()) {
            return change;
        }
        List<String> limits = new ArrayList<>();
        String[] amounts = quota.group(3).split(", ", -1);
        for (int r = 0; r < Math.min(amounts.length, resources.size()); r++) {
            limits.add(" amount." + resources.get(r) + "=" + amounts[r]);
        }
        limits.removeIf(limit -> limit.endsWith("=" + Quota.ANY) || limit.endsWith("="));
        String requests = quota.group(2).equals(String.valueOf(Quota.ANY)) ? "" : " requests=" + quota.group(2);
        return quota.group(1)
                + (requests.isEmpty() && limits.isEmpty() ? " unlimited" : requests)
                + String.join("", limits);
    }
}
