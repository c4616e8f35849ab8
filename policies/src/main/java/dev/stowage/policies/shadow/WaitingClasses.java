package dev.stowage.policies.shadow;

import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait under a {@link RoutedPolicy}, in classes: one for each place, type, and constraints beyond sites. A
 * place is {@link #PARKED}, or that of a destination. A class is first in, first out, and what keeps its first request
 * from a server keeps the others too. Adding and removing are O(1).
 */
final class WaitingClasses {
    /** Where those wait that are routed nowhere yet. */
    static final int PARKED = 0;

    /** Requests of one place, type and constraints. */
    static final class WaitingClass {
        final int type;
        /** Number of the constraints, 0 if none are beyond sites. */
        final int constraint;

        /** Whether its first request cannot be served now. */
        boolean stuck;

        private final int place;
        private int head = View.NONE;
        private int tail = View.NONE;
        /** Where it stands among the classes of its place. */
        private int at;

        private WaitingClass(int place, int type, int constraint) {
            this.place = place;
            this.type = type;
            this.constraint = constraint;
        }

        /** The first request, or {@link View#NONE}. */
        int head() {
            return head;
        }
    }

    /** The classes of a place that have requests. */
    private static final class Place {
        private final List<WaitingClass> classes = new ArrayList<>();
        private final @Nullable WaitingClass[] plain;
        private final Map<Long, WaitingClass> constrained = new LinkedHashMap<>();

        Place(int types) {
            plain = new WaitingClass[types];
        }
    }

    private final int types;
    private final List<Place> places = new ArrayList<>();
    private @Nullable WaitingClass[] classOf = new WaitingClass[16];
    private int[] next = new int[16];
    private int[] previous = new int[16];
    private int size;
    private int constrained;

    WaitingClasses(int types) {
        this.types = types;
    }

    /** The place of a destination. */
    static int place(int destination) {
        return 1 + destination;
    }

    /** Number of a request's constraints if they say more than sites, else 0. */
    static int constraint(View view, int job) {
        int constraint = view.constraint(job);
        return constraint == 0 || view.constraints(constraint).hasSitesOnly() ? 0 : constraint;
    }

    /** How many wait. */
    int size() {
        return size;
    }

    /** How many wait with constraints beyond sites. */
    int constrained() {
        return constrained;
    }

    /** Number of places that requests have waited at. */
    int places() {
        return places.size();
    }

    /** Whether anybody waits at a place with constraints beyond sites. */
    boolean hasConstrained(int place) {
        return place < places.size() && !places.get(place).constrained.isEmpty();
    }

    /** The classes that wait at a place, in no particular order. */
    List<WaitingClass> at(int place) {
        return place < places.size() ? places.get(place).classes : List.of();
    }

    boolean isEmpty(int place, int type, int constraint) {
        return place >= places.size() || find(places.get(place), type, constraint) == null;
    }

    private static @Nullable WaitingClass find(Place place, int type, int constraint) {
        return constraint == 0 ? place.plain[type] : place.constrained.get(key(type, constraint));
    }

    private static long key(int type, int constraint) {
        return ((long) constraint << Integer.SIZE) | type;
    }

    /** Whether a request waits at a place. */
    boolean waitsAt(int job, int place) {
        WaitingClass its = job < classOf.length ? classOf[job] : null;
        return its != null && its.place == place;
    }

    /** A request waits as the last of its class at a place; if it waited elsewhere, it does no more. */
    void add(View view, int job, int place) {
        if (job >= next.length) {
            int length = Math.max(job + 1, 2 * next.length);
            next = Arrays.copyOf(next, length);
            previous = Arrays.copyOf(previous, length);
            classOf = Arrays.copyOf(classOf, length);
        }
        if (classOf[job] != null) {
            remove(job);
        }
        while (places.size() <= place) {
            places.add(new Place(types));
        }
        WaitingClass its = open(places.get(place), place, view.type(job), constraint(view, job));
        classOf[job] = its;
        next[job] = View.NONE;
        previous[job] = its.tail;
        if (its.tail == View.NONE) {
            its.head = job;
        } else {
            next[its.tail] = job;
        }
        its.tail = job;
        size++;
        constrained += its.constraint == 0 ? 0 : 1;
    }

    private static WaitingClass open(Place at, int place, int type, int constraint) {
        WaitingClass its = find(at, type, constraint);
        if (its == null) {
            its = new WaitingClass(place, type, constraint);
            its.at = at.classes.size();
            at.classes.add(its);
            if (constraint == 0) {
                at.plain[type] = its;
            } else {
                at.constrained.put(key(type, constraint), its);
            }
        }
        return its;
    }

    /** A request waits no more. */
    void remove(int job) {
        WaitingClass its = Objects.requireNonNull(classOf[job]);
        classOf[job] = null;
        if (previous[job] == View.NONE) {
            its.head = next[job];
        } else {
            next[previous[job]] = next[job];
        }
        if (next[job] == View.NONE) {
            its.tail = previous[job];
        } else {
            previous[next[job]] = previous[job];
        }
        size--;
        constrained -= its.constraint == 0 ? 0 : 1;
        if (its.head == View.NONE) {
            close(places.get(its.place), its);
        }
    }

    private static void close(Place place, WaitingClass its) {
        WaitingClass last = place.classes.remove(place.classes.size() - 1);
        if (last != its) {
            place.classes.set(its.at, last);
            last.at = its.at;
        }
        if (its.constraint == 0) {
            place.plain[its.type] = null;
        } else {
            place.constrained.remove(key(its.type, its.constraint));
        }
    }
}
