package dev.stowage.cli.serve;

import dev.stowage.service.api.Access;
import dev.stowage.service.api.Token;
import dev.stowage.sim.experiment.ExperimentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a service's configuration, read again when the file changes: new ones are accepted and removed ones
 * refused without a restart. If the tokens in the file have a mistake, nothing changes and it is logged.
 */
final class TokenFile implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger("dev.stowage.service.tokens");
    private static final long PERIOD_MILLIS = 1000;

    private final Access access;
    private @Nullable String seen;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "stowage-tokens");
        thread.setDaemon(true);
        return thread;
    });

    private TokenFile(Access access) {
        this.access = access;
    }

    /** Starts to watch a file whose tokens have just been read; null if there is no file and no tokens. */
    static TokenFile watch(@Nullable Path file, Access access) {
        TokenFile tokens = new TokenFile(access);
        if (file != null && access.guarded()) {
            ScheduledFuture<?> unused = tokens.executor.scheduleWithFixedDelay(
                    () -> tokens.look(file), 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        }
        return tokens;
    }

    private void look(Path file) {
        try {
            String text = Files.readString(file);
            if (text.equals(seen)) {
                return;
            }
            seen = text;
            List<Token> tokens = ServiceFile.tokens(file.toString(), text);
            if (!tokens.equals(access.tokens())) {
                access.replace(tokens);
                LOG.info("the tokens are now: "
                        + tokens.stream().map(Token::name).toList());
            }
        } catch (IOException e) {
            if (seen != null) {
                seen = null;
                LOG.log(Level.WARNING, "keeping the old tokens: " + file + " cannot be read: " + e);
            }
        } catch (ExperimentException | IllegalArgumentException e) {
            LOG.log(Level.WARNING, "keeping the old tokens: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
