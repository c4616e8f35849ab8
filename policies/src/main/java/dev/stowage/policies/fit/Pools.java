package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;

/** What a site's pools have to say. */
final class Pools {
    private Pools() {}

    /** Whether the pools of the site have what the request demands of them. */
    static boolean fit(View view, int job, int site) {
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.pooledDemand(job, p) > view.pooledFree(site, p)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the request demands anything of a pool. */
    static boolean usedBy(View view, int job) {
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.pooledDemand(job, p) > 0) {
                return true;
            }
        }
        return false;
    }
}
