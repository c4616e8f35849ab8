package dev.stowage.policies.devices;

import dev.stowage.core.model.Resource;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Scale;
import dev.stowage.policies.index.EqualPoints;
import java.util.Arrays;

/**
 * What of a server a score may look at. Servers whose {@link #point} is the same are alike for every request: they have
 * as much free of each resource, the same amounts free of their devices in whatever order, and what the score looks at
 * besides ({@link StateScore#trait}).
 */
final class DeviceState {
    private static final int GROUP = 0;
    private static final int TRAIT = 1;
    private static final int DEVICES = 2;
    private static final int FIRST_RESOURCE = 3;

    /** The resource that comes in devices, and the first of the others; {@link View#NONE} if there is none. */
    final int resource;

    final int other;
    /** Amount of one device; 1 if there are none. */
    final long device;

    /** The largest capacity of any server, of both; at least 1. */
    long mostOther;

    long mostInDevices;

    /** See {@link StateScore#trait}. */
    long trait;
    /** What is free of the other resource; 0 if there is none. */
    long otherFree;
    /** How many devices there are. */
    int devices;
    /** What is free of each of them, at least 0, in ascending order. */
    final long[] free = new long[Resource.MOST_DEVICES];

    private final int resources;
    private long[] point = {};

    DeviceState(View view) {
        resources = view.resources();
        resource = view.deviceResource();
        other = other(view);
        device = Math.max(1, view.deviceAmount());
    }

    /** The first resource that does not come in devices, or {@link View#NONE}. */
    static int other(View view) {
        if (view.deviceResource() != 0) {
            return 0;
        }
        return view.resources() > 1 ? 1 : View.NONE;
    }

    /** Takes the largest capacities; the number of coordinates of a {@link #point} from now on. */
    int begin(Scale scale) {
        mostOther = other == View.NONE ? 1 : Math.max(1, scale.largest(other));
        mostInDevices = resource == View.NONE ? 1 : Math.max(1, scale.largest(resource));
        int most = resource == View.NONE ? 0 : (int) (mostInDevices / device);
        point = new long[FIRST_RESOURCE + resources + most];
        return point.length;
    }

    /** Sets the state to that of a server, as the view has it. */
    void read(View view, int server, long itsTrait) {
        trait = itsTrait;
        otherFree = other == View.NONE ? 0 : view.free(server, other);
        devices = 0;
        if (resource != View.NONE) {
            for (long rest = view.devicesOf(server); rest != 0; rest &= rest - 1) {
                free[devices++] = Math.max(0, view.deviceFree(server, Long.numberOfTrailingZeros(rest)));
            }
            Arrays.sort(free, 0, devices);
        }
    }

    /** The coordinates of a server whose state was just {@link #read}; valid until the next call. */
    long[] point(View view, int server) {
        Arrays.fill(point, 0);
        point[GROUP] = view.group(server);
        point[TRAIT] = trait;
        point[DEVICES] = devices;
        for (int r = 0; r < resources; r++) {
            point[FIRST_RESOURCE + r] = view.free(server, r);
        }
        System.arraycopy(free, 0, point, FIRST_RESOURCE + resources, devices);
        return point;
    }

    /** Sets the state to that of the servers at a point. */
    void read(EqualPoints points, int point) {
        trait = points.coordinateOf(point, TRAIT);
        otherFree = other == View.NONE ? 0 : points.coordinateOf(point, FIRST_RESOURCE + other);
        devices = (int) points.coordinateOf(point, DEVICES);
        for (int i = 0; i < devices; i++) {
            free[i] = points.coordinateOf(point, FIRST_RESOURCE + resources + i);
        }
    }

    /** The group of the servers at a point. */
    static int group(EqualPoints points, int point) {
        return (int) points.coordinateOf(point, GROUP);
    }

    /** Whether a demand is for a part of a device. */
    boolean isPart(long demand) {
        return demand > 0 && demand < device;
    }

    /** How many whole devices a demand is for; 0 if it is for a part. */
    int wholes(long demand) {
        return (int) (demand / device);
    }

    /** Whether the devices and the other resource have room. */
    boolean hasRoom(long otherDemand, long demand) {
        if (otherDemand > otherFree) {
            return false;
        }
        return isPart(demand)
                ? devices > 0 && free[devices - 1] >= demand
                : wholes(demand) <= devices && (demand == 0 || free[devices - wholes(demand)] == device);
    }

    /** What is free of all devices together. */
    long freeInDevices() {
        long sum = 0;
        for (int i = 0; i < devices; i++) {
            sum += free[i];
        }
        return sum;
    }
}
