package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import dev.stowage.policies.index.DominanceIndex;

/** Per resource, the largest capacity any server ever had: amounts divided by it are comparable between resources. */
final class Scale {
    private final long[] largest;
    private final double[] units;
    private int classesSeen;

    Scale(View view) {
        largest = new long[view.resources()];
        units = new double[view.resources()];
        grow(view);
    }

    /** Takes new capacity classes into account; true if a largest capacity grew. */
    boolean grow(View view) {
        boolean grew = false;
        for (; classesSeen < view.capacityClasses(); classesSeen++) {
            for (int r = 0; r < largest.length; r++) {
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

    long largest(int resource) {
        return largest[resource];
    }

    /** The weight of one unit of the resource: 1 / largest capacity, 0 for a resource that no server has. */
    double unit(int resource) {
        return units[resource];
    }
}
