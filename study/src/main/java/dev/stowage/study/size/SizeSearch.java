package dev.stowage.study.size;

/**
 * The least level of a fleet with which a policy meets a target on the requests of one seed. The requests are the same
 * at every level, and a run ends as soon as it has missed the target. The warm-up is not left out: servers must be
 * enough for all requests of the run.
 *
 * <p>With some policies more servers can be worse. So the next larger level is also tried, and reported if it fails.
 */
record SizeSearch(ServerFleet fleet, Trial trial) {
    /** The search gives up at this many times the bound for any policy. */
    static final int MOST_TIMES_BOUND = 16;
    /** This many times as many servers as requests are enough, even if some are down, drained or at a lost site. */
    static final int AWAY = 4;
    /** First step above a failing level, as a fraction (1/64) of it. */
    private static final int STEP = 64;

    /**
     * The result.
     *
     * @param level the least level that meets the target while one less fails; 0 if none was found
     * @param monotone whether one more meets it too
     * @param tried the largest level that was tried
     */
    record Found(long level, boolean monotone, long tried) {}

    /** On the requests of a seed; bounded below by what they need if the target does not let them wait for ever. */
    Found least(long seed, Requests requests, boolean bounded) {
        PeakBound bound = requests.bound();
        if (bound.hopeless()) {
            return new Found(0, true, 0);
        }
        long most = most(bound);
        // Levels below the bound fail for every policy, unless the target lets requests wait for ever.
        long lowest = bounded ? Math.max(1, bound.level()) : 1;
        long start = Math.max(1, bound.level());
        LeastLevel least = LeastLevel.of(
                start, lowest, most, start / STEP, level -> trial.meets(fleet.at(level), seed, () -> requests));
        if (!least.found()) {
            return new Found(0, true, least.tried());
        }
        boolean next = trial.meets(fleet.at(least.level() + 1), seed, () -> requests);
        return new Found(least.level(), next, least.level() + 1);
    }

    /** The largest level that is tried: a server for each request, and a reserve for those that may be away. */
    private long most(PeakBound bound) {
        long requests = Math.max(1, AWAY * bound.requests() + trial.spareServers());
        PeakBound.Rule rule = bound.rule();
        boolean ofSome = rule != null && !rule.types().name().isEmpty();
        // What counts for a bound of some types may need room for all the others.
        return ofSome || bound.level() == 0
                ? requests
                : Math.max(1, Math.min(requests, MOST_TIMES_BOUND * Math.max(1, bound.level())));
    }
}
