package dev.stowage.core.engine;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Servers and sites with their capacity and free amounts. One row of longs per server, to save cache misses; server
 * numbers are never reused.
 */
final class Servers {
    /** Capacity class in the high half, status in the low half. */
    private static final int KIND = 0;

    private static final int RUNNING = 1;
    private static final int FREE = 2;

    private record CapacityClass(int site, Amounts capacity) {}

    final int resources;
    final int pooledResources;
    private final Map<CapacityClass, Integer> classNumbers = new LinkedHashMap<>();

    private int count;
    private final int stride;
    private long[] rows = new long[0];

    private int classCount;
    private int[] classSites = new int[0];
    private long[] classCapacities = new long[0];
    private int[] classPresent = new int[0];

    /** Names and labels of servers that have some; most have none. */
    private final Map<String, Integer> named = new TreeMap<>();

    private @Nullable String[] names = {};
    private @Nullable Labels[] labels = {};

    private int siteCount;
    private long[] pooledCapacity = new long[0];
    private long[] pooledFree = new long[0];

    Servers(int resources, int pooledResources) {
        this.resources = resources;
        this.pooledResources = pooledResources;
        stride = FREE + resources;
    }

    int addSite(long[] pooled) {
        pooledCapacity = Arrays.copyOf(pooledCapacity, (siteCount + 1) * pooledResources);
        pooledFree = Arrays.copyOf(pooledFree, (siteCount + 1) * pooledResources);
        System.arraycopy(pooled, 0, pooledCapacity, siteCount * pooledResources, pooledResources);
        System.arraycopy(pooled, 0, pooledFree, siteCount * pooledResources, pooledResources);
        return siteCount++;
    }

    int add(int site, long[] capacity) {
        if (count * stride == rows.length) {
            rows = Arrays.copyOf(rows, Math.multiplyExact(count + (count >> 1) + 16, stride));
        }
        int server = count++;
        int number = classNumber(site, capacity);
        rows[server * stride + KIND] = kind(number, ServerStatus.UP);
        classPresent[number]++;
        System.arraycopy(capacity, 0, rows, server * stride + FREE, resources);
        return server;
    }

    int count() {
        return count;
    }

    /** Number of the server with a name, or -1. */
    int find(String name) {
        return named.getOrDefault(name, State.NONE);
    }

    /** Name of a server, empty if it has none. */
    String name(int server) {
        String name = server < names.length ? names[server] : null;
        return name == null ? "" : name;
    }

    /** Gives a server without a name a name that no other server has. */
    void name(int server, String name) {
        if (!name.isEmpty()) {
            if (server >= names.length) {
                names = Arrays.copyOf(names, Math.max(server + 1, 2 * names.length));
            }
            names[server] = name;
            named.put(name, server);
        }
    }

    Labels labels(int server) {
        Labels own = server < labels.length ? labels[server] : null;
        return own == null ? Labels.NONE : own;
    }

    void label(int server, Labels newLabels) {
        if (!newLabels.equals(labels(server))) {
            if (server >= labels.length) {
                labels = Arrays.copyOf(labels, Math.max(server + 1, 2 * labels.length));
            }
            labels[server] = newLabels;
        }
    }

    /** Changes the capacity; held amounts stay, so free amounts may become negative. */
    void resize(int server, long[] capacity) {
        int old = capacityClass(server);
        int number = classNumber(classSites[old], capacity);
        for (int r = 0; r < resources; r++) {
            rows[server * stride + FREE + r] += capacity[r] - classCapacities[old * resources + r];
        }
        if (!isGone(server)) {
            classPresent[old]--;
            classPresent[number]++;
        }
        rows[server * stride + KIND] = kind(number, status(server));
    }

    /** Whether more is held than the capacity, of some resource or of some pool of the site. */
    boolean isOvercommitted(int server) {
        for (int r = 0; r < resources; r++) {
            if (free(server, r) < 0) {
                return true;
            }
        }
        for (int p = 0; p < pooledResources; p++) {
            if (pooledFree(site(server), p) < 0) {
                return true;
            }
        }
        return false;
    }

    int sites() {
        return siteCount;
    }

    ServerStatus status(int server) {
        return SavedCodes.status((int) rows[server * stride + KIND]);
    }

    boolean isGone(int server) {
        return (int) rows[server * stride + KIND] == SavedCodes.of(ServerStatus.GONE);
    }

    boolean isUp(int server) {
        return (int) rows[server * stride + KIND] == SavedCodes.of(ServerStatus.UP);
    }

    void setStatus(int server, ServerStatus status) {
        boolean wasPresent = status(server) != ServerStatus.GONE;
        boolean isPresent = status != ServerStatus.GONE;
        if (wasPresent != isPresent) {
            classPresent[capacityClass(server)] += isPresent ? 1 : -1;
        }
        rows[server * stride + KIND] = kind(capacityClass(server), status);
    }

    int site(int server) {
        return classSites[capacityClass(server)];
    }

    int capacityClass(int server) {
        return (int) (rows[server * stride + KIND] >>> Integer.SIZE);
    }

    int classCount() {
        return classCount;
    }

    int classSite(int number) {
        return classSites[number];
    }

    long classCapacity(int number, int resource) {
        return classCapacities[number * resources + resource];
    }

    long capacity(int server, int resource) {
        return classCapacities[capacityClass(server) * resources + resource];
    }

