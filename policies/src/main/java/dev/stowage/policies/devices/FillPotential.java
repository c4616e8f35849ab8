package dev.stowage.policies.devices;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Remembering;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Our own policy: a request goes where the devices that the server will <i>finally</i> leave unused grow least, as a
 * potential estimates them from what has arrived so far. It knows no workload.
 *
 * <p>The potential of a server is the sum of two losses, in thousandths of a device.
 *
 * <ul>
 *   <li><b>Rests of devices.</b> {@code rest(r)} is what a device with r free will finally leave unused, if of each
 *       {@code choice} parts that come, drawn from those seen so far, it gets the one that suits it best: with the
 *       parts m that fit in order of rest(r - m), rest(r) = sum over m of P(m is the first in this order among the
 *       draws) x rest(r - m) + P(no part fits) x r. A wholly free device leaves nothing: a request for whole ones can
 *       take it.
 *   <li><b>Devices without the other resource.</b> Of g usable thousandths and c of the other resource, as processors,
 *       {@code usable(c, g)} can be used at most, if the server gets requests in the mix seen so far, those that need
 *       least of it first: the concave function of a fractional knapsack. The loss is g - usable(c, g).
 * </ul>
 *
 * Fragmentation as in {@link FragmentationGradient} asks what the <i>next</i> request cannot use; a rest that few
 * requests fit is counted as lost although many requests will still be tried on it. The potential counts the many.
 *
 * <p>The mix is learned: estimated anew when the number of arrivals has grown by a quarter. Before 50 have come,
 * parts are taken to be uniform in steps of .05, and the other resource to be plenty. No tie is left to chance:
 * differences below one millionth of a thousandth are equal.
 */
final class FillPotential extends LossScore implements Remembering.Memory {
    /** From how many parts each device gets the one that suits it best; 24 do as well. */
    static final int CHOICE = 16;

    private static final int WHOLE = 1000;
    private static final int FIRST_ESTIMATE = 50;
    private static final int ASSUMED_STEP = 50;
    private static final double TIE = 1e6;
    private static final double GROWTH = 1.25;

    /** Parts seen, by thousandths of a device. */
    private final long[] partsSeen = new long[WHOLE];
    /** Thousandths of devices seen, by what was demanded of the other resource for each of them. */
    private final TreeMap<Double, Double> byNeed = new TreeMap<>();

    private long seen;
    private long nextEstimate = FIRST_ESTIMATE;
    private int version;

    private double[] rest = Assumed.RESTS;
    /** Sorted by need: the parts of all devices demanded, and the other resource that they need, summed up. */
    private double[] deviceSum = {0};

    private double[] otherSum = {0};

    /** Before any part has come; worked out once, for a policy is made anew at each restore. */
    private static final class Assumed {
        static final double[] RESTS = rests(parts());

        private static double[] parts() {
            double[] parts = new double[WHOLE];
            for (int milli = ASSUMED_STEP; milli < WHOLE; milli += ASSUMED_STEP) {
                parts[milli] = 1;
            }
            return parts;
        }
    }

    @Override
    public void arrived(View view, int job) {
        if (view.deviceResource() == View.NONE) {
            return;
        }
        long device = view.deviceAmount();
        long demand = view.demand(job, view.deviceResource());
        if (demand > 0) {
            long milli = demand < device ? thousandthsUp(demand, device) : demand / device * WHOLE;
            if (milli < WHOLE) {
                partsSeen[(int) milli]++;
            }
            int other = DeviceState.other(view);
            double need = other == View.NONE ? 0 : view.demand(job, other) / (double) milli;
            byNeed.merge(need, (double) milli, Double::sum);
        }
        seen++;
        if (seen >= nextEstimate) {
            nextEstimate = (long) (seen * GROWTH);
            version++;
            estimate();
        }
    }

    private static long thousandthsUp(long amount, long device) {
        return Math.min(WHOLE, (amount * WHOLE + device - 1) / device);
    }

    @Override
    int version() {
        return version;
    }

    @Override
    double score(DeviceState state, double decrease) {
        return Math.rint(decrease * TIE) / TIE;
    }

