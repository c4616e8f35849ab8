package com.example.roomiest;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.View;
import dev.stowage.policies.catalog.Entry;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Each request goes to the server with the most free of the first resource; ties to the lowest number. O(servers). */
final class Roomiest implements Policy {
    static final Entry ENTRY = Entry.of(
            "roomiest",
            "each request goes to the server with room that has the most free of the first resource, or is rejected",
            "say here where the idea comes from",
            "none",
            List.of(),
            values -> new Roomiest());

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.of(Capability.SITE_LIMITS);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        // Decided when the step ends.
    }

    @Override
    public void round(View view, Actions actions) {
        for (int job = view.pendingHead(); job != View.NONE; job = view.pendingHead()) {
            int best = View.NONE;
            for (int server = 0; server < view.servers(); server++) {
                if (view.fits(job, server)
                        && (best == View.NONE || view.free(server, 0) > view.free(best, 0))) {
                    best = server;
                }
            }
            if (best == View.NONE) {
                actions.reject(job, "fits no server now");
            } else {
                actions.place(job, best, "most free");
            }
        }
    }
}
