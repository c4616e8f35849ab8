package dev.stowage.sim.workload;

/**
 * Fitted figures of {@link AzureLikeWorkload}, except its service times. Source: AzurePublicDataset V1 (2017), the last
 * 5.7 days; how each figure was fitted is in docs/workloads.md.
 */
final class AzureLikeFigures {
    /** vCPUs of a shape: six common shapes, then those that less than 0.05 % of the requests have. */
    static final int[] VCPUS = {1, 2, 4, 8, 8, 1, 2, 2, 1, 4, 2, 8, 16, 4, 4};

    /** Memory of a shape, MiB. */
    static final int[] MEM_MIB = {
        1792, 3584, 7168, 14_336, 57_344, 768, 16_384, 14_336, 2048, 28_672, 4096, 16_384, 114_688, 8192, 32_768
    };

    /** The first rare shape; the mixes below give the rare shapes one common weight. */
    static final int RARE = 6;

    /** Classes of batch sizes: 1, 2-4, 5-15, 16-62, 63 and more. */
    static final int SIZE_CLASSES = 5;

    /** Among the requests with a rare shape. */
    static final WeightedChoice RARE_SHAPES = new WeightedChoice(126, 98, 89, 82, 37, 29, 18, 3, 3);

    /** Share of batches of 16 and more per hour of the day. */
    static final double[] LARGE_SHARE = {
        .038, .036, .045, .037, .038, .042, .041, .041, .040, .041, .039, .050,
        .059, .064, .052, .067, .060, .066, .060, .075, .057, .073, .062, .042
    };

    /** Weights of the batch sizes 1 to 15. */
    static final WeightedChoice SMALL_SIZES =
            new WeightedChoice(5958, 1854, 678, 434, 260, 152, 117, 93, 85, 87, 75, 54, 56, 45, 53);

    /** Batch sizes of 16 and more. */
    static final Quantiles LARGE_SIZES = new Quantiles(
            new double[] {0, .1, .2, .3, .4, .5, .6, .7, .8, .85, .9, .93, .95, .97, .98, .99, .995, .998, 1},
            new double[] {16, 18, 20, 23, 26, 30, 36, 44, 66, 92, 148, 204, 246, 298, 323, 350, 376, 463, 1404});

    /** Share of batches all of one shape, per class of batch sizes. */
    static final double[] UNIFORM_SHARE = {1, .840, .654, .443, .770};

    /** In a mixed batch: probability that a request takes the shape of the one before without drawing. */
    static final double[] KEEP_SHAPE = {1, .21, .46, .69, .80};

    /** Shapes of batches of one shape: weights of the common shapes and of all rare ones, per class of batch sizes. */
    static final WeightedChoice[] UNIFORM_MIX = {
        new WeightedChoice(6031, 2119, 642, 310, 95, 770, 34),
        new WeightedChoice(5731, 2235, 843, 380, 313, 481, 17),
        new WeightedChoice(4276, 2417, 753, 1201, 1295, 41, 18),
        new WeightedChoice(2602, 1724, 890, 3238, 1516, 15, 15),
        new WeightedChoice(8993, 268, 467, 273, 0, 0, 0)
    };

    /** The same for mixed batches; a batch of one is never mixed. */
    static final WeightedChoice[] MIXED_MIX = {
        UNIFORM_MIX[0],
        new WeightedChoice(1623, 4020, 1938, 2210, 129, 44, 35),
        new WeightedChoice(2024, 4684, 2147, 1027, 75, 33, 11),
        new WeightedChoice(1876, 4387, 2002, 1590, 116, 21, 8),
        new WeightedChoice(5552, 1391, 2066, 982, 0, 8, 0)
    };

    /** Correlation of the normal scores of two service times of a batch, per class of batch sizes. */
    static final double[] SERVICE_CORRELATION = {0, .868, .870, .777, .932};

    private static final int[] WEEKDAY = {
        528, 602, 676, 659, 702, 816, 970, 1004, 921, 880, 881, 747,
        613, 496, 488, 424, 433, 378, 387, 358, 343, 423, 558, 569
    };
    private static final int[] WEEKEND = {
        706, 725, 772, 733, 714, 690, 678, 676, 646, 662, 688, 630,
        578, 475, 486, 385, 353, 329, 338, 341, 330, 389, 486, 572
    };
    private static final int HOURS_PER_DAY = 24;
    private static final int[][] WEEK = {WEEKDAY, WEEKDAY, WEEKDAY, WEEKEND, WEEKEND, WEEKDAY, WEEKDAY};

    private AzureLikeFigures() {}

    /** Batches per hour for the 168 hours of a week; it starts where the trace starts. */
    static double[] batchesPerHour() {
        double[] hours = new double[WEEK.length * HOURS_PER_DAY];
        for (int h = 0; h < hours.length; h++) {
            hours[h] = WEEK[h / HOURS_PER_DAY][h % HOURS_PER_DAY];
        }
        return hours;
    }

    /** Class of a batch size. */
    static int sizeClass(int size) {
        if (size < 5) {
            return size < 2 ? 0 : 1;
        }
        if (size < 16) {
            return 2;
        }
        return size < 63 ? 3 : 4;
    }
}
