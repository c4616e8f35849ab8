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
 * <p>Each member is asked one thing at a time; all reads that began before the question share its answer. Safe for
 * many threads.
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
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final int members;
        private int same;

        Waiting(long number, long term, int members, Set<String> others) {
            this.number = number;
            this.term = term;
            this.members = members;
            this.silent = others;
            same = members - others.size();
        }

        boolean isConfirmed() {
            return 2 * same > members;
        }

        boolean isHopeless() {
            return 2 * (same + silent.size()) <= members;
        }
    }

    private final Group group;
    private final long limitMillis;
    private final List<Waiting> waiting = new ArrayList<>();
    private final Set<String> asked = new HashSet<>();
    private final ExecutorService asking = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "stowage-confirmations");
        thread.setDaemon(true);
        return thread;
    });
    private long last;

    /**
     * For a member of a group.
     *
     * @param limitMillis how long a read waits for a majority
     */
    Confirmations(Group group, long limitMillis) {
        this.group = group;
        this.limitMillis = limitMillis;
    }

    /**
     * Complete when it is certain that, at the time of this call, there was no leader of a later term than this node's;
     * fails with a {@link NotServedException} if there may have been. The read is to be sent after this call.
     */
    CompletableFuture<Void> confirm() {
        String self = group.self();
        Set<String> others = new HashSet<>(group.members());
        int members = others.size();
        others.remove(self);
        Waiting one;
        synchronized (this) {
            one = new Waiting(++last, group.term(), members, others);
            if (one.isConfirmed()) {
                return CompletableFuture.completedFuture(null);
            } else if (one.isHopeless()) {
                return CompletableFuture.failedFuture(unavailable("this node takes no part"));
            }
            waiting.add(one);
            for (String other : others) {
                if (!asked.contains(other) && begin(() -> ask(other))) {
                    asked.add(other);
                }
            }
        }
        return one.done.orTimeout(limitMillis, TimeUnit.MILLISECONDS).handle((done, thrown) -> {
            if (thrown instanceof NotServedException no) {
                throw no;
            } else if (thrown != null) {
                throw unavailable("no majority has answered within " + limitMillis + " ms");
            }
            return null;
        });
    }

    /** Asks a member as long as a read waits for it. */
    private void ask(String member) {
        while (true) {
            long upTo;
            synchronized (this) {
                if (waiting.stream().noneMatch(one -> one.silent.contains(member))) {
                    asked.remove(member);
                    return;
                }
                upTo = last;
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
                    one.same += term >= 0 && term <= one.term ? 1 : 0;
                }
                if (one.isConfirmed()) {
                    then.add(() -> one.done.complete(null));
                } else if (one.isHopeless()) {
                    then.add(() -> one.done.completeExceptionally(unavailable(
                            term > one.term ? "the leader is changing" : "no majority of the members answers")));
                }
                if (one.isConfirmed() || one.isHopeless() || one.done.isDone()) {
                    all.remove();
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
                NotServedException.Kind.UNAVAILABLE, null, "nobody can tell whether this is the newest: " + why);
    }

    @Override
    public void close() {
        asking.shutdown();
        List<Waiting> left;
        synchronized (this) {
            left = List.copyOf(waiting);
            waiting.clear();
        }
        left.forEach(one -> one.done.completeExceptionally(unavailable("this node is closing")));
    }
}
