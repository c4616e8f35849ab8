package dev.stowage.service.state;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Command.Kind;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A change of all servers of a site at once: those that are up are drained; draining ones return; those that are not
 * gone are lost, or are removed if all are empty. Other servers stay as they are; one that is gone may have been
 * removed for good, so it returns only by a command of its own.
 */
final class SiteChange {
    private static final Set<Kind> KINDS = EnumSet.of(Kind.DRAIN, Kind.RETURN, Kind.REMOVE, Kind.LOSE);

    private SiteChange() {}

    /** Whether this kind of change can apply to all servers of a site. */
    static boolean is(Kind kind) {
        return KINDS.contains(kind);
    }

    /** Why it cannot be carried out, or null. */
    static @Nullable String problem(Kind kind, View view, int site) {
        for (int server = 0; kind == Kind.REMOVE && server < view.servers(); server++) {
            if (view.site(server) == site && view.running(server) > 0) {
                int running = view.running(server);
                return "server " + server + " still holds " + running + (running == 1 ? " request" : " requests")
                        + "; drain the site first, or report the site lost";
            }
        }
        return null;
    }

    /** The change of each server, in order. */
    static List<Command> commands(Kind kind, View view, int site, long at) {
        List<Command> commands = new ArrayList<>();
        if (kind == Kind.LOSE || kind == Kind.REMOVE) {
            // Otherwise displaced or waiting requests could be placed on the next server, which is lost as well.
            commands.addAll(commands(Kind.DRAIN, view, site, at));
        }
        for (int server = 0; server < view.servers(); server++) {
            ServerStatus status = view.status(server);
            boolean changes = switch (kind) {
                case DRAIN -> status == ServerStatus.UP;
                case RETURN -> status == ServerStatus.DRAINING;
                default -> status != ServerStatus.GONE;
            };
            if (changes && view.site(server) == site) {
                commands.add(Command.plain(kind, at, server));
            }
        }
        return commands;
    }
}
