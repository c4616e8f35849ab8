package dev.stowage.policies.devices;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Remembering;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fragmentation gradient descent: Weng and others, section 5. A server's fragmentation is what is free in its devices
 * that a request of the target workload could not use, on average; a request goes where that grows least.
 *
 * <p>The published simulator makes a whole number of the decrease d, in devices: floor(100 / (1 + exp(-d))). Without
 * rounding the score is d. Sums are in its order, so that they are the same bits.
 */
final class FragmentationGradient extends LossScore implements Remembering.Memory {
    private final boolean rounded;
    private final Function<View, TargetWorkload> maker;
    private @Nullable TargetWorkload made;

    /** The target workload and its version that the following are of. */
    private TargetWorkload target = TargetWorkload.learned();

    private int version;
    /** What servers are to kinds of the target, each once: whether they are admitted. A server's trait is its place. */
    private final List<boolean[]> traits = new ArrayList<>();

    /** By server: its labels when its trait was worked out, which it has still if they are the same object. */
    private @Nullable Labels[] labels = {};

    private int[] traitOfServer = {};
    private final KnownLosses known = new KnownLosses();
    /** What kinds of the target demand of the other resource, each amount once, in ascending order. */
    private long[] otherDemands = {};

    /**
     * A score.
     *
     * @param rounded as in the published simulator
     * @param maker makes the target workload when the policy starts
     */
    FragmentationGradient(boolean rounded, Function<View, TargetWorkload> maker) {
        this.rounded = rounded;
        this.maker = maker;
    }

    /** The target workload, made when it is first needed. */
    private TargetWorkload target(View view) {
        if (made == null) {
            made = maker.apply(view);
            target = made;
        }
        return target;
    }

    @Override
    void begin(View view) {
        target(view);
    }

    @Override
    public void arrived(View view, int job) {
        if (view.deviceResource() != View.NONE) {
            target(view).arrived(view, job);
        }
    }

    @Override
    public void save(StateWriter out) {
        target.save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        target(view).restore(in);
    }

    @Override
    int version() {
        return target.version();
    }

    /** Which kinds of the target the server's site and labels admit. */
    @Override
    long trait(View view, int server) {
        if (version != target.version()) {
            version = target.version();
            traits.clear();
            Arrays.fill(labels, null);
            known.clear(0);
            otherDemands = target.kinds().stream()
                    .mapToLong(TargetWorkload.Kind::other)
                    .distinct()
                    .sorted()
                    .toArray();
        }
        if (server >= labels.length) {
            labels = Arrays.copyOf(labels, server + (server >> 1) + 16);
            traitOfServer = Arrays.copyOf(traitOfServer, labels.length);
        }
        Labels its = view.labels(server);
        if (!isSame(labels[server], its)) {
            labels[server] = its;
            traitOfServer[server] = trait(view.site(server), its);
        }
        return traitOfServer[server];
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(@Nullable Labels one, Labels other) {
        return one == other;
    }

    private int trait(int site, Labels its) {
        boolean[] admitted = new boolean[target.kinds().size()];
        for (int j = 0; j < admitted.length; j++) {
            Constraints constraints = target.kinds().get(j).constraints();
            admitted[j] = constraints.isNone() || constraints.admits(site, its);
        }
        for (int place = 0; place < traits.size(); place++) {
            if (Arrays.equals(traits.get(place), admitted)) {
                return place;
            }
        }
        traits.add(admitted);
        return traits.size() - 1;
    }

    @Override
    double score(DeviceState state, double decrease) {
        return rounded ? (long) (1.0 / (1.0 + StrictMath.exp(-(decrease / state.device))) * 100) : decrease;
    }

    /** Servers with room for the other demand of the same kinds, and as much free of their devices, lose the same. */
    @Override
    double loss(DeviceState state, long otherFree, long[] free) {
        int fitting = Arrays.binarySearch(otherDemands, otherFree);
        double loss = known.find(state, fitting < 0 ? -fitting - 1 : fitting + 1, free);
        if (loss == KnownLosses.UNKNOWN) {
            loss = fragmentation(state, otherFree, free);
            known.add(loss);
        }
        return loss;
    }

    /** What a request of the target workload could not use of the free devices, on average. */
    private double fragmentation(DeviceState state, long otherFree, long[] free) {
        boolean[] admitted = traits.get((int) state.trait);
        double[] parts = target.parts();
        double total = 0;
        for (int i = 0; i < state.devices; i++) {
            total += free[i];
        }
        double neither = 0;
        double noDevice = 0;
        double noOther = 0;
        double withoutDevicesFits = 0;
        double withoutDevices = 0;
        double elsewhere = 0;
        for (int j = 0; j < parts.length; j++) {
            TargetWorkload.Kind kind = target.kinds().get(j);
            boolean otherFits = otherFree >= kind.other();
            double all = parts[j] * total;
            if (kind.devices() == 0) {
                withoutDevicesFits += otherFits ? all : 0;
                withoutDevices += otherFits ? 0 : all;
                continue;
            }
            if (!admitted[j]) {
                elsewhere += all;
                continue;
            }
            int missing = kind.devices();
            long tooSmall = 0;
            for (int i = 0; i < state.devices; i++) {
                if (free[i] >= kind.each()) {
                    missing--;
                } else {
                    tooSmall += free[i];
                }
            }
            if (missing > 0) {
                noDevice += otherFits ? all : 0;
                neither += otherFits ? 0 : all;
            } else if (otherFits) {
                noDevice += parts[j] * tooSmall;
            } else {
                noOther += all;
            }
        }
        return neither + noDevice + noOther + withoutDevicesFits + withoutDevices + elsewhere;
    }

    @Override
    String reason() {
        return "fragmentation grows least";
    }
}
