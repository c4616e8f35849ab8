package dev.stowage.study.size;

import java.util.Arrays;

/**
 * The least server-hours in which servers of one kind can hold all requests if each starts at once: at every moment the
 * sum of demands over a server's capacity, rounded up, for the resource where that is greatest; integrated over time.
 */
final class LeastHours {
    private LeastHours() {}

    /** From the start until a time, for the requests that fit a server. O(n log n). */
    static double of(RequestList requests, ServerFleet fleet, long end) {
        boolean[] fits = Sweep.fitting(requests, fleet);
        long[] leaving = new long[requests.size()];
        Integer[] byEnd = new Integer[requests.size()];
        Arrays.setAll(byEnd, i -> i);
        Arrays.sort(byEnd, (a, b) -> Long.compare(requests.until()[a], requests.until()[b]));
        Arrays.setAll(leaving, i -> requests.until()[byEnd[i]]);
        long[] sizes = fleet.kinds()[0];
        long[] sum = new long[sizes.length];
        double nanos = 0;
        long now = 0;
        int come = 0;
        int gone = 0;
        while (now < end) {
            long arrival = come < requests.size() ? requests.arrival()[come] : Long.MAX_VALUE;
            long departure = gone < leaving.length ? leaving[gone] : Long.MAX_VALUE;
            long next = Math.min(Math.min(arrival, departure), end);
            nanos += (double) need(sum, sizes) * (next - now);
            now = next;
            boolean arrives = arrival <= departure;
            int request = arrives ? come++ : byEnd[gone++];
            if (now < end && fits[requests.kind()[request]]) {
                for (int r = 0; r < sum.length; r++) {
                    sum[r] += (arrives ? 1 : -1) * requests.demands()[requests.kind()[request]][r];
                }
            }
        }
        return nanos / 3600e9;
    }

    private static long need(long[] sum, long[] sizes) {
        long need = 0;
        for (int r = 0; r < sum.length; r++) {
            need = sizes[r] == 0 ? need : Math.max(need, (sum[r] + sizes[r] - 1) / sizes[r]);
        }
        return need;
    }
}
