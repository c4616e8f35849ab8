package dev.stowage.service.simulation;

import java.util.PriorityQueue;

/** Virtual time: what is to happen, in order of time, then of having been planned. */
final class Agenda {
    private record Item(long at, long number, Runnable what) implements Comparable<Item> {
        @Override
        public int compareTo(Item other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Item> items = new PriorityQueue<>();
    private long now;
    private long planned;
    private long happened;

    long now() {
        return now;
    }

    /** Events so far. */
    long happened() {
        return happened;
    }

    void after(long nanos, Runnable what) {
        items.add(new Item(now + nanos, planned++, what));
    }

    /** Lets everything up to a time happen. */
    void runUntil(long time) {
        for (Item first = items.peek(); first != null && first.at() <= time; first = items.peek()) {
            items.remove();
            now = first.at();
            happened++;
            first.what().run();
        }
        now = time;
    }

    static long millis(double millis) {
        return (long) (millis * 1e6);
    }
}
