package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;

/** Whether a site can take a request, whatever its servers have. */
public final class SiteRoom {
    private SiteRoom() {}

    /** Whether the pools of the site have what the request demands of them. */
    public static boolean inPools(View view, int job, int site) {
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.pooledDemand(job, p) > Math.max(0, view.pooledFree(site, p))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the request demands anything of a pool. */
    static boolean usesPool(View view, int job) {
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.pooledDemand(job, p) > 0) {
                return true;
            }
        }
        return false;
    }
}
