package dev.stowage.service.api;

import com.linecorp.armeria.common.HttpData;
import dev.stowage.service.v1.WatchReply;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Replies made for one watch, shared with others that watch the same at about the same time, so that twenty consoles
 * cost little more than one. Used by the thread of the watchers only. Bounded by the number of changes.
 */
final class SharedReplies {
    /** Some 3 MB as JSON. */
    private static final int MOST_CHANGES = 4096;

    /**
     * What a reply tells.
     *
     * @param from position of the first entry
     * @param to position of the last entry
     * @param tenant whose requests; null for those of all
     */
    record Key(long from, long to, @Nullable String tenant) {}

    /** A reply, and its bytes over HTTP if somebody needs those. */
    static final class Shared {
        private final WatchReply reply;
        private @Nullable HttpData line;
        private @Nullable HttpData event;

        Shared(WatchReply reply) {
            this.reply = reply;
        }

        WatchReply reply() {
            return reply;
        }

        /** As a line of JSON. */
        HttpData line() {
            HttpData made = line;
            if (made == null) {
                made = HttpData.ofUtf8(Json.compact(reply) + "\n");
                line = made;
            }
            return made;
        }

        /** As a server-sent event; JSON of one line. */
        HttpData event() {
            HttpData made = event;
            if (made == null) {
                made = HttpData.ofUtf8("id:" + reply.getPosition() + "\ndata:" + Json.compact(reply) + "\n\n");
                event = made;
            }
            return made;
        }
    }

    private final Map<Key, Shared> known = new HashMap<>();
    private final Deque<Key> order = new ArrayDeque<>();
    private int changes;

    /** The reply for a key, which is made if there is none yet. */
    Shared get(Key key, Supplier<WatchReply> make) {
        Shared found = known.get(key);
        if (found != null) {
            return found;
        }
        Shared made = new Shared(make.get());
        known.put(key, made);
        order.add(key);
        changes += weight(made);
        while (changes > MOST_CHANGES && order.size() > 1) {
            Shared oldest = known.remove(order.remove());
            changes -= oldest == null ? 0 : weight(oldest);
        }
        return made;
    }

    private static int weight(Shared shared) {
        return 1 + shared.reply().getChangesCount();
    }
}
