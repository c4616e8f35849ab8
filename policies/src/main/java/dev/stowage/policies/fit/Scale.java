package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import dev.stowage.policies.index.DominanceIndex;
import java.util.Arrays;

/**
 * Per resource, the largest capacity any server ever had: amounts divided by it are comparable between resources. The
 * last kind of room ({@link View#roomKinds}), for parts of devices, is a device.
 */
public final class Scale {
    private final long[] largest;
    private final double[] units;
    private int classesSeen;

    public Scale(View view) {
        largest = new long[view.roomKinds()];
        units = new double[view.resources()];
        Arrays.fill(largest, units.length, largest.length, view.deviceAmount());
        grow(view);
    }

    /** Takes new capacity classes into account; true if a largest capacity grew. */
    public boolean grow(View view) {
        boolean grew = false;
        for (; classesSeen < view.capacityClasses(); classesSeen++) {
            for (int r = 0; r < units.length; r++) {
                long capacity = view.classCapacity(classesSeen, r);
                if (capacity > DominanceIndex.MAX_COORDINATE) {
                    throw new IllegalArgumentException("capacity " + capacity + " of resource " + r + " is above "
                            + DominanceIndex.MAX_COORDINATE + "; use a larger unit");
                }
                if (capacity > largest[r]) {
                    largest[r] = capacity;
                    units[r] = 1.0 / capacity;
                    grew = true;
                }
            }
        }
        return grew;
    }

    /** The most room of a kind. */
    public long largest(int kind) {
        return largest[kind];
    }

    /** The weight of one unit of the resource: 1 / largest capacity, 0 for a resource that no server has. */
    public double unit(int resource) {
        return units[resource];
    }
}
