package dev.stowage.policies.reservation;

import java.util.Arrays;

/**
 * The servers of each configuration, stacked in the order in which they were assigned to it, the oldest at position 0.
 * A server is in at most one stack; only the newest end grows. (The paper counts from the other end: index = size -
 * position.)
 *
 * <p>A stack is a treap over its servers in order of assignment. Each node knows of its subtree the number of servers,
 * the lowest empty one, and for which types one has an open slot. All operations take O(log servers), on any stack.
 */
final class Stacks {
    static final int NONE = -1;
    private static final int NO_SERVER = Integer.MAX_VALUE;

    /** Words of the sets of types: a bit per type. */
    private final int words;

    private int[] top = {};
    private int[] left = {};
    private int[] right = {};
    private int[] size = {};
    private int[] lowestEmpty = {};
    private long[] sequence = {};
    private boolean[] empty = {};
    /** Types with an open slot: of the server, and of its subtree. */
    private long[] open = {};

    private long[] openBelow = {};
    private long assignments;

    Stacks(int types) {
        words = (types + Long.SIZE - 1) / Long.SIZE;
    }

    /** Makes room for servers below a number; a new one is in no stack, empty, without slots. */
    void growToServers(int servers) {
        if (servers <= left.length) {
            return;
        }
        int room = Math.max(servers, left.length + (left.length >> 1));
        int old = left.length;
        left = Arrays.copyOf(left, room);
        right = Arrays.copyOf(right, room);
        size = Arrays.copyOf(size, room);
        lowestEmpty = Arrays.copyOf(lowestEmpty, room);
        sequence = Arrays.copyOf(sequence, room);
        empty = Arrays.copyOf(empty, room);
        open = Arrays.copyOf(open, room * words);
        openBelow = Arrays.copyOf(openBelow, room * words);
        Arrays.fill(empty, old, room, true);
    }

    void growToStacks(int stacks) {
        int old = top.length;
        if (stacks > old) {
            top = Arrays.copyOf(top, Math.max(stacks, 2 * old));
            Arrays.fill(top, old, top.length, NONE);
        }
    }

    int size(int stack) {
        return sizeOf(top[stack]);
    }

    private int sizeOf(int node) {
        return node == NONE ? 0 : size[node];
    }

    /** Puts a server that is in no stack on the newest end. */
    void append(int stack, int server) {
        sequence[server] = assignments++;
        left[server] = NONE;
        right[server] = NONE;
        sum(server);
        top[stack] = merge(top[stack], server);
    }

    void remove(int stack, int server) {
        top[stack] = remove(top[stack], server, sequence[server]);
    }

    /** The server and its slots changed: whether it is empty, and for which types it has an open slot. */
    void update(int stack, int server) {
        refresh(top[stack], server);
    }

    boolean isEmpty(int server) {
        return empty[server];
    }

    /** To be followed by {@link #update} if the server is in a stack. */
    void setEmpty(int server, boolean isEmpty) {
        empty[server] = isEmpty;
    }

    boolean isOpen(int server, int type) {
        return has(open, server, type);
    }

    /** To be followed by {@link #update} if the server is in a stack. */
    void setOpen(int server, int type, boolean isOpen) {
        int at = server * words + (type >> 6);
        long bit = 1L << type;
        open[at] = isOpen ? open[at] | bit : open[at] & ~bit;
    }

    private boolean has(long[] sets, int server, int type) {
        return (sets[server * words + (type >> 6)] & (1L << type)) != 0;
    }

    /** Position of a server in its stack. */
    int position(int stack, int server) {
        int position = 0;
        int node = top[stack];
        while (node != server) {
            if (sequence[server] < sequence[node]) {
                node = left[node];
            } else {
                position += sizeOf(left[node]) + 1;
                node = right[node];
            }
        }
        return position + sizeOf(left[node]);
    }

    /** The newest server, or {@link #NONE}. */
    int newest(int stack) {
        int node = top[stack];
        while (node != NONE && right[node] != NONE) {
            node = right[node];
        }
        return node;
    }

    /** The server at a position. */
    int at(int stack, int position) {
        int rest = position;
        int node = top[stack];
        while (rest != sizeOf(left[node])) {
            if (rest < sizeOf(left[node])) {
                node = left[node];
            } else {
                rest -= sizeOf(left[node]) + 1;
                node = right[node];
            }
        }
        return node;
    }

    /** The lowest-numbered empty server at a position or newer, or {@link #NONE}. */
    int lowestEmpty(int stack, int from) {
        int lowest = NO_SERVER;
        int rest = from;
        int node = top[stack];
        while (node != NONE && rest > 0) {
            int before = sizeOf(left[node]);
            if (rest > before) {
                rest -= before + 1;
                node = right[node];
            } else {
                lowest = Math.min(lowest, empty[node] ? node : NO_SERVER);
                lowest = Math.min(lowest, lowestBelow(right[node]));
                node = left[node];
            }
        }
        lowest = Math.min(lowest, lowestBelow(node));
        return lowest == NO_SERVER ? NONE : lowest;
    }

    private int lowestBelow(int node) {
        return node == NONE ? NO_SERVER : lowestEmpty[node];
    }

    /** The oldest server at a position or newer with an open slot of the type, or {@link #NONE}. */
    int oldestOpen(int stack, int type, int from) {
        return oldestOpenBelow(top[stack], type, from);
    }

    private int oldestOpenBelow(int node, int type, int from) {
        if (node == NONE || from >= size[node] || !has(openBelow, node, type)) {
            return NONE;
        }
        int before = sizeOf(left[node]);
        int found = from < before ? oldestOpenBelow(left[node], type, from) : NONE;
        if (found == NONE && from <= before && has(open, node, type)) {
            found = node;
        }
        return found == NONE ? oldestOpenBelow(right[node], type, Math.max(0, from - before - 1)) : found;
    }

    private void sum(int node) {
        int before = left[node];
        int after = right[node];
        size[node] = 1 + sizeOf(before) + sizeOf(after);
        lowestEmpty[node] = Math.min(empty[node] ? node : NO_SERVER, Math.min(lowestBelow(before), lowestBelow(after)));
        for (int w = 0; w < words; w++) {
            long types = open[node * words + w];
            types |= before == NONE ? 0 : openBelow[before * words + w];
            types |= after == NONE ? 0 : openBelow[after * words + w];
            openBelow[node * words + w] = types;
        }
    }

    private void refresh(int node, int server) {
        if (node != server) {
            refresh(sequence[server] < sequence[node] ? left[node] : right[node], server);
        }
        sum(node);
    }

    private int remove(int node, int server, long at) {
        if (node == server) {
            return merge(left[node], right[node]);
        }
        if (at < sequence[node]) {
            left[node] = remove(left[node], server, at);
        } else {
            right[node] = remove(right[node], server, at);
        }
        sum(node);
        return node;
    }

    /** One treap of two, the second all newer. */
    private int merge(int older, int newer) {
        if (older == NONE || newer == NONE) {
            return older == NONE ? newer : older;
        }
        if (priority(older) >= priority(newer)) {
            right[older] = merge(right[older], newer);
            sum(older);
            return older;
        }
        left[newer] = merge(older, left[newer]);
        sum(newer);
        return newer;
    }

    /** Pseudo-random, and the same in every run. (Finalizer of SplitMix64.) */
    private static long priority(int server) {
        long z = (server + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
