package dev.stowage.cli.live;

import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Console;
import dev.stowage.service.client.StowageClient;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;

/**
 * Whether a service is the one that {@code stowage serve} runs in this directory: the caller of another one is shown
 * its
 * address, since the usual address may be somebody else's service, and the environment may name one that was forgotten.
 */
public final class OwnService {
    /** Where {@code stowage serve} keeps its data by default. */
    public static final Path DATA = Path.of("stowage-data");

    private OwnService() {}

    /** Says which service it is, unless its group is that of a node whose data is in {@link #DATA}. */
    public static void tell(ClientOptions client, StowageClient service, Console console) {
        tell(client, service, console, DATA);
    }

    static void tell(ClientOptions client, StowageClient service, Console console, Path data) {
        Set<String> own = groups(data);
        if (own.isEmpty() || !own.contains(group(service))) {
            console.note("stowage: the service at " + String.join(",", client.at()));
        }
    }

    private static String group(StowageClient service) {
        try {
            return ClientOptions.answer(service.status()).getGroup();
        } catch (CallFailedException e) {
            // Who may not ask for the status has no data here either; the call itself reports its errors.
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
            // A directory that cannot be read is nobody's own.
            groups.clear();
        }
        return groups;
    }
}