    /** A copy. */
    long[] capacity(int server) {
        int number = capacityClass(server);
        return Arrays.copyOfRange(classCapacities, number * resources, (number + 1) * resources);
    }

    long free(int server, int resource) {
        return rows[server * stride + FREE + resource];
    }

    void take(int server, int resource, long amount) {
        rows[server * stride + FREE + resource] -= amount;
    }

    long pooledCapacity(int site, int pooled) {
        return pooledCapacity[site * pooledResources + pooled];
    }

    long pooledFree(int site, int pooled) {
        return pooledFree[site * pooledResources + pooled];
    }

    void takePooled(int site, int pooled, long amount) {
        pooledFree[site * pooledResources + pooled] -= amount;
    }

    int running(int server) {
        return (int) rows[server * stride + RUNNING];
    }

    void addRunning(int server, int change) {
        rows[server * stride + RUNNING] += change;
    }

    int gone() {
        int present = 0;
        for (int number = 0; number < classCount; number++) {
            present += classPresent[number];
        }
        return count - present;
    }

    /** Whether some server that is not gone could hold this if it and its site were empty. O(capacity classes). */
    boolean couldHold(long[] demand, long[] pooledDemand) {
        for (int number = 0; number < classCount; number++) {
            if (classPresent[number] > 0 && classHolds(number, demand, pooledDemand)) {
                return true;
            }
        }
        return false;
    }

    /** Whether all servers that are not gone together have this capacity. */
    boolean couldHoldTogether(long[] demand) {
        for (int r = 0; r < resources; r++) {
            long missing = demand[r];
            for (int number = 0; number < classCount && missing > 0; number++) {
                long each = classCapacities[number * resources + r];
                boolean enough = each > 0 && classPresent[number] > (missing - 1) / each;
                missing = enough ? 0 : missing - each * classPresent[number];
            }
            if (missing > 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether some server that ever existed could hold this. */
    boolean couldEverHold(long[] demand, long[] pooledDemand) {
        for (int number = 0; number < classCount; number++) {
            if (classHolds(number, demand, pooledDemand)) {
                return true;
            }
        }
        return false;
    }

    boolean classHolds(int number, long[] demand, long[] pooledDemand) {
        for (int r = 0; r < resources; r++) {
            if (demand[r] > classCapacities[number * resources + r]) {
                return false;
            }
        }
        for (int p = 0; p < pooledResources; p++) {
            if (pooledDemand[p] > pooledCapacity(classSites[number], p)) {
                return false;
            }
        }
        return true;
    }

    private int classNumber(int site, long[] capacity) {
        CapacityClass key = new CapacityClass(site, Amounts.of(capacity));
        Integer known = classNumbers.get(key);
        if (known != null) {
            return known;
        }
        if (classCount == classSites.length) {
            int room = 2 * classCount + 4;
            classSites = Arrays.copyOf(classSites, room);
            classPresent = Arrays.copyOf(classPresent, room);
            classCapacities = Arrays.copyOf(classCapacities, room * resources);
        }
        classSites[classCount] = site;
        System.arraycopy(capacity, 0, classCapacities, classCount * resources, resources);
        classNumbers.put(key, classCount);
        return classCount++;
    }

    long bytes() {
        return (long) Long.BYTES * count * stride;
    }

    private int labelled() {
        int labelled = 0;
        for (int server = 0; server < labels.length; server++) {
            labelled += labels(server).values().isEmpty() ? 0 : 1;
        }
        return labelled;
    }

    void save(StateWriter out) {
        out.putInt(siteCount);
        out.putLongs(pooledCapacity, siteCount * pooledResources);
        out.putLongs(pooledFree, siteCount * pooledResources);
        out.putInt(classCount);
        out.putInts(classSites, classCount);
        out.putLongs(classCapacities, classCount * resources);
        out.putInt(count);
        out.putLongs(rows, count * stride);
        out.putInt(named.size());
        named.forEach((name, server) -> {
            out.putString(name);
            out.putInt(server);
        });
        out.putInt(labelled());
        for (int server = 0; server < labels.length; server++) {
            if (!labels(server).values().isEmpty()) {
                out.putInt(server);
                out.putString(labels(server).toString());
            }
        }
    }

    void restore(StateReader in, boolean old) {
        siteCount = in.getInt();
        pooledCapacity = in.getLongs();
        pooledFree = in.getLongs();
        int savedClasses = in.getInt();
        int[] savedSites = in.getInts();
        long[] savedCapacities = in.getLongs();
        for (int number = 0; number < savedClasses; number++) {
            classNumber(
                    savedSites[number],
                    Arrays.copyOfRange(savedCapacities, number * resources, (number + 1) * resources));
        }
        count = in.getInt();
        rows = in.getLongs();
        for (int server = 0; server < count; server++) {
            if (status(server) != ServerStatus.GONE) {
                classPresent[capacityClass(server)]++;
            }
        }
        if (old) {
            return;
        }
        for (int n = in.getInt(); n > 0; n--) {
            String name = in.getString();
            name(in.getInt(), name);
        }
        for (int n = in.getInt(); n > 0; n--) {
            label(in.getInt(), Labels.parse(in.getString()));
        }
    }

    private static long kind(int capacityClass, ServerStatus status) {
        return ((long) capacityClass << Integer.SIZE) | SavedCodes.of(status);
    }
}
