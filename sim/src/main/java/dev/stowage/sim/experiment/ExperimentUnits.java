package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.sim.unit.Shards;
import dev.stowage.sim.unit.UnitKey;
import dev.stowage.sim.unit.UnitStamp;
import dev.stowage.sim.workload.RequestStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

/** The units of an experiment: which there are, what they belong to, and how they are distributed to shards. */
public final class ExperimentUnits {
    /** Enough to estimate the rate of requests. */
    private static final int SAMPLED = 2000;

    private static final int DIGEST_DIGITS = 16;

    private ExperimentUnits() {}

    /** All units in the order of the rows; with a precision, those of the pilot. */
    public static List<UnitKey> all(List<Experiment> points) {
        List<UnitKey> units = new ArrayList<>();
        for (int point = 0; point < points.size(); point++) {
            for (int policy = 0; policy < points.get(point).policies().size(); policy++) {
                for (int replication = 0; replication < points.get(point).replications(); replication++) {
                    units.add(new UnitKey(point, policy, replication));
                }
            }
        }
        return units;
    }

    /** What the units of each point belong to. */
    public static List<UnitStamp> stamps(List<Experiment> points, String version) {
        return points.stream()
                .map(point -> new UnitStamp(point.hash(), version, inputs(point)))
                .toList();
    }

    /** The units of each shard. */
    public static List<List<UnitKey>> deal(List<Experiment> points, int shards) {
        List<UnitKey> units = all(points);
        double[] ofPoint = requestsOfEach(points);
        double[] costs =
                units.stream().mapToDouble(unit -> ofPoint[unit.point()]).toArray();
        return Shards.deal(units, costs, shards);
    }

    /** Units in the order in which many machines should start them: the longest first. */
    static List<UnitKey> longestFirst(List<Experiment> points, List<UnitKey> units) {
        double[] ofPoint = requestsOfEach(points);
        return units.stream()
                .sorted(Comparator.<UnitKey>comparingDouble(unit -> -ofPoint[unit.point()])
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static double[] requestsOfEach(List<Experiment> points) {
        return points.stream().mapToDouble(ExperimentUnits::requests).toArray();
    }

    /** Digest of all that a point may have read from files: servers, requests, what policies get as parameters. */
    private static String inputs(Experiment point) {
        StringBuilder text = new StringBuilder(point.workload().contents()).append('\n');
        Cluster cluster = point.cluster();
        text.append(cluster.resources()).append(cluster.pooledResources()).append('\n');
        for (Site site : cluster.sites()) {
            text.append(site.name()).append(site.pooled()).append('\n');
            for (ServerBlock block : site.servers()) {
                text.append(block.count()).append(block.capacity()).append(block.names());
                text.append(block.labels()).append('\n');
            }
        }
        for (LabelledPolicy policy : point.policies()) {
            text.append(new TreeMap<>(policy.spec().parameters())).append('\n');
        }
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, DIGEST_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    /** About how many requests a run of a point has: estimated from the first ones. */
    static double requests(Experiment point) {
        RequestStream stream = point.workload().open(point.seed());
        long first = -1;
        long last = 0;
        int sampled = 0;
        while (sampled < SAMPLED && stream.next()) {
            first = first < 0 ? stream.arrivalNanos() : first;
            last = stream.arrivalNanos();
            sampled++;
        }
        double most = point.end().requests() == Long.MAX_VALUE
                ? Double.MAX_VALUE
                : point.end().requests();
        if (sampled < SAMPLED || last == first) {
            return Math.min(sampled, most);
        }
        double perNano = (sampled - 1.0) / (last - first);
        double nanos = Math.min(point.end().atNanos(), point.workload().endNanos());
        return Math.min(most, Math.max(sampled, perNano * nanos));
    }
}
