package dev.stowage.testkit;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Compares what an engine's view says with the books, entry by entry and list by list. */
final class ViewCheck {
    private final Books books;
    private final Engine engine;
    private final View view;

    private ViewCheck(Books books, Engine engine) {
        this.books = books;
        this.engine = engine;
        view = engine.view();
    }

    static void check(Books books, Engine engine, long now) {
        ViewCheck check = new ViewCheck(books, engine);
        same("now", engine.view().now(), now);
        check.checkCounts();
        check.checkServers();
        check.checkPools();
        check.checkLists();
        books.entries.forEach(check::checkEntry);
    }

    private void checkCounts() {
        law(Law.CONSERVATION, "arrived", engine.arrived(), books.arrived);
        law(Law.CONSERVATION, "left", engine.left(), books.left);
        law(Law.CONSERVATION, "rejected", engine.rejected(), books.rejected);
        law(Law.CONSERVATION, "refused", engine.refused(), books.refused);
        long inside = books.count(JobState.PENDING) + books.count(JobState.WAITING) + books.count(JobState.RUNNING);
        law(
                Law.CONSERVATION,
                "arrived",
                engine.arrived(),
                view.pending() + waiting() + running() + engine.left() + engine.rejected());
        law(Law.CONSERVATION, "arrived", books.arrived, inside + books.left + books.rejected);
        long handles = 0;
        for (int job = 0; job < engine.handles(); job++) {
            handles += view.state(job) == JobState.FREE ? 0 : 1;
        }
        same("handles in use", handles, books.entries.size());
    }

    private long waiting() {
        long sum = 0;
        for (int queue = 0; queue < view.queues(); queue++) {
            sum += view.queueLength(queue);
        }
        return sum;
    }

    private long running() {
        long sum = 0;
        for (int server = 0; server < view.servers(); server++) {
            sum += view.running(server);
        }
        return sum;
    }

    private void checkServers() {
        same("servers", view.servers(), books.machines.size());
        for (int server = 0; server < view.servers(); server++) {
            Books.Machine machine = books.machine(server);
            String who = "server " + server;
            same(who + " site", view.site(server), machine.site);
            same(who + " class site", view.classSite(view.capacityClass(server)), machine.site);
            sameValue(who + " status", view.status(server), machine.status);
            for (int r = 0; r < view.resources(); r++) {
                long capacity = machine.capacity.get(r);
                same(who + " capacity " + r, view.capacity(server, r), capacity);
                same(who + " class capacity " + r, view.classCapacity(view.capacityClass(server), r), capacity);
                same(who + " free " + r, view.free(server, r), capacity - books.used(machine, r));
            }
            long dummies = machine.occupants.stream()
                    .filter(job -> books.entry(job).state == JobState.DUMMY)
                    .count();
            same(who + " dummies", view.dummies(server), dummies);
            same(who + " running", view.running(server), machine.occupants.size() - dummies);
            sameValue(who + " jobs", list(view.firstOn(server)), List.copyOf(machine.occupants));
        }
    }

    private void checkPools() {
        same("sites", view.sites(), books.pools.size());
        for (int site = 0; site < view.sites(); site++) {
            for (int p = 0; p < view.pooledResources(); p++) {
                long capacity = books.pools.get(site).get(p);
                same("site " + site + " pool " + p, view.pooledCapacity(site, p), capacity);
                same(
                        "site " + site + " free pool " + p,
                        view.pooledFree(site, p),
                        capacity - books.usedOfPool(site, p));
            }
        }
    }

    private void checkLists() {
        sameValue("pending", list(view.pendingHead()), List.copyOf(books.pending));
        same("number pending", view.pending(), books.pending.size());
        for (Map.Entry<Integer, Set<Integer>> queue : books.queues.entrySet()) {
            if (queue.getKey() >= view.queues() && !queue.getValue().isEmpty()) {
                throw new LawError(Law.VIEW, "queue " + queue.getKey() + " is not one of " + view.queues());
            }
        }
        for (int queue = 0; queue < view.queues(); queue++) {
            Set<Integer> expected = books.queues.getOrDefault(queue, Set.of());
            sameValue("queue " + queue, list(view.queueHead(queue)), List.copyOf(expected));
            same("length of queue " + queue, view.queueLength(queue), expected.size());
        }
    }

    private void checkEntry(int job, Books.Entry entry) {
        String who = "job " + job;
        sameValue(who + " state", view.state(job), entry.state);
        same(who + " id", view.id(job), entry.id);
        same(who + " type", view.type(job), entry.type);
        same(who + " arrival", view.arrivedAt(job), entry.arrivedAt);
        same(who + " order", view.order(job), entry.order);
        same(who + " reward", view.reward(job), entry.rewardMicros);
        boolean onServer = entry.state == JobState.RUNNING || entry.state == JobState.DUMMY;
        same(who + " server", view.server(job), onServer ? entry.place : View.NONE);
        same(who + " queue", view.queue(job), entry.state == JobState.WAITING ? entry.place : View.NONE);
        for (int r = 0; r < view.resources(); r++) {
            same(who + " demand " + r, view.demand(job, r), entry.demand.get(r));
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            same(who + " pooled demand " + p, view.pooledDemand(job, p), entry.pooled.get(p));
        }
        if (view.divisibleResource() >= 0) {
            same(who + " share", view.share(job), entry.share);
        }
        if (entry.id >= 0) {
            same(who + " handle", engine.find(entry.id), job);
        }
    }

    /** The list from this job on; as long as the system at most, so that a ring ends too. */
    private List<Integer> list(int head) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = head; job != View.NONE && jobs.size() <= engine.handles(); job = view.next(job)) {
            jobs.add(job);
        }
        return jobs;
    }

    private static void sameValue(String what, Object actual, Object expected) {
        if (!Objects.equals(actual, expected)) {
            throw new LawError(Law.VIEW, what + " is " + actual + " in the view, " + expected + " by the effects");
        }
    }

    private static void same(String what, long actual, long expected) {
        law(Law.VIEW, what, actual, expected);
    }

    private static void law(Law law, String what, long actual, long expected) {
        if (actual != expected) {
            throw new LawError(law, what + " is " + actual + " in the engine, " + expected + " by the effects");
        }
    }
}
