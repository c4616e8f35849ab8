package dev.stowage.kube.schedule;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Address and credentials of a cluster. Left to itself the client asks a usual address if a file says nothing. */
final class KubeconfigFile {
    private KubeconfigFile() {}

    /**
     * A file's, or those of the environment.
     *
     * @param file null for KUBECONFIG, ~/.kube/config or the pod that this runs in
     * @throws IllegalArgumentException if a file that was named cannot be read, or names no cluster
     */
    static Config read(@Nullable Path file) {
        String environment = Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_KUBECONFIG_FILE, "");
        if (file == null && environment.isBlank()) {
            return Config.autoConfigure(null);
        }
        String named = file == null ? "KUBECONFIG " + environment : "--kubeconfig " + file;
        // KUBECONFIG may name several, of which some may be missing.
        Stream<Path> files = file == null
                ? Pattern.compile(Pattern.quote(File.pathSeparator))
                        .splitAsStream(environment)
                        .filter(one -> !one.isBlank())
                        .map(Path::of)
                : Stream.of(file);
        if (files.noneMatch(one -> Files.isRegularFile(one) && Files.isReadable(one))) {
            throw new IllegalArgumentException(named + ": there is no such file, or it cannot be read");
        }
        Config config;
        try {
            config = file == null ? Config.autoConfigure(null) : Config.fromKubeconfig(file.toFile());
        } catch (RuntimeException e) {
            // The client's parser has an exception of its own for each kind of mistake, and none for an empty file.
            throw new IllegalArgumentException(named + ": it is not a kubeconfig", e);
        }
        if (config.getCurrentContext() == null) {
            throw new IllegalArgumentException(
                    named + ": its current-context is missing or is not one of its contexts");
        }
        return config;
    }
}
