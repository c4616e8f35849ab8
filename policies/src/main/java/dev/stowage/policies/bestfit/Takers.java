package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.index.BitLevels;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which servers would take a request now: empty ones, those that want a request of class 1, and those with room for the
 * head of the other virtual queue of their configuration. Arrays are by number of the virtual queue; a server is
 * entered under its virtual queue 0, its virtual queue 1, and that other one.
 */
final class Takers {
    private final VirtualQueues queues;
    private final int servers;
    private final int resources;
    private final boolean pools;
    private final @Nullable BitLevels[] empty;
    private final @Nullable BitLevels[] wantBig;
    private final @Nullable RoomTree[] withRoom;
    /** No server has room for the head of the queue. */
    private final boolean[] blocked;

    private final int[] emptyAt;
    private final int[] wantBigAt;
    private final int[] withRoomAt;

    Takers(View view, VirtualQueues queues) {
        this.queues = queues;
        servers = view.servers();
        resources = view.resources();
        pools = view.pooledResources() > 0;
        empty = new BitLevels[queues.size()];
        wantBig = new BitLevels[queues.size()];
        withRoom = new RoomTree[queues.size()];
        blocked = new boolean[queues.size()];
        emptyAt = new int[servers];
        wantBigAt = new int[servers];
        withRoomAt = new int[servers];
        Arrays.fill(emptyAt, View.NONE);
        Arrays.fill(wantBigAt, View.NONE);
        Arrays.fill(withRoomAt, View.NONE);
    }

    /** Whether the server existed when this object was made. */
    boolean knows(int server) {
        return server < servers;
    }

    /** Updates the data of a server. */
    void update(View view, int server, ServerContents contents, ServerRooms rooms, boolean open) {
        int isEmptyAt = View.NONE;
        int wantsAt = View.NONE;
        int roomAt = View.NONE;
        int active = contents.active(server);
        if (open && view.status(server) == ServerStatus.UP) {
            int offset = queues.offset(view, server);
            if (view.firstOn(server) == View.NONE) {
                isEmptyAt = offset;
            } else if (active != ReducedConfigurations.NONE) {
                boolean wants = ReducedConfigurations.holdsBig(active) && contents.big(server) == 0;
                wantsAt = wants ? offset + Partition.BIG : View.NONE;
                roomAt = queues.other(view, server, active);
            }
        }
        move(empty, emptyAt, server, isEmptyAt);
        move(wantBig, wantBigAt, server, wantsAt);
        RoomTree old = withRoomAt[server] == View.NONE ? null : withRoom[withRoomAt[server]];
        if (old != null && withRoomAt[server] != roomAt) {
            old.remove(server);
        }
        withRoomAt[server] = roomAt;
        if (roomAt != View.NONE) {
            tree(roomAt).put(server, rooms.room(view, server, active));
            blocked[roomAt] = false;
        }
    }

    private void move(@Nullable BitLevels[] sets, int[] where, int server, int to) {
        BitLevels old = where[server] == View.NONE ? null : sets[where[server]];
        if (old != null && where[server] != to) {
            old.remove(server);
        }
        if (to != View.NONE && where[server] != to) {
            BitLevels set = sets[to];
            if (set == null) {
                set = new BitLevels(servers);
                sets[to] = set;
            }
            set.add(server);
        }
        where[server] = to;
    }

    private RoomTree tree(int number) {
        RoomTree tree = withRoom[number];
        if (tree == null) {
            tree = new RoomTree(servers, resources);
            withRoom[number] = tree;
        }
        return tree;
    }

    /** The queue may have another head now. */
    void headChanged(int number) {
        blocked[number] = false;
    }

    /** Part of a pool may have become free since the last step. */
    void stepBegins() {
        if (pools) {
            Arrays.fill(blocked, false);
        }
    }

    /** The lowest server above the given one that would take a request, or {@link View#NONE}. */
    int after(View view, int server, FirstInFirstOut waiting) {
        int lowest = View.NONE;
        for (int number = 0; number < blocked.length; number++) {
            BitLevels empties = empty[number];
            if (empties != null) {
                int found = empties.after(server);
                if (found != View.NONE && isLower(found, lowest) && queues.anyFor(view, found)) {
                    lowest = found;
                }
            }
            int head = waiting.head(number);
            if (head != View.NONE) {
                BitLevels wanting = wantBig[number];
                int found = wanting == null ? View.NONE : wanting.after(server);
                lowest = found != View.NONE && isLower(found, lowest) ? found : lowest;
                found = withRoom(view, server, number, head);
                lowest = found != View.NONE && isLower(found, lowest) ? found : lowest;
            }
        }
        return lowest;
    }

    private static boolean isLower(int server, int than) {
        return than == View.NONE || server < than;
    }

    private int withRoom(View view, int server, int number, int head) {
        RoomTree tree = withRoom[number];
        if (tree == null || blocked[number]) {
            return View.NONE;
        }
        int found = tree.after(view, server, head);
        blocked[number] = found == View.NONE && server == View.NONE;
        return found;
    }

    /** Whether some server, whose turn may be over, has room for a head that waits. */
    boolean anyLeft(View view, FirstInFirstOut waiting) {
        boolean any = false;
        for (int number = 0; number < blocked.length; number++) {
            int head = waiting.head(number);
            any |= head != View.NONE && withRoom(view, View.NONE, number, head) != View.NONE;
        }
        return any;
    }
}
