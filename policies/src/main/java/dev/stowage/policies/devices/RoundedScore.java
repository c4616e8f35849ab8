package dev.stowage.policies.devices;

import dev.stowage.core.policy.View;

/**
 * The scores of the policies that Weng and others compare with (section 6.1), as in their published simulator. They are
 * rounded down to whole numbers, and so make ties.
 */
enum RoundedScore {
    /** The least left over of both resources, each as a part of the largest server's. */
    BEST_FIT {
        @Override
        double of(DeviceState state, long other, long demand) {
            double left = (state.otherFree - other) / (double) state.mostOther * HALF
                    + (state.freeInDevices() - demand) / (double) state.mostInDevices * HALF;
            return (long) ((1.0 - left) * 100);
        }
    },
    /** The least product of what is free and what is demanded: the paper prefers the smallest. */
    DOT_PRODUCT {
        @Override
        double of(DeviceState state, long other, long demand) {
            double mostOther = state.mostOther;
            double mostInDevices = state.mostInDevices;
            double product = state.otherFree / mostOther * (other / mostOther)
                    + state.freeInDevices() / mostInDevices * (demand / mostInDevices);
            return (long) (100 * (1 - product / 2));
        }
    },
    /** Servers that run requests for as many devices, before empty ones, before others; the fuller first. */
    CLUSTERING {
        @Override
        double of(DeviceState state, long other, long demand) {
            if (demand == 0) {
                return 0;
            }
            long fill = QUARTER * (state.mostInDevices - state.freeInDevices()) / state.mostInDevices;
            if ((state.trait & kind(state.device, demand)) != 0) {
                return fill + (Long.bitCount(state.trait) == 1 ? 3 * QUARTER : 2 * QUARTER);
            }
            return fill + (state.trait == 0 ? QUARTER : 0);
        }

        /** A bit for each number of devices that requests here demand. */
        @Override
        long trait(View view, int server) {
            long kinds = 0;
            if (view.deviceResource() != View.NONE) {
                for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
                    kinds |= kind(view.deviceAmount(), view.demand(job, view.deviceResource()));
                }
            }
            return kinds;
        }
    },
    /** Devices in use, before free ones of servers in use, before empty servers. */
    PACKING {
        @Override
        double of(DeviceState state, long other, long demand) {
            if (demand == 0) {
                return 0;
            }
            int whole = 0;
            while (whole < state.devices && state.free[state.devices - 1 - whole] == state.device) {
                whole++;
            }
            if (whole == state.devices) {
                return Math.max(100 / 3 - whole, whole);
            }
            long each = Math.min(demand, state.device);
            int left = Math.max(1, state.wholes(demand));
            int opened = 0;
            long room = 0;
            for (int i = 0; i < state.devices && left > 0; i++) {
                if (state.free[i] >= each) {
                    left--;
                    opened += state.free[i] == state.device ? 1 : 0;
                    room += state.free[i] * 100 / state.device;
                }
            }
            return opened > 0 ? Math.max(50 - opened, 33) : Math.max(100 - room / 10, 50);
        }
    };

    private static final double HALF = 0.5;
    private static final long QUARTER = 25;
    /** Bits of a whole number that a double represents exactly; larger numbers of devices share the last. */
    private static final int KINDS = 52;

    abstract double of(DeviceState state, long other, long demand);

    /** See {@link StateScore#trait}. */
    long trait(View view, int server) {
        return 0;
    }

    /** A bit for the number of whole devices of a demand, the first for parts; none if it demands none. */
    private static long kind(long device, long demand) {
        return demand == 0 ? 0 : 1L << Math.min(demand / device, KINDS - 1);
    }

    /** The score. */
    StateScore score() {
        return new StateScore() {
            @Override
            double of(DeviceState state, long other, long demand) {
                return RoundedScore.this.of(state, other, demand);
            }

            @Override
            long trait(View view, int server) {
                return RoundedScore.this.trait(view, server);
            }

            @Override
            String reason() {
                return "greatest score, rounded";
            }
        };
    }
}
