package dev.stowage.cli.salvage;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.core.policy.MissingPolicyException;
import dev.stowage.service.directory.DirectoryInUseException;
import dev.stowage.service.directory.Salvage;
import dev.stowage.service.state.ServiceState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/** Directories of nodes, as arguments of commands. */
final class NodeDirectory {
    private NodeDirectory() {}

    /** Work on files; each failure counts as bad input, except that another process uses a directory. */
    interface FileWork<T> {
        T on() throws IOException;
    }

    static <T> T done(FileWork<T> work) {
        try {
            return work.on();
        } catch (DirectoryInUseException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        } catch (IOException | MissingPolicyException e) {
            throw new BadInputException(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
    }

    static Salvage of(Path path) {
        return done(() -> Salvage.of(path));
    }

    /** A summary of a state in one line. */
    static String text(ServiceState state) {
        var world = Objects.requireNonNull(state.world());
        return String.format(
                Locale.ROOT,
                "log position %d, digest %x: %,d %s in the system, %,d running, on %,d %s",
                state.position(),
                state.digest(),
                world.live(),
                world.live() == 1 ? "request" : "requests",
                world.running(),
                world.engine().view().servers(),
                world.engine().view().servers() == 1 ? "server" : "servers");
    }
}
