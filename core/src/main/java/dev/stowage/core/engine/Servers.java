package dev.stowage.core.engine;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Servers and sites with their capacity and what is free of it, in flat arrays. Server numbers are never used again. */
final class Servers {
    private static final ServerStatus[] STATUSES = ServerStatus.values();

    private record CapacityClass(int site, Amounts capacity) {}

    final int resources;
    final int pooledResources;
    private final Map<CapacityClass, Integer> classNumbers = new LinkedHashMap<>();

    private int count;
    private byte[] statuses = new byte[0];
    private int[] classes = new int[0];
    private long[] free = new long[0];
    private int[] running = new int[0];

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
    }

    int addSite(long[] pooled) {
        pooledCapacity = Arrays.copyOf(pooledCapacity, (siteCount + 1) * pooledResources);
        pooledFree = Arrays.copyOf(pooledFree, (siteCount + 1) * pooledResources);
        System.arraycopy(pooled, 0, pooledCapacity, siteCount * pooledResources, pooledResources);
        System.arraycopy(pooled, 0, pooledFree, siteCount * pooledResources, pooledResources);
        return siteCount++;
    }

    int add(int site, long[] capacity) {
        if (count == statuses.length) {
            grow(count + (count >> 1) + 16);
        }
        int server = count++;
        int number = classNumber(site, capacity);
        statuses[server] = (byte) ServerStatus.UP.ordinal();
        classes[server] = number;
        classPresent[number]++;
        System.arraycopy(capacity, 0, free, server * resources, resources);
        return server;
    }

    int count() {
        return count;
    }

    int sites() {
        return siteCount;
    }

    ServerStatus status(int server) {
        return STATUSES[statuses[server]];
    }

    boolean isUp(int server) {
        return statuses[server] == 0;
    }

    void setStatus(int server, ServerStatus status) {
        boolean wasPresent = status(server) != ServerStatus.GONE;
        boolean isPresent = status != ServerStatus.GONE;
        if (wasPresent != isPresent) {
            classPresent[classes[server]] += isPresent ? 1 : -1;
        }
        statuses[server] = (byte) status.ordinal();
    }

    int site(int server) {
        return classSites[classes[server]];
    }

    int capacityClass(int server) {
        return classes[server];
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
        return classCapacities[classes[server] * resources + resource];
    }

    long free(int server, int resource) {
        return free[server * resources + resource];
    }

    void take(int server, int resource, long amount) {
        free[server * resources + resource] -= amount;
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
        return running[server];
    }

    void addRunning(int server, int change) {
        running[server] += change;
    }

    /** Whether some server that is not gone could hold this, were it and its site empty. O(capacity classes). */
    boolean couldHold(long[] demand, long[] pooledDemand) {
        for (int number = 0; number < classCount; number++) {
            if (classPresent[number] > 0 && classHolds(number, demand, pooledDemand)) {
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

    void save(StateWriter out) {
        out.putInt(siteCount);
        out.putLongs(pooledCapacity, siteCount * pooledResources);
        out.putLongs(pooledFree, siteCount * pooledResources);
        out.putInt(classCount);
        out.putInts(classSites, classCount);
        out.putLongs(classCapacities, classCount * resources);
        out.putInt(count);
        out.putInts(classes, count);
        out.putBytes(statuses, count);
        out.putLongs(free, count * resources);
        out.putInts(running, count);
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
        classes = in.getInts();
        statuses = in.getBytes();
        free = in.getLongs();
        running = in.getInts();
        for (int server = 0; server < count; server++) {
            if (status(server) != ServerStatus.GONE) {
                classPresent[classes[server]]++;
            }
        }
    }

    private void grow(int capacity) {
        statuses = Arrays.copyOf(statuses, capacity);
        classes = Arrays.copyOf(classes, capacity);
        free = Arrays.copyOf(free, Math.multiplyExact(capacity, resources));
        running = Arrays.copyOf(running, capacity);
    }
}
