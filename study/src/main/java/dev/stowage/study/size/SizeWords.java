package dev.stowage.study.size;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.workload.Workload;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Kinds of servers and moments as people write them: {@code 48 vCPU, 128 GiB}. */
public final class SizeWords {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private SizeWords() {}

    /** A time of a run: the date in the requests' own clock (UTC), or hours from the start where there is none. */
    public static String moment(Workload workload, long nanos) {
        return workload.startNanos() == Workload.NO_DATE
                ? String.format(Locale.ROOT, "%.2f h", nanos / 3600e9)
                : DATE.format(Instant.ofEpochSecond(0, workload.startNanos() + nanos));
    }

    /** The capacity of each kind of server, in their order. */
    public static List<String> kinds(Experiment point) {
        List<Resource> resources = point.cluster().resources();
        return point.cluster().sites().stream()
                .flatMap(site -> site.servers().stream())
                .map(ServerBlock::capacity)
                .map(capacity -> of(resources, capacity))
                .toList();
    }

    /** A kind of server. */
    public static String of(List<Resource> resources, Amounts capacity) {
        List<String> parts = new ArrayList<>();
        for (int r = 0; r < resources.size(); r++) {
            if (capacity.get(r) > 0) {
                parts.add(ResourceWords.amount(resources.get(r).name(), capacity.get(r)));
            }
        }
        return String.join(", ", parts);
    }
}
