package dev.stowage.report;

/** A time axis in the unit that fits its length. */
record TimeAxis(double secondsPerUnit, String unit) {

    static TimeAxis covering(double seconds) {
        if (seconds <= 300) {
            return new TimeAxis(1, "s");
        }
        if (seconds <= 3 * 3600) {
            return new TimeAxis(60, "min");
        }
        return seconds <= 36 * 3600 ? new TimeAxis(3600, "hours") : new TimeAxis(86400, "days");
    }

    Axis axis(double endSeconds) {
        double end = endSeconds > 0 ? endSeconds / secondsPerUnit : 1;
        return new Axis("simulated time (" + unit + ")", false, 0, end, Numbers::plain);
    }
}
