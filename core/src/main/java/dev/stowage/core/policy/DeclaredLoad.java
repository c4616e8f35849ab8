package dev.stowage.core.policy;

/** The load that a task declares, where a resource is divisible: its demand of the first other resource. */
public final class DeclaredLoad {
    private DeclaredLoad() {}

    /** Declared load of a job, whole units, at least 1; 1 where there is no other resource. */
    public static long of(View view, int job) {
        int resource = view.divisibleResource() == 0 ? 1 : 0;
        return resource < view.resources() ? Math.max(1, view.demand(job, resource)) : 1;
    }
}
