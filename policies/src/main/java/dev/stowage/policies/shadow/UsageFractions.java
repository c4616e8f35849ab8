package dev.stowage.policies.shadow;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;

/**
 * The usage fractions phi of configurations (equation (9)): with every arrival all of them are multiplied by 1 - theta,
 * and those of configurations just used grow by theta. Kept as phi = scale x share, so that an arrival costs O(1) for
 * any number of configurations. A share that was ever above 0 stays above 0, so the order of old ones is not lost to
 * underflow.
 */
final class UsageFractions {
    private static final double LEAST_SCALE = 1e-100;
    private static final double LEAST_SHARE = 1e-290;

    private final double theta;
    private final boolean startUniform;
    private double scale = 1;
    private double[][] shares = {};

    /**
     * No block yet.
     *
     * @param theta weight of an arrival, above 0 and below 1
     * @param startUniform whether the fractions of a block start equal, instead of 0
     */
    UsageFractions(double theta, boolean startUniform) {
        this.theta = theta;
        this.startUniform = startUniform;
    }

    /** Makes room for the configurations of a block. */
    void grow(int block, int configurations) {
        if (block >= shares.length) {
            int before = shares.length;
            shares = Arrays.copyOf(shares, block + 1);
            Arrays.fill(shares, before, shares.length, new double[0]);
        }
        int before = shares[block].length;
        if (before < configurations) {
            shares[block] = Arrays.copyOf(shares[block], configurations);
            if (startUniform && before == 0) {
                Arrays.fill(shares[block], 1.0 / configurations / scale);
            }
        }
    }

    /** A request arrived. */
    void arrived() {
        scale *= 1 - theta;
        if (scale < LEAST_SCALE) {
            for (double[] each : shares) {
                for (int i = 0; i < each.length; i++) {
                    each[i] = each[i] == 0 ? 0 : Math.max(LEAST_SHARE, each[i] * scale);
                }
            }
            scale = 1;
        }
    }

    /** The superserver used a configuration at this arrival. */
    void used(int block, int configuration) {
        shares[block][configuration] += theta / scale;
    }

    /** A number proportional to phi, comparable within a block. */
    double share(int block, int configuration) {
        double[] ofBlock = shares[block];
        return configuration < ofBlock.length ? ofBlock[configuration] : 0;
    }

    /** phi itself. */
    double fraction(int block, int configuration) {
        return scale * share(block, configuration);
    }

    void save(StateWriter out) {
        out.putDouble(scale);
        out.putInt(shares.length);
        for (double[] each : shares) {
            out.putInt(each.length);
            for (double share : each) {
                out.putDouble(share);
            }
        }
    }

    void restore(StateReader in) {
        scale = in.getDouble();
        shares = new double[in.getInt()][];
        for (int block = 0; block < shares.length; block++) {
            shares[block] = new double[in.getInt()];
            for (int i = 0; i < shares[block].length; i++) {
                shares[block][i] = in.getDouble();
            }
        }
    }
}
