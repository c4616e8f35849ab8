package dev.stowage.cli.kube;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.core.model.Resource;
import dev.stowage.kube.translate.Quantities;
import dev.stowage.policies.Policies;
import dev.stowage.sim.driver.Recording;
import dev.stowage.study.advise.RecordedChanges;
import dev.stowage.study.advise.Turnover;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How fast the pods of a cluster come and go, from a recording.
 *
 * @param turnover by kind, most pods first
 * @param requests amounts by resource of each kind, by its name
 * @param room what is left of each node for pods that come and go
 * @param fitNone how many pods fit no node, even an empty one; they are of no kind
 * @param endKnown whether the recording's end is known, and not only its last event
 */
record PodTurnover(
        Turnover turnover,
        Map<String, SortedMap<String, Long>> requests,
        List<Map<String, Long>> room,
        int fitNone,
        boolean endKnown) {
    static final String MEMORY = "memory";
    private static final double NANOS_PER_HOUR = 3.6e12;
    /** What engines call {@link Quantities#CPU}. */
    private static final String ENGINE_CPU = "cpu_milli";

    /** @param file as {@code kube schedule --record} writes it */
    static PodTurnover of(Path file) {
        RecordedChanges changes = new RecordedChanges();
        Recording recording = Recording.replay(file, new Policies(), changes);
        List<String> resources = recording.setup().cluster().resources().stream()
                .map(Resource::name)
                .toList();
        if (!resources.contains(ENGINE_CPU) || !resources.contains(MEMORY)) {
            throw new BadInputException("--recording " + file + ": is of " + String.join(", ", resources)
                    + ", not of pods; 'stowage kube schedule --record DIR' writes one");
        }
        double hours = recording.endNanos() / NANOS_PER_HOUR;
        if (!(hours > 0)) {
            throw new BadInputException("--recording " + file + ": it covers no time");
        }
        Map<String, SortedMap<String, Long>> requests = new LinkedHashMap<>();
        List<Turnover.Kind> kinds = new ArrayList<>();
        for (RecordedChanges.Kind kind : changes.end(recording.endNanos())) {
            kinds.add(Turnover.observed(
                    name(translated(kind.demand()), requests),
                    hours,
                    kind.before(),
                    kind.stayed(),
                    kind.came(),
                    kind.left(),
                    kind.nanosRun() / NANOS_PER_HOUR));
        }
        List<Map<String, Long>> room = new ArrayList<>();
        changes.room().forEach(node -> room.add(translated(node)));
        return new PodTurnover(sorted(hours, kinds), requests, room, changes.fitNone(), recording.endKnown());
    }

    private static Turnover sorted(double hours, List<Turnover.Kind> kinds) {
        kinds.sort((one, other) -> Integer.compare(other.before() + other.came(), one.before() + one.came()));
        return new Turnover(hours, kinds);
    }

    private static SortedMap<String, Long> translated(Map<String, Long> amounts) {
        SortedMap<String, Long> pods = new TreeMap<>();
        amounts.forEach(
                (resource, amount) -> pods.put(resource.equals(ENGINE_CPU) ? Quantities.CPU : resource, amount));
        return pods;
    }

    /** What pods of a kind ask for, in words; two kinds that differ by less than is shown get numbers. */
    private static String name(SortedMap<String, Long> asked, Map<String, SortedMap<String, Long>> names) {
        List<String> parts = new ArrayList<>();
        asked.forEach((resource, amount) -> {
            if (!resource.equals("pods")) {
                parts.add(
                        resource.equals(Quantities.CPU)
                                ? coresInWords(cores(amount))
                                : resource.equals(MEMORY)
                                        ? Quantities.text(resource, amount)
                                        : resource + " " + Quantities.text(resource, amount));
            }
        });
        String words = parts.isEmpty() ? "no requests" : String.join(", ", parts);
        String name = words;
        for (int k = 2; names.putIfAbsent(name, asked) != null; k++) {
            name = words + " (" + k + ")";
        }
        return name;
    }

    /** Without zeros at the end. */
    static String cores(long milli) {
        return BigDecimal.valueOf(milli, 3).stripTrailingZeros().toPlainString();
    }

    /** A number of cores in words. */
    static String coresInWords(String number) {
        return number + (number.equals("1") ? " core" : " cores");
    }

    /** What the kind asks for; amounts by resource. */
    SortedMap<String, Long> asked(Turnover.Kind kind) {
        return requests.getOrDefault(kind.name(), new TreeMap<>());
    }

    /** What all nodes have left for pods that come and go. */
    long all(String resource) {
        return room.stream()
                .mapToLong(node -> Math.max(0, node.getOrDefault(resource, 0L)))
                .sum();
    }

    /** The kinds that come and go of which it is known, or not, how many there are in the long run. */
    List<Turnover.Kind> moving(boolean known) {
        return turnover.kinds().stream()
                .filter(kind -> kind.came() > 0 || kind.stayed() < kind.before())
                .filter(kind -> (kind.longRun() != null) == known)
                .toList();
    }

    /** What those that come and go ask for in the long run, as far as it is known. */
    double askedInTheLongRun(String resource) {
        double sum = 0;
        for (Turnover.Kind kind : moving(true)) {
            sum += Objects.requireNonNull(kind.longRun()) * asked(kind).getOrDefault(resource, 0L);
        }
        return sum;
    }
}
