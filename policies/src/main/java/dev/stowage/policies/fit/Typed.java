package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;

/** Requests that are known by their type only. */
public final class Typed {
    private Typed() {}

    /** Whether the request has a type and exactly the demand of the type. */
    public static boolean isOfItsType(View view, int job) {
        int type = view.type(job);
        if (type == View.NONE) {
            return false;
        }
        for (int r = 0; r < view.resources(); r++) {
            if (view.demand(job, r) != view.typeDemand(type, r)) {
                return false;
            }
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.pooledDemand(job, p) != view.typePooledDemand(type, p)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the pools of a site have room for one more of the type. */
    public static boolean poolsHaveRoom(View view, int type, int site) {
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.typePooledDemand(type, p) > view.pooledFree(site, p)) {
                return false;
            }
        }
        return true;
    }
}
