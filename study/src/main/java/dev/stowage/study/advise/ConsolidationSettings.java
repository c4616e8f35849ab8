package dev.stowage.study.advise;

/**
 * How a plan is carried out.
 *
 * @param gapNanos time from one move to the next, at least
 * @param patienceNanos how long a step is tried that cannot be made, before its server is given up
 * @param atOnce servers that are closed at one time, to be emptied one after the other; then the plan is made anew
 * @param most servers to empty, at most
 * @param closesEmpty whether servers that hold nothing are closed meanwhile, so that nothing moves there
 * @param keepsClosed whether emptied servers stay closed at the end
 */
public record ConsolidationSettings(
        long gapNanos, long patienceNanos, int atOnce, int most, boolean closesEmpty, boolean keepsClosed) {
    /** Checks the values. */
    public ConsolidationSettings {
        if (gapNanos < 0 || patienceNanos < 0 || atOnce < 1 || most < 1) {
            throw new IllegalArgumentException("gap " + gapNanos + " and patience " + patienceNanos
                    + " must be at least 0, servers at once " + atOnce + " and most " + most + " at least 1");
        }
    }
}
