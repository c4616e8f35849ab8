package dev.stowage.testkit;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/** Compares an engine's view with the auditor's records, entry by entry and list by list. */
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
        same(engine.view().now(), now, "the time");
        check.checkCounts();
        check.checkServers();
        check.checkPools();
        check.checkLists();
        books.entries.forEach(check::checkEntry);
        check.checkGangs();
    }

    private void checkGangs() {
        books.gangs.forEach((gang, jobs) -> {
            List<Integer> members = new ArrayList<>();
            for (int k = 0; k < view.gangSize(gang); k++) {
                members.add(view.gangMember(gang, k));
            }
            sameValue(members, List.copyOf(jobs), "the members of gang %d", gang);
        });
        boolean prioritized = books.entries.values().stream().anyMatch(entry -> entry.priority != 0);
        sameValue(view.prioritized(), prioritized, "whether there are priorities");
    }

    private void checkCounts() {
        law(Law.CONSERVATION, engine.arrived(), books.arrived, "the number arrived");
        law(Law.CONSERVATION, engine.left(), books.left, "the number left");
        law(Law.CONSERVATION, engine.rejected(), books.rejected, "the number rejected");
        law(Law.CONSERVATION, engine.refused(), books.refused, "the number refused");
        long told = books.count(JobState.PENDING) + books.count(JobState.WAITING) + books.count(JobState.RUNNING);
        law(Law.CONSERVATION, books.arrived, told + books.left + books.rejected, "the number accounted for");
        long seen = view.pending() + waiting() + running();
        law(Law.CONSERVATION, engine.arrived(), seen + engine.left() + engine.rejected(), "the number in the view");
        long handles = 0;
        for (int job = 0; job < engine.handles(); job++) {
            handles += view.state(job) == JobState.FREE ? 0 : 1;
        }
        same(handles, books.entries.size(), "the number of handles in use");
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
        same(view.servers(), books.machines.size(), "the number of servers");
        for (int server = 0; server < view.servers(); server++) {
            Books.Machine machine = books.machine(server);
            int number = view.capacityClass(server);
            same(view.site(server), machine.site, "the site of server %d", server);
            same(view.classSite(number), machine.site, "the site of the class of server %d", server);
            sameValue(view.status(server), machine.status, "the status of server %d", server);
            for (int r = 0; r < view.resources(); r++) {
                long capacity = machine.capacity.get(r);
                same(view.capacity(server, r), capacity, "the capacity of server %d in %d", server, r);
                same(view.classCapacity(number, r), capacity, "the class's capacity of server %d in %d", server, r);
                long free = capacity - books.used(machine, r);
                same(view.free(server, r), free, "the free capacity of server %d in %d", server, r);
            }
            checkDevices(server, machine);
            sameValue(view.serverName(server), machine.name, "the name of server %d", server);
            sameValue(view.labels(server), machine.labels, "the labels of server %d", server);
            int group = view.group(server);
            same(view.groupSite(group), machine.site, "the site of the group of server %d", server);
            checkOccupants(server, machine);
        }
    }

    private void checkDevices(int server, Books.Machine machine) {
        same(view.deviceResource(), books.device, "the resource in devices");
        sameValue(Books.set(view.devicesOf(server)), machine.devices, "the devices of server %d", server);
        for (int device = 0; device < Long.SIZE && books.device >= 0; device++) {
            long free = books.free(machine, device);
            same(view.deviceFree(server, device), free, "what is free of server %d, device %d", server, device);
        }
        books.entries.forEach((job, entry) -> checkFit(job, entry, server, machine));
    }

    /** The kinds of room say the same as the devices themselves. */
    private void checkFit(int job, Books.Booking entry, int server, Books.Machine machine) {
        if (entry.state != JobState.PENDING && entry.state != JobState.WAITING) {
            return;
        }
        boolean fits = books.device < 0 || books.hasDevices(machine, entry.demand.get(books.device));
        boolean room = true;
        for (int r = 0; r < view.resources(); r++) {
            fits &= entry.demand.get(r) <= machine.capacity.get(r) - books.used(machine, r);
        }
        for (int kind = 0; kind < view.roomKinds(); kind++) {
            room &= view.need(job, kind) <= view.room(server, kind);
        }
        sameValue(room, fits, "whether server %d has room for job %d", server, job);
        boolean may = view.status(server) == ServerStatus.UP && view.admits(view.constraint(job), server);
        for (int p = 0; p < view.pooledResources(); p++) {
            may &= entry.pooled.get(p) <= Math.max(0, view.pooledFree(machine.site, p));
        }
        sameValue(view.fits(job, server), fits && may, "whether job %d fits server %d", job, server);
    }

    private void checkOccupants(int server, Books.Machine machine) {
        int dummies = 0;
        for (int job : machine.occupants) {
            dummies += books.entry(job).state == JobState.DUMMY ? 1 : 0;
        }
        same(view.dummies(server), dummies, "the number of dummies on server %d", server);
        same(view.running(server), machine.occupants.size() - dummies, "the number running on server %d", server);
        sameValue(list(view.firstOn(server)), List.copyOf(machine.occupants), "the list of server %d", server);
    }

    private void checkPools() {
        same(view.sites(), books.pools.size(), "the number of sites");
        for (int site = 0; site < view.sites(); site++) {
            for (int p = 0; p < view.pooledResources(); p++) {
                long capacity = books.pools.get(site).get(p);
                same(view.pooledCapacity(site, p), capacity, "the pool of site %d in %d", site, p);
                long free = capacity - books.usedOfPool(site, p);
                same(view.pooledFree(site, p), free, "the free pool of site %d in %d", site, p);
            }
        }
    }

    private void checkLists() {
        sameValue(list(view.pendingHead()), List.copyOf(books.pending), "the list of the pending");
        same(view.pending(), books.pending.size(), "the number pending");
        for (Map.Entry<Integer, Set<Integer>> queue : books.queues.entrySet()) {
            if (queue.getKey() >= view.queues() && !queue.getValue().isEmpty()) {
                throw new LawError(Law.VIEW, "queue " + queue.getKey() + " is not one of " + view.queues());
            }
        }
        for (int queue = 0; queue < view.queues(); queue++) {
            Set<Integer> expected = books.queues.getOrDefault(queue, Set.of());
            sameValue(list(view.queueHead(queue)), List.copyOf(expected), "the list of queue %d", queue);
            same(view.queueLength(queue), expected.size(), "the length of queue %d", queue);
        }
    }

    private void checkEntry(int job, Books.Booking entry) {
        sameValue(view.state(job), entry.state, "the state of job %d", job);
        same(view.id(job), entry.id, "the id of job %d", job);
        same(view.type(job), entry.type, "the type of job %d", job);
        same(view.arrivedAt(job), entry.arrivedAt, "the time of arrival of job %d", job);
        same(view.order(job), entry.order, "the order of job %d", job);
        same(view.reward(job), entry.rewardMicros, "the reward of job %d", job);
        boolean onServer = entry.state == JobState.RUNNING || entry.state == JobState.DUMMY;
        same(view.server(job), onServer ? entry.place : View.NONE, "the server of job %d", job);
        same(view.queue(job), entry.state == JobState.WAITING ? entry.place : View.NONE, "the queue of job %d", job);
        for (int r = 0; r < view.resources(); r++) {
            same(view.demand(job, r), entry.demand.get(r), "the demand of job %d in %d", job, r);
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            same(view.pooledDemand(job, p), entry.pooled.get(p), "the pooled demand of job %d in %d", job, p);
        }
        for (int site = 0; site < view.sites(); site++) {
            sameValue(view.mayRunAt(job, site), entry.mayRunAt(site), "leave for job %d at site %d", job, site);
        }
        checkConstraints(job, entry.constraints);
        same(view.priority(job), entry.priority, "the priority of job %d", job);
        same(view.expectedNanos(job), entry.expectedNanos, "the expected lifetime of job %d", job);
        boolean timed = entry.expectedNanos != 0 && entry.state == JobState.RUNNING;
        same(view.runsSince(job), timed ? entry.runsSince : 0, "since when job %d runs", job);
        sameValue(view.hasAgent(job), entry.agent, "whether job %d has an agent", job);
        sameValue(view.phase(job), entry.phase, "the phase of job %d", job);
        same(view.startFailures(job), entry.failures, "the failed starts of job %d", job);
        same(view.gang(job), entry.gang, "the gang of job %d", job);
        if (view.divisibleResource() >= 0) {
            same(view.share(job), entry.share, "the share of job %d", job);
        }
        sameValue(Books.set(view.devicesHeld(job)), entry.devices, "the devices of job %d", job);
        if (entry.id >= 0) {
            same(engine.find(entry.id), job, "the handle of request %d", entry.id);
        }
    }

    private void checkConstraints(int job, Constraints constraints) {
        int number = view.constraint(job);
        sameValue(view.constraints(number), constraints, "the constraints of job %d", job);
        Constraints shared = new Constraints(constraints.sites(), constraints.terms(), List.of(), List.of());
        for (int server = 0; server < view.servers(); server++) {
            boolean admitted = books.admits(constraints, server, View.NONE);
            sameValue(view.admits(number, server), admitted, "whether job %d is admitted to server %d", job, server);
            boolean group = view.admitsGroup(number, view.group(server));
            boolean least = admitted && !group;
            boolean most = group && !books.admits(shared, server, View.NONE);
            same(
                    view.penalty(number, view.group(server)),
                    constraints.penalty(view.labels(server)),
                    "the penalty of server %d for job %d",
                    server,
                    job);
            sameValue(least || most, false, "whether job %d is wrong about the group of server %d", job, server);
        }
    }

    /** The list from this job on; cut at the number of jobs in the system, so that a cycle ends too. */
    private List<Integer> list(int head) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = head; job != View.NONE && jobs.size() <= engine.handles(); job = view.next(job)) {
            jobs.add(job);
        }
        return jobs;
    }

    private static void same(long actual, long expected, String what, long... numbers) {
        law(Law.VIEW, actual, expected, what, numbers);
    }

    private static void sameValue(Object actual, Object expected, String what, long... numbers) {
        if (!actual.equals(expected)) {
            throw different(Law.VIEW, actual, expected, what, numbers);
        }
    }

    private static void law(Law law, long actual, long expected, String what, long... numbers) {
        if (actual != expected) {
            throw different(law, actual, expected, what, numbers);
        }
    }

    private static LawError different(Law law, Object actual, Object expected, String what, long... numbers) {
        String named =
                String.format(Locale.ROOT, what, LongStream.of(numbers).boxed().toArray());
        return new LawError(law, named + " is " + actual + " in the engine, " + expected + " by the effects");
    }
}
