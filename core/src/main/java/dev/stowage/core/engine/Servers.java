package dev.stowage.core.engine;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Servers and sites with their capacity and what is free of it. One row of longs per server, for the cache's sake;
 * server numbers are never used again.
 */
final class Servers {
    private static final ServerStatus[] STATUSES = ServerStatus.values();
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

    int sites() {
        return siteCount;
    }

    ServerStatus status(int server) {
        return STATUSES[(int) rows[server * stride + KIND]];
    }

    boolean isUp(int server) {
        return (int) rows[server * stride + KIND] == ServerStatus.UP.ordinal();
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

    /**
     * Whether some server that is not gone, at a site the limit allows, could hold this, were it and its site empty.
     * O(capacity classes).
     */
    boolean couldHold(long[] demand, long[] pooledDemand, SiteLimits limits, int limit) {
        for (int number = 0; number < classCount; number++) {
            if (classPresent[number] > 0
                    && limits.allows(limit, classSites[number])
                    && classHolds(number, demand, pooledDemand)) {
                return true;
            }
        }
        return false;
    }

    private boolean classHolds(int number, long[] demand, long[] pooledDemand) {
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

    void save(StateWriter out) {
        out.putInt(siteCount);
        out.putLongs(pooledCapacity, siteCount * pooledResources);
        out.putLongs(pooledFree, siteCount * pooledResources);
        out.putInt(classCount);
        out.putInts(classSites, classCount);
        out.putLongs(classCapacities, classCount * resources);
        out.putInt(count);
        out.putLongs(rows, count * stride);
    }

    void restore(StateReader in) {
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
    }

    private static long kind(int capacityClass, ServerStatus status) {
        return ((long) capacityClass << Integer.SIZE) | status.ordinal();
    }
}
