package dev.stowage.sim.trace;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;

/**
 * Numbers distinct (demand, name) pairs by first appearance: open addressing, constant time and no garbage per request.
 */
final class ShapeTable {
    private final int resources;
    private int size;
    private long[][] demands = new long[16][];
    private int[] names = new int[16];
    private int[] slots = new int[64];

    ShapeTable(int resources) {
        this.resources = resources;
        Arrays.fill(slots, -1);
    }

    int size() {
        return size;
    }

    long[] demand(int shape) {
        return demands[shape];
    }

    int name(int shape) {
        return names[shape];
    }

    /** The number of a shape, new or known. */
    int number(long[] demand, int name) {
        int mask = slots.length - 1;
        int slot = hash(demand, name) & mask;
        while (slots[slot] >= 0) {
            int shape = slots[slot];
            if (names[shape] == name && Arrays.equals(demands[shape], demand)) {
                return shape;
            }
            slot = (slot + 1) & mask;
        }
        slots[slot] = size;
        return add(demand, name);
    }

    private int add(long[] demand, int name) {
        if (size == demands.length) {
            demands = Arrays.copyOf(demands, 2 * size);
            names = Arrays.copyOf(names, 2 * size);
        }
        demands[size] = Arrays.copyOf(demand, resources);
        names[size] = name;
        size++;
        if (2 * size > slots.length) {
            rehash();
        }
        return size - 1;
    }

    private void rehash() {
        int[] larger = new int[4 * slots.length];
        Arrays.fill(larger, -1);
        int mask = larger.length - 1;
        for (int shape = 0; shape < size; shape++) {
            int slot = hash(demands[shape], names[shape]) & mask;
            while (larger[slot] >= 0) {
                slot = (slot + 1) & mask;
            }
            larger[slot] = shape;
        }
        slots = larger;
    }

    private static int hash(long[] demand, int name) {
        long h = name;
        for (long amount : demand) {
            h = KeyedRandom.mix(h + amount);
        }
        return (int) (h >>> 32);
    }
}
