package dev.stowage.cli.live;

import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.service.client.StowageClient;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Finds out whether a service is the one that {@code stowage serve} runs in this directory. Who calls another one
 * without having typed its address is shown it, because somebody else's service may be at the usual address, or the
 * environment may name a forgotten one.
 */
public final class OwnService {
    /** Where {@code stowage serve} keeps its data by default. */
    public static final Path DATA = Path.of("stowage-data");

    private OwnService() {}

    /** Prints which service it is, unless it belongs to the group of a node whose data is in {@link #DATA}. */
    static void tell(List<String> at, Supplier<String> group, Console console) {
        tell(at, group, console, DATA);
    }

    static void tell(List<String> at, Supplier<String> group, Console console, Path data) {
        Set<String> own = groups(data);
        String addresses = String.join(", ", at);
        if (own.isEmpty() || !own.contains(StatusLine.during(console, "stowage: asking " + addresses, group))) {
            console.note("stowage: calling the service at " + addresses);
        }
    }

    /** The group of a service, or empty. */
    static String group(StowageClient service) {
        try {
            return ClientOptions.answer(service.status()).getGroup();
        } catch (CallFailedException e) {
            if (CallFailures.isUnanswered(e.getCause())) {
                throw e;
            }
            // A caller who may not read the status has no data here either; the call itself reports its errors.
            return "";
        }
    }

    /** The groups of the nodes whose directories are in this one. */
    private static Set<String> groups(Path data) {
        Set<String> groups = new HashSet<>();
        if (!Files.isDirectory(data)) {
            return groups;
        }
        try (DirectoryStream<Path> nodes = Files.newDirectoryStream(data, Files::isDirectory)) {
            for (Path node : nodes) {
                Path file = node.resolve("identity");
                if (Files.isReadable(file)) {
                    Properties identity = new Properties();
                    try (Reader reader = Files.newBufferedReader(file)) {
                        identity.load(reader);
                    }
                    groups.add(identity.getProperty("group", "-"));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            // A directory that cannot be read does not count.
            groups.clear();
        }
        return groups;
    }
}
