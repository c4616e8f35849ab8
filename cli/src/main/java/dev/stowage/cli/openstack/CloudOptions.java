package dev.stowage.cli.openstack;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.openstack.api.CloudException;
import dev.stowage.openstack.api.CloudSession;
import dev.stowage.openstack.api.CloudSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cloud, and where its address and credentials stand. */
final class CloudOptions {
    @Option(
            names = "--cloud",
            paramLabel = "NAME",
            defaultValue = "${env:OS_CLOUD:-}",
            description = "A cloud of clouds.yaml (default: OS_CLOUD, or the only one there).")
    private List<String> names = List.of();

    @Option(
            names = "--clouds",
            paramLabel = "FILE",
            description = "The clouds.yaml (default: OS_CLIENT_CONFIG_FILE, or the first that exists of clouds.yaml in"
                    + " this directory, in ~/.config/openstack and in /etc/openstack).")
    private @Nullable Path file;

    /** Connects with the first call. */
    CloudSession session() {
        if (names.size() > 1) {
            throw new BadInputException("--cloud is given " + names.size() + " times; only submit takes several");
        }
        return session(names.isEmpty() ? "" : names.get(0));
    }

    /** All clouds that are named, each connects with its first call. */
    Map<String, CloudSession> sessions() {
        Map<String, CloudSession> all = new LinkedHashMap<>();
        for (String name : names.isEmpty() ? List.of("") : names) {
            if (all.put(name, session(name)) != null) {
                throw new BadInputException("cloud " + name + " is given twice");
            }
        }
        return all;
    }

    private CloudSession session(String cloud) {
        List<Path> places = file == null
                ? CloudSettings.places(System.getenv(), Path.of(System.getProperty("user.home")))
                : List.of(file);
        try {
            return new CloudSession(CloudSettings.read(cloud, places));
        } catch (CloudException e) {
            throw new BadInputException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Whether a file of clouds is named. */
    boolean given() {
        return file != null;
    }
}
