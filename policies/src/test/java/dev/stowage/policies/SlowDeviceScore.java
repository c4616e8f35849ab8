package dev.stowage.policies;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The scores of package {@code devices}, literally: worked out from the view each time, device by device in the order
 * of their numbers, and what is learned from the list of all arrivals.
 */
final class SlowDeviceScore extends SlowScore {
    /** A request that has arrived; its kind is text in the order that breaks ties of popularity. */
    private record Seen(double other, double demand, Constraints constraints, String kind) {}

    private final String score;
    private final boolean last;
    private final List<Seen> seen = new ArrayList<>();
    /** Those by which the score is estimated now. */
    private List<Seen> estimated = List.of();

    private double[] rest = {};

    SlowDeviceScore(String score, boolean last) {
        super(score);
        this.score = score;
        this.last = last;
    }

    @Override
    void arrived(View view, int job) {
        if (view.deviceResource() < 0) {
            return;
        }
        double demand = demand(view, job);
        Constraints constraints = view.constraints(view.constraint(job));
        double each = Math.min(demand, (double) view.deviceAmount());
        double devices = Math.ceil(demand / view.deviceAmount());
        String where = devices == 0 ? " []" : constraints.termsText() + " " + constraints.sites();
        String kind = String.format("%020.0f %020.0f %03.0f %s", other(view, job), each, devices, where);
        seen.add(new Seen(other(view, job), demand, constraints, kind));
        int next = Math.max(score.equals("fill") ? 50 : 1, grown());
        if (seen.size() >= next) {
            estimated = List.copyOf(seen);
            rest = new double[0];
        }
    }

    private int grown() {
        int more = (int) Math.floor(estimated.size() * 1.25);
        return score.equals("fill") ? more : Math.max(estimated.size() + 1, more);
    }

    @Override
    boolean better(View view, int job, int server, int best) {
        double mine = ofServer(view, job, server);
        double other = ofServer(view, job, best);
        return mine > other || (last && mine == other);
    }

    @Override
    public double ofServer(View view, int job, int server) {
        return switch (score) {
            case "best-fit" ->
                Math.floor(100
                        * (1
                                - ((freeOther(view, server) - other(view, job)) / mostOther(view) * .5
                                        + (sum(free(view, server)) - demand(view, job)) / most(view) * .5)));
            case "dot-product" ->
                Math.floor(100
                        * (1
                                - (freeOther(view, server) / mostOther(view) * (other(view, job) / mostOther(view))
                                                + sum(free(view, server))
                                                        / most(view)
                                                        * (demand(view, job) / most(view)))
                                        / 2));
            case "clustering" -> clustering(view, job, server);
            case "packing" -> packing(view, job, server);
            default -> descent(view, job, server, device(view, job, server));
        };
    }

    @Override
    long devices(View view, int job, int server) {
        boolean names = score.equals("fill") || score.startsWith("fgd");
        return names && isPart(view, job) ? 1L << device(view, job, server) : 0;
    }

    private static int otherResource(View view) {
        return view.deviceResource() == 0 ? view.resources() > 1 ? 1 : -1 : 0;
    }

    private static double other(View view, int job) {
        return otherResource(view) < 0 ? 0 : view.demand(job, otherResource(view));
    }

    private static double freeOther(View view, int server) {
        return otherResource(view) < 0 ? 0 : view.free(server, otherResource(view));
    }

    private static double mostOther(View view) {
        return otherResource(view) < 0 ? 1 : largest(view, otherResource(view));
    }

    private static double most(View view) {
        return view.deviceResource() < 0 ? 1 : largest(view, view.deviceResource());
    }

    private static double largest(View view, int r) {
        double most = 1;
        for (int number = 0; number < view.capacityClasses(); number++) {
            most = Math.max(most, (double) view.classCapacity(number, r));
        }
        return most;
    }

    private static double demand(View view, int job) {
        return view.deviceResource() < 0 ? 0 : view.demand(job, view.deviceResource());
    }

    private static boolean isPart(View view, int job) {
        return demand(view, job) > 0 && demand(view, job) < view.deviceAmount();
    }

