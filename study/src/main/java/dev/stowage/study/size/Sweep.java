package dev.stowage.study.size;

import dev.stowage.sim.experiment.TypeChoice;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Goes through the moments at which the set of requests grows that must be present whatever the policy does, and counts
 * them by kind.
 */
final class Sweep {
    private final RequestList requests;
    private final long delay;
    private final TypeChoice types;
    private final boolean[] fits;
    private final long end;
    private final PriorityQueue<long[]> leaving = new PriorityQueue<>((a, b) -> Long.compare(a[0], b[0]));
    private final long[] count;
    private final long[] sum;
    private int next;
    private long now;

    /**
     * At the beginning.
     *
     * @param delay time after its arrival from which a request is certain to be present
     * @param types of the requests that are counted
     * @param fits by kind, whether it fits any server; others are left out
     * @param end later requests do not count
     */
    Sweep(RequestList requests, long delay, TypeChoice types, boolean[] fits, long end) {
        this.requests = requests;
        this.delay = delay;
        this.types = types;
        this.fits = fits;
        this.end = end;
        count = new long[requests.demands().length];
        sum = new long[count.length == 0 ? 0 : requests.demands()[0].length];
    }

    /** Goes to the next moment at which a further request is certain to be present; false after the last. */
    boolean next() {
        while (next < requests.size()) {
            int request = next++;
            long from = requests.arrival()[request] + delay;
            if (from > end) {
                next = requests.size();
                return false;
            }
            boolean counts = fits[requests.kind()[request]] && types.has(requests.type()[request]);
            if (counts && from < requests.until()[request]) {
                now = from;
                release(from);
                leaving.add(new long[] {requests.until()[request], requests.kind()[request]});
                change(requests.kind()[request], 1);
                return true;
            }
        }
        return false;
    }

    private void release(long at) {
        while (!leaving.isEmpty() && leaving.peek()[0] <= at) {
            change((int) leaving.remove()[1], -1);
        }
    }

    private void change(int kind, int by) {
        count[kind] += by;
        long[] demand = requests.demands()[kind];
        for (int r = 0; r < sum.length; r++) {
            sum[r] += by * demand[r];
        }
    }

    long now() {
        return now;
    }

    /** Number of present requests of a kind. */
    long count(int kind) {
        return count[kind];
    }

    /** Numbers of present requests by kind, a copy. */
    long[] counts() {
        return count.clone();
    }

    /** Their total demand of a resource. */
    long sum(int resource) {
        return sum[resource];
    }

    int resources() {
        return sum.length;
    }

    /** The kinds in descending order of demand. */
    static int[][] orders(RequestList requests, int resources) {
        int[][] orders = new int[resources][];
        for (int r = 0; r < resources; r++) {
            int resource = r;
            orders[r] = IntStream.range(0, requests.demands().length)
                    .boxed()
                    .sorted((a, b) -> Long.compare(requests.demands()[b][resource], requests.demands()[a][resource]))
                    .mapToInt(Integer::intValue)
                    .toArray();
        }
        return orders;
    }

    /** Which kinds fit some server. */
    static boolean[] fitting(RequestList requests, ServerFleet fleet) {
        boolean[] fits = new boolean[requests.demands().length];
        for (int k = 0; k < fits.length; k++) {
            fits[k] = fleet.fits(requests.demands()[k]);
        }
        return fits;
    }
}
