package dev.stowage.sim.driver;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;

/**
 * Tells every effect to two receivers, in order. Nest it for more receivers: then the call sites stay monomorphic for
 * the compiler. There is one method for each effect, because a common one would box every number.
 */
public record EffectsFan(Effects first, Effects second) implements Effects {
    @Override
    public void attached(View view) {
        first.attached(view);
        second.attached(view);
    }

    @Override
    public void arrived(long now, int job) {
        first.arrived(now, job);
        second.arrived(now, job);
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        first.placed(now, job, server, reason);
        second.placed(now, job, server, reason);
    }

    @Override
    public void adopted(long now, int job, int server) {
        first.adopted(now, job, server);
        second.adopted(now, job, server);
    }

    @Override
    public void resized(long now, int server, long[] before) {
        first.resized(now, server, before);
        second.resized(now, server, before);
    }

    @Override
    public void labelled(long now, int server) {
        first.labelled(now, server);
        second.labelled(now, server);
    }

    @Override
    public void queued(long now, int job, int queue, String reason) {
        first.queued(now, job, queue, reason);
        second.queued(now, job, queue, reason);
    }

    @Override
    public void rejected(long now, int job, String reason) {
        first.rejected(now, job, reason);
        second.rejected(now, job, reason);
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        first.migrated(now, job, from, to, reason);
        second.migrated(now, job, from, to, reason);
    }

    @Override
    public void allocated(long now, int job, long amount) {
        first.allocated(now, job, amount);
        second.allocated(now, job, amount);
    }

    @Override
    public void left(long now, int job, int server) {
        first.left(now, job, server);
        second.left(now, job, server);
    }

    @Override
    public void displaced(long now, int job, int server) {
        first.displaced(now, job, server);
        second.displaced(now, job, server);
    }

    @Override
    public void started(long now, int job, int server) {
        first.started(now, job, server);
        second.started(now, job, server);
    }

    @Override
    public void startFailed(long now, int job, int server) {
        first.startFailed(now, job, server);
        second.startFailed(now, job, server);
    }

    @Override
    public void stopping(long now, int job, int server, String reason) {
        first.stopping(now, job, server, reason);
        second.stopping(now, job, server, reason);
    }

    @Override
    public void evicted(long now, int job, int server, String reason) {
        first.evicted(now, job, server, reason);
        second.evicted(now, job, server, reason);
    }

    @Override
    public void strayed(long now, long id, int server) {
        first.strayed(now, id, server);
        second.strayed(now, id, server);
    }

    @Override
    public void dummyPlaced(long now, int dummy, int server, String reason) {
        first.dummyPlaced(now, dummy, server, reason);
        second.dummyPlaced(now, dummy, server, reason);
    }

    @Override
    public void dummyEnded(long now, int dummy, int server) {
        first.dummyEnded(now, dummy, server);
        second.dummyEnded(now, dummy, server);
    }

    @Override
    public void serverChanged(long now, int server, ServerStatus status) {
        first.serverChanged(now, server, status);
        second.serverChanged(now, server, status);
    }

    @Override
    public void gauged(long now, Gauge gauge, long value) {
        first.gauged(now, gauge, value);
        second.gauged(now, gauge, value);
    }

    @Override
    public void refused(long now, long subject, Refusal refusal, String detail) {
        first.refused(now, subject, refusal, detail);
        second.refused(now, subject, refusal, detail);
    }
}
