package dev.stowage.service.raft;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Confirms for a read that no other leader had been elected when it began, so that it sees all that was answered
 * before (Ongaro, Consensus: Bridging Theory and Practice, 2014, section 6.4).
 *
 * <p>Ratis 3.3 asks the others only for a commit index that it has not asked for before. A leader that is cut off,
 * whose commit index therefore stays, would go on answering reads until it steps down, while the others have elected
 * another leader and acknowledged changes. So this node asks as well: when a read has begun, a majority of the
 * members, this one included, must say that their term is not later than this node's was. Another leader would have
 * needed votes of a majority in a later term, and whoever votes enters that term first.
 *
 * <p>Only as many members are asked as a majority needs; the others when one of them does not answer as hoped, or
 * not soon, and then that one is asked last by the reads to come. Each member is asked one thing at a time; all reads
 * that began before the question share its answer. Safe for many threads.
 */
final class Confirmations implements AutoCloseable {
    /** The group as a member sees it. */
    interface Group {
        /** The member that this node is, or an empty text if it is none. */
        String self();

        /** Ids of all members. */
        List<String> members();

        /** This node's term. */
        long term();

        /** The term of another member. Waits for its answer. */
        long term(String of) throws IOException;
    }

    /** A read that waits. */
    private static final class Waiting {
        private final long number;
        private final long term;
        private final Set<String> silent;
        /** Those of the silent that are to be asked. */
        private final Set<String> wanted;

        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final int members;
        private int same;

        Waiting(long number, long term, int members, List<String> others) {
            this.number = number;
            this.term = term;
            this.members = members;
            silent = new HashSet<>(others);
            same = members - others.size();
            int missing = members / 2 + 1 - same;
            wanted = new HashSet<>(others.subList(0, Math.max(0, Math.min(missing, others.size()))));
        }

        /** Has all others asked. */
        void widen() {
            wanted.addAll(silent);
        }

        boolean isConfirmed() {
            return 2 * same > members;
        }

        boolean isHopeless() {
            return 2 * (same + silent.size()) <= members;
        }
    }

    /** Several times what an answer takes; a read takes so much longer when the member that was asked stands still. */
    private static final long SOON_MILLIS = 10;

    private final Group group;
    private final long limitMillis;
    private final long soonMillis;
    private final List<Waiting> waiting = new ArrayList<>();
    private final Set<String> asked = new HashSet<>();
    /** The other members, those to be asked first in front. */
    private final List<String> order = new ArrayList<>();

    /** Whether {@link #late} will be called. */
    private boolean timed;

    private final ExecutorService asking = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "stowage-confirmations");
        thread.setDaemon(true);
        return thread;
    });
    private long begun;

    /**
     * For a member of a group.
     *
     * @param limitMillis how long a read waits for a majority
     */
    Confirmations(Group group, long limitMillis) {
        this(group, limitMillis, SOON_MILLIS);
    }

    Confirmations(Group group, long limitMillis, long soonMillis) {
        this.group = group;
        this.limitMillis = limitMillis;
        this.soonMillis = soonMillis;
    }

    /**
     * Complete when it is certain that, at the time of this call, there was no leader of a later term than this node's;
     * fails with a {@link NotServedException} if there may have been. The read is to be sent after this call.
     */
    CompletableFuture<Void> confirm() {
        List<String> others = new ArrayList<>(group.members());
        int members = others.size();
        others.remove(group.self());
        Waiting one;
        synchronized (this) {
            order.retainAll(others);
            others.stream().filter(other -> !order.contains(other)).forEach(order::add);
            one = new Waiting(++begun, group.term(), members, order);
            if (one.isConfirmed()) {
                return CompletableFuture.completedFuture(null);
            } else if (one.isHopeless()) {
                return CompletableFuture.failedFuture(unavailable("this node takes no part in its group"));
            }
            waiting.add(one);
            askFor(one);
            time();
        }
        return one.done.orTimeout(limitMillis, TimeUnit.MILLISECONDS).handle((done, thrown) -> {
            if (thrown instanceof NotServedException no) {
                throw no;
            } else if (thrown != null) {
                throw NotServedException.noLeader();
            }
            return null;
        });
    }

    /** Asks those that a read wants to be asked; in the lock. */
    private void askFor(Waiting one) {
        for (String other : one.wanted) {
            if (!asked.contains(other) && begin(() -> ask(other))) {
                asked.add(other);
            }
        }
    }

    /** Has {@link #late} called soon, in the lock. */
    private void time() {
        if (!timed && !waiting.isEmpty()) {
            timed = true;
            long upTo = begun;
            CompletableFuture.delayedExecutor(soonMillis, TimeUnit.MILLISECONDS, asking)
                    .execute(() -> late(upTo));
        }
    }

    /** Reads up to a number, if they still wait, have the others asked as well. */
    private synchronized void late(long upTo) {
        timed = false;
        waiting.removeIf(one -> one.done.isDone());
        for (Waiting one : waiting) {
            boolean all = one.wanted.containsAll(one.silent);
            if (one.number <= upTo && !all) {
                one.wanted.forEach(this::last);
                one.widen();
                askFor(one);
            }
        }
        time();
    }

    /** A member is to be asked last from now on; in the lock. */
    private void last(String member) {
        if (order.remove(member)) {
            order.add(member);
        }
    }

    /** Asks a member as long as a read wants it to be asked. */
    private void ask(String member) {
        while (true) {
            long upTo;
            synchronized (this) {
                if (waiting.stream().noneMatch(one -> one.wanted.contains(member))) {
                    asked.remove(member);
                    return;
                }
                upTo = begun;
            }
            long term;
            try {
                term = group.term(member);
            } catch (IOException | RuntimeException unreachable) {
                term = -1;
            }
            answered(member, upTo, term);
        }
    }

    private void answered(String member, long upTo, long term) {
        List<Runnable> then = new ArrayList<>();
        synchronized (this) {
            for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
                Waiting one = all.next();
                if (one.number <= upTo && one.silent.remove(member)) {
                    one.wanted.remove(member);
                    if (term >= 0 && term <= one.term) {
                        one.same++;
                    } else {
                        last(member);
                        one.widen();
                    }
                }
                if (one.isConfirmed()) {
                    then.add(() -> one.done.complete(null));
                } else if (one.isHopeless()) {
                    then.add(() -> one.done.completeExceptionally(NotServedException.noLeader()));
                }
                if (one.isConfirmed() || one.isHopeless() || one.done.isDone()) {
                    all.remove();
                } else {
                    askFor(one);
                }
            }
        }
        // What waits for a read is not to delay the next question.
        if (!then.isEmpty() && !begin(() -> then.forEach(Runnable::run))) {
            then.forEach(Runnable::run);
        }
    }

    private boolean begin(Runnable what) {
        try {
            asking.execute(what);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    private static NotServedException unavailable(String why) {
        return new NotServedException(
                NotServedException.Kind.UNAVAILABLE, null, "cannot confirm that this is the newest state: " + why);
    }

    @Override
    public void close() {
        asking.shutdown();
        List<Waiting> left;
        synchronized (this) {
            left = List.copyOf(waiting);
            waiting.clear();
        }
        left.forEach(one -> one.done.completeExceptionally(unavailable("this node is shutting down")));
    }
}