    /** By device, 0 where there is none. */
    private static double[] free(View view, int server) {
        double[] free = new double[view.deviceResource() < 0 ? 0 : 64];
        for (int device = 0; device < free.length; device++) {
            boolean has = (view.devicesOf(server) >>> device & 1) == 1;
            free[device] = has ? Math.max(0, view.deviceFree(server, device)) : 0;
        }
        return free;
    }

    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }

    private static double clustering(View view, int job, int server) {
        if (demand(view, job) == 0) {
            return 0;
        }
        List<Double> kinds = new ArrayList<>();
        for (int here = view.firstOn(server); here >= 0; here = view.next(here)) {
            double kind = isPart(view, here) ? .5 : demand(view, here) / view.deviceAmount();
            if (kind > 0 && !kinds.contains(kind)) {
                kinds.add(kind);
            }
        }
        double mine = isPart(view, job) ? .5 : demand(view, job) / view.deviceAmount();
        double fill = Math.floor(25 * (most(view) - sum(free(view, server))) / most(view));
        if (kinds.contains(mine)) {
            return fill + (kinds.size() == 1 ? 75 : 50);
        }
        return fill + (kinds.isEmpty() ? 25 : 0);
    }

    private static double packing(View view, int job, int server) {
        if (demand(view, job) == 0) {
            return 0;
        }
        List<Double> free = new ArrayList<>();
        for (int device = 0; device < 64; device++) {
            if ((view.devicesOf(server) >>> device & 1) == 1) {
                free.add(free(view, server)[device]);
            }
        }
        double whole = view.deviceAmount();
        long unused = free.stream().filter(each -> each == whole).count();
        if (unused == free.size()) {
            return Math.max(33 - unused, unused);
        }
        double each = Math.min(demand(view, job), whole);
        free.removeIf(one -> one < each);
        free.sort(Comparator.naturalOrder());
        List<Double> used = free.subList(0, (int) Math.ceil(demand(view, job) / whole));
        long opened = used.stream().filter(one -> one == whole).count();
        if (opened > 0) {
            return Math.max(50 - opened, 33);
        }
        double room =
                used.stream().mapToDouble(one -> Math.floor(one * 100 / whole)).sum();
        return Math.max(100 - Math.floor(room / 10), 50);
    }

    /** The device for a part: of those with room the first of the greatest score; -1 for whole ones. */
    private int device(View view, int job, int server) {
        int best = -1;
        for (int device = 0; isPart(view, job) && device < 64; device++) {
            boolean has = (view.devicesOf(server) >>> device & 1) == 1;
            if (has
                    && view.deviceFree(server, device) >= demand(view, job)
                    && (best < 0 || descent(view, job, server, device) > descent(view, job, server, best))) {
                best = device;
            }
        }
        return best;
    }

    /** The score if a part goes to a device, and whole ones to free ones. */
    private double descent(View view, int job, int server, int device) {
        double[] free = free(view, server);
        double before = loss(view, server, freeOther(view, server), free);
        double[] after = free.clone();
        double left = demand(view, job);
        for (int i = 0; i < after.length && left > 0; i++) {
            if (device < 0 ? after[i] == view.deviceAmount() : i == device) {
                double taken = Math.min(left, (double) view.deviceAmount());
                after[i] -= taken;
                left -= taken;
            }
        }
        double decrease = before - loss(view, server, freeOther(view, server) - other(view, job), after);
        if (score.equals("fill")) {
            return Math.rint(decrease * 1e6) / 1e6;
        }
        double whole = Math.max(1, view.deviceAmount());
        return score.equals("fgd") ? Math.floor(1 / (1 + StrictMath.exp(-(decrease / whole))) * 100) : decrease;
    }

    private double loss(View view, int server, double other, double[] free) {
        return score.equals("fill") ? potential(view, other, free) : fragmentation(view, server, other, free);
    }

    private double fragmentation(View view, int server, double other, double[] free) {
        Map<String, List<Seen>> kinds = new TreeMap<>(Comparator.reverseOrder());
        estimated.forEach(
                one -> kinds.computeIfAbsent(one.kind, key -> new ArrayList<>()).add(one));
        List<List<Seen>> sorted = new ArrayList<>(kinds.values());
        sorted.sort(Comparator.comparingInt(same -> -same.size()));
        double total = estimated.size();
        double counted = 0;
        int popular = 0;
        while (counted < 95 * total / 100) {
            counted += sorted.get(popular++).size();
        }
        Map<String, Double> lost = new LinkedHashMap<>();
        List.of("neither", "no device", "no other", "without, fits", "without", "elsewhere")
                .forEach(why -> lost.put(why, 0.0));
        for (List<Seen> same : sorted.subList(0, popular)) {
            double part = same.size() / total;
            part = popular < sorted.size() ? part / (counted / total) : part;
            Seen one = same.get(0);
            boolean otherFits = other >= one.other;
            double devices = Math.ceil(one.demand / view.deviceAmount());
            double each = Math.min(one.demand, (double) view.deviceAmount());
            double fitting = 0;
            double tooSmall = 0;
            for (int i = 0; i < 64; i++) {
                boolean has = (view.devicesOf(server) >>> i & 1) == 1;
                fitting += has && free[i] >= each ? 1 : 0;
                tooSmall += free[i] < each ? free[i] : 0;
            }
            boolean admitted = one.constraints.admits(view.site(server), view.labels(server));
            String why = devices == 0
                    ? otherFits ? "without, fits" : "without"
                    : !admitted ? "elsewhere" : otherFits ? "no device" : fitting < devices ? "neither" : "no other";
            boolean allOfIt = devices == 0 || !admitted || fitting < devices || !otherFits;
            lost.merge(why, part * (allOfIt ? sum(free) : tooSmall), Double::sum);
        }
        return sum(lost.values().stream().mapToDouble(each -> each).toArray());
    }

    private double potential(View view, double other, double[] free) {
        if (rest.length == 0) {
            rest = rests(view);
        }
        double rests = 0;
        double usable = 0;
        for (double each : free) {
            double its = rest[(int) Math.floor(each * 1000 / view.deviceAmount())];
            rests += its;
            usable += Math.floor(each * 1000 / view.deviceAmount()) - its;
        }
        double used = 0;
        double needed = 0;
        List<Seen> byNeed = new ArrayList<>(estimated);
        byNeed.removeIf(one -> one.demand == 0);
        byNeed.sort(Comparator.comparingDouble(one -> one.other / milli(view, one)));
        double asked = byNeed.stream().mapToDouble(one -> milli(view, one)).sum();
        if (byNeed.isEmpty() || otherResource(view) < 0) {
            return rests;
        }
        for (Seen one : byNeed) {
            double size = milli(view, one) / asked * usable;
            double need = one.other / milli(view, one) * size;
            double fits = need > other - needed ? (other - needed) / need : 1;
            used += size * fits;
            needed += need * fits;
        }
        return rests + usable - used;
    }

    private static double milli(View view, Seen one) {
        return one.demand < view.deviceAmount()
                ? Math.ceil(one.demand * 1000 / view.deviceAmount())
                : one.demand / view.deviceAmount() * 1000;
    }

    /** What a device with so many thousandths free will finally leave. */
    private double[] rests(View view) {
        Map<Integer, Double> parts = new TreeMap<>();
        estimated.stream()
                .filter(one -> one.demand > 0 && milli(view, one) < 1000)
                .forEach(one -> parts.merge((int) milli(view, one), 1.0, Double::sum));
        for (int m = 50; parts.size() < 19 && m < 1000 && !learned(view); m += 50) {
            parts.put(m, 1.0);
        }
        double total = parts.values().stream().mapToDouble(each -> each).sum();
        double[] rests = new double[1001];
        for (int r = 0; r < 1000; r++) {
            int free = r;
            List<Integer> order = new ArrayList<>(parts.keySet());
            order.removeIf(m -> m > free);
            order.sort(Comparator.comparingDouble(m -> rests[free - m]));
            double noneBefore = 1;
            double unlikely = 1;
            for (int m : order) {
                unlikely = Math.max(0, unlikely - parts.get(m) / total);
                double none = StrictMath.pow(unlikely, 16);
                rests[r] += rests[r - m] * (noneBefore - none);
                noneBefore = none;
            }
            rests[r] += r * noneBefore;
        }
        return rests;
    }

    private boolean learned(View view) {
        return estimated.stream().anyMatch(one -> one.demand > 0 && milli(view, one) < 1000);
    }
}
