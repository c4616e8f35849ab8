package dev.stowage.sim.workload;

/** Checks of parameters; each message carries the name, the value and what is allowed. */
final class Parameters {
    private Parameters() {}

    static double positive(String name, double value) {
        return check(value > 0 && value <= Double.MAX_VALUE, name, value, "above 0 and finite");
    }

    static double nonnegative(String name, double value) {
        return check(value >= 0 && value <= Double.MAX_VALUE, name, value, "at least 0 and finite");
    }

    static double atLeast(String name, double value, double least) {
        return check(value >= least && value <= Double.MAX_VALUE, name, value, "at least " + least + " and finite");
    }

    static double finite(String name, double value) {
        return check(StrictMath.abs(value) <= Double.MAX_VALUE, name, value, "finite");
    }

    static double check(boolean good, String name, double value, String allowed) {
        if (!good) {
            throw new IllegalArgumentException(name + " is " + value + ", must be " + allowed);
        }
        return value;
    }

    static long check(boolean good, String name, long value, String allowed) {
        if (!good) {
            throw new IllegalArgumentException(name + " is " + value + ", must be " + allowed);
        }
        return value;
    }

    /** Two arrays that belong together. */
    static void sameLength(String name, double[] one, String otherName, double[] other) {
        if (one.length != other.length || one.length == 0) {
            throw new IllegalArgumentException(name + " has " + one.length + " entries and " + otherName + " has "
                    + other.length + ", must be the same number, at least 1");
        }
    }
}
