package dev.stowage.policies.baseline;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.GangFit;
import dev.stowage.policies.fit.Moving;
import dev.stowage.policies.fit.Preemption;
import dev.stowage.policies.fit.ServerChoice;
import dev.stowage.policies.fit.Undecided;

/**
 * No queue: a request goes at once to the server that a {@link ServerChoice} names, or is rejected. One search per
 * request. One of higher priority may take the place of lower ones that have no agent ({@link Preemption}). Gangs,
 * placed whole or rejected, go before single requests.
 */
final class LossPolicy implements Policy {
    private final ServerChoice servers;
    private final Undecided undecided = new Undecided();
    private final GangFit gangs;
    private final Preemption preemption = new Preemption(false);

    LossPolicy(View view, ServerChoice servers) {
        this.servers = servers;
        gangs = new GangFit(view, servers);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        // Decided when the step ends.
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server != View.NONE) {
            servers.left(view, job, server);
        }
    }

    @Override
    public void adopted(int job, int server, View view, Actions actions) {
        servers.update(view, server);
    }

    @Override
    public void moveOff(int job, View view, Actions actions) {
        int target = Moving.off(view, actions, job, servers);
        if (target != View.NONE) {
            servers.update(view, target);
        }
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        servers.update(view, server);
    }

    @Override
    public void round(View view, Actions actions) {
        // What was evicted goes elsewhere, or is rejected.
        while (view.pending() > 0) {
            decide(view, actions);
        }
    }

    private void decide(View view, Actions actions) {
        undecided.collect(view);
        for (int k = 0; k < undecided.gangs(); k++) {
            int gang = undecided.gang(k);
            if (!gangs.place(view, actions, gang, server -> servers.update(view, server))) {
                actions.rejectGang(gang, "no room for the whole gang now");
            }
        }
        for (int k = 0; k < undecided.size(); k++) {
            int job = undecided.get(k);
            int server = servers.choose(view, job);
            String reason = servers.reason();
            if (server == View.NONE && preemption.find(view, actions, job)) {
                server = preemption.server();
                reason = Preemption.PLACES;
                for (int v = 0; v < preemption.victims(); v++) {
                    actions.evict(preemption.victim(v), Preemption.reason(view, job));
                }
            }
            if (server == View.NONE) {
                actions.reject(job, "fits no server now");
            } else {
                actions.place(job, server, servers.devices(view, job, server), reason);
                servers.placed(view, job, server);
            }
        }
    }
}
