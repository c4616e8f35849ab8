package dev.stowage.policies;

import dev.stowage.core.policy.View;
import org.jspecify.annotations.Nullable;

/** The scores of docs/glossary.md, worked out from the view each time. */
public class SlowScore {
    private final String name;
    private final @Nullable SlowLifetimes lifetimes;

    /** Of a name. */
    public SlowScore(String name) {
        this(name, null);
    }

    /** What lifetimes say goes before the score, if there are any. */
    SlowScore(String name, @Nullable SlowLifetimes lifetimes) {
        this.name = name;
        this.lifetimes = lifetimes;
    }

    /** Whether a server is better than another for a request; in one resource the one with less left is. */
    boolean better(View view, int job, int server, int other) {
        if (lifetimes != null) {
            int order = Integer.compare(lifetimes.place(view, job, server), lifetimes.place(view, job, other));
            if (order != 0 || lifetimes.isFirstFit()) {
                return order < 0;
            }
        } else if (name.equals("even") && view.roomKinds() > 1) {
            if (view.firstOn(server) < 0 != view.firstOn(other) < 0) {
                return view.firstOn(other) < 0;
            }
        } else if (view.resources() == 1) {
            return view.free(server, 0) < view.free(other, 0);
        }
        return ofServer(view, job, server) > ofServer(view, job, other);
    }

    /** A request is about to leave. */
    void left(View view, int job, int server) {
        if (lifetimes != null) {
            lifetimes.left(view, job, server);
        }
    }

    /** Everything is looked at, after each callback and before each decision. */
    void look(View view) {
        if (lifetimes != null) {
            lifetimes.look(view);
        }
    }

    /** A request has arrived. */
    void arrived(View view, int job) {}

    /** The devices for a request on a server, 0 for those of the engine. */
    long devices(View view, int job, int server) {
        return 0;
    }

    static double size(View view, int job) {
        double sum = 0;
        for (int kind = 0; kind < view.roomKinds(); kind++) {
            sum += unit(view, resource(view, kind)) * view.need(job, kind);
        }
        return sum;
    }

    /** Whether a device is needed whole or in part, it is that resource; a part is added last. */
    private static int resource(View view, int kind) {
        return kind == view.resources() ? view.deviceResource() : kind;
    }

    private static double unit(View view, int r) {
        long largest = 0;
        for (int number = 0; number < view.capacityClasses(); number++) {
            largest = Math.max(largest, view.classCapacity(number, r));
        }
        return largest == 0 ? 0 : 1.0 / largest;
    }

    /** Of a request and a server. */
    public double ofServer(View view, int job, int server) {
        double constant = 0;
        for (int r = 0; r < view.resources(); r++) {
            double u = unit(view, r);
            double demand = view.demand(job, r);
            double capacity = view.capacity(server, r);
            constant += switch (name) {
                case "occupied" -> 0;
                case "available" -> demand * capacity * u * u;
                case "even" -> (capacity - demand) * u;
                default -> (demand - capacity) * u;
            };
        }
        double sum = constant;
        for (int r = 0; r < view.resources(); r++) {
            double u = unit(view, r);
            double demand = view.demand(job, r);
            double occupied = view.capacity(server, r) - view.free(server, r);
            sum += switch (name) {
                case "occupied" -> demand * u * u * occupied;
                case "available" -> -(demand * u * u) * occupied;
                case "mix" -> (demand * u * u + u) * occupied;
                case "even" -> -u * occupied;
                default -> u * occupied;
            };
        }
        return name.equals("even") ? sum + least(view, job, server, true) : sum;
    }

    /** 2 D times the least of demand minus available amount, both scaled, of D resources. */
    private static double least(View view, int job, int server, boolean ofServer) {
        double factor = 2.0 * view.resources();
        double least = Double.POSITIVE_INFINITY;
        for (int r = 0; r < view.resources(); r++) {
            double u = unit(view, r);
            double free = view.free(server, r);
            double demand = ofServer ? view.demand(job, r) : view.need(job, r);
            double capacity = view.capacity(server, r);
            if (u > 0) {
                least = Math.min(
                        least,
                        ofServer
                                ? factor * u * (capacity - free) + factor * ((demand - capacity) * u)
                                : factor * u * demand - factor * (free * u));
            }
        }
        return least;
    }

    double ofJob(View view, int job, int server) {
        if (view.resources() == 1) {
            return view.demand(job, 0);
        }
        double sum = 0;
        for (int kind = 0; kind < view.roomKinds(); kind++) {
            int r = resource(view, kind);
            double u = unit(view, r);
            double free = view.free(server, r);
            double occupied = view.capacity(server, r) - free;
            sum += view.need(job, kind)
                    * switch (name) {
                        case "occupied" -> occupied * u * u;
                        case "available" -> free * u * u;
                        case "mix" -> occupied * u * u + u;
                        case "even" -> -u;
                        default -> u;
                    };
        }
        return name.equals("even") ? sum + least(view, job, server, false) : sum;
    }
}