    @Override
    double loss(DeviceState state, long otherFree, long[] free) {
        double rests = 0;
        double room = 0;
        for (int i = 0; i < state.devices; i++) {
            int milli = (int) (free[i] * WHOLE / state.device);
            rests += rest[milli];
            room += milli - rest[milli];
        }
        return state.other == View.NONE ? rests : rests + room - usable((double) otherFree, room);
    }

    /** The most of {@code room} that requests in the mix seen so far can use with this much of the other resource. */
    private double usable(double otherFree, double room) {
        int last = deviceSum.length - 1;
        if (room <= 0 || otherFree >= room * otherSum[last]) {
            return room;
        }
        double perDevice = otherFree / room;
        int low = 0;
        int high = last;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (otherSum[middle] <= perDevice) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double width = otherSum[high] - otherSum[low];
        double within = width > 0 ? (perDevice - otherSum[low]) / width : 0;
        return room * (deviceSum[low] + within * (deviceSum[high] - deviceSum[low]));
    }

    private void estimate() {
        if (Arrays.stream(partsSeen).sum() > 0) {
            rest = rests(Arrays.stream(partsSeen).asDoubleStream().toArray());
        }
        double asked = byNeed.values().stream().mapToDouble(milli -> milli).sum();
        deviceSum = new double[byNeed.size() + 1];
        otherSum = new double[byNeed.size() + 1];
        int i = 0;
        for (Map.Entry<Double, Double> need : byNeed.entrySet()) {
            double part = need.getValue() / asked;
            deviceSum[i + 1] = deviceSum[i] + part;
            otherSum[i + 1] = otherSum[i] + part * need.getKey();
            i++;
        }
        deviceSum[i] = i > 0 ? 1 : 0;
    }

    /** What a device with so many thousandths free leaves unused in the end, if parts come as often as these. */
    private static double[] rests(double[] parts) {
        double[] rest = new double[WHOLE + 1];
        double total = Arrays.stream(parts).sum();
        int[] sizes = IntStream.range(1, parts.length)
                .filter(milli -> parts[milli] > 0)
                .toArray();
        for (int r = 0; r < WHOLE; r++) {
            int room = r;
            int[] fitting = Arrays.stream(sizes)
                    .filter(milli -> milli <= room)
                    .boxed()
                    .sorted(Comparator.comparingDouble(milli -> rest[room - milli]))
                    .mapToInt(milli -> milli)
                    .toArray();
            double none = 1;
            double expected = 0;
            double left = 1;
            for (int milli : fitting) {
                left = Math.max(0, left - parts[milli] / total);
                double later = StrictMath.pow(left, CHOICE);
                expected += rest[r - milli] * (none - later);
                none = later;
            }
            rest[r] = expected + r * none;
        }
        return rest;
    }

    @Override
    public void save(StateWriter out) {
        out.putLong(seen);
        out.putLong(nextEstimate);
        out.putLongs(partsSeen, WHOLE);
        out.putInt(byNeed.size());
        byNeed.forEach((need, milli) -> {
            out.putDouble(need);
            out.putDouble(milli);
        });
        putDoubles(out, rest);
        putDoubles(out, deviceSum);
        putDoubles(out, otherSum);
    }

    private static void putDoubles(StateWriter out, double[] values) {
        out.putInt(values.length);
        for (double value : values) {
            out.putDouble(value);
        }
    }

    private static double[] getDoubles(StateReader in) {
        double[] values = new double[in.getInt()];
        Arrays.setAll(values, i -> in.getDouble());
        return values;
    }

    @Override
    public void restore(StateReader in, View view) {
        seen = in.getLong();
        nextEstimate = in.getLong();
        System.arraycopy(in.getLongs(), 0, partsSeen, 0, WHOLE);
        for (int left = in.getInt(); left > 0; left--) {
            double need = in.getDouble();
            byNeed.put(need, in.getDouble());
        }
        rest = getDoubles(in);
        deviceSum = getDoubles(in);
        otherSum = getDoubles(in);
        version++;
    }

    @Override
    String reason() {
        return "the device capacity left unused in the end grows least";
    }
}
