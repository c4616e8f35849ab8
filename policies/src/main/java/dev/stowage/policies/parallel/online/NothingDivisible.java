package dev.stowage.policies.parallel.online;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.View;

/** The policy if no resource is divisible. */
final class NothingDivisible implements Policy {
    @Override
    public void arrived(int job, View view, Actions actions) {
        actions.reject(job, "no resource is divisible");
    }
}
