package dev.stowage.cli.policies;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.InputFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Jars with policies of users, for every command that uses policies. */
public final class PluginOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private List<Path> jars = List.of();

    /**
     * Adds the policies of these jars to the registry, by the thread's class loader.
     *
     * @throws ParameterException if one cannot be read, has no policy, or has one that exists already
     */
    @Rare
    @Option(
            names = "--plugins",
            paramLabel = "JAR,...",
            split = ",",
            hideParamSyntax = true,
            description = "Jars with policies that are not Stowage's own.")
    void use(@Nullable List<Path> given) {
        if (given == null || given.isEmpty()) {
            return;
        }
        jars = List.copyOf(given);
        try {
            PolicyJar.open(jars);
            List<String> unused = new Policies().names();
        } catch (BadInputException | IllegalArgumentException | ServiceConfigurationError | LinkageError e) {
            String why = PolicyJar.reason(e);
            boolean named = jars.stream().anyMatch(jar -> why.contains(jar.toString()));
            throw new ParameterException(command.commandLine(), "--plugins " + (named ? why : names() + ": " + why), e);
        }
    }

    private String names() {
        return String.join(",", jars.stream().map(Path::toString).toList());
    }

    /** The jars that were given. */
    public List<Path> jars() {
        return jars;
    }

    /**
     * A class loader with the classes of such jars in addition to those of the thread's loader.
     *
     * @throws BadInputException if one cannot be read or has no policy
     */
    public static ClassLoader loader(List<Path> jars) {
        return PolicyJar.loader(jars);
    }

    /** The option as a shell takes it, with the jars in use as seen from a directory; nothing if there are none. */
    public static List<String> again(Path directory) {
        Path from = directory.toAbsolutePath().normalize();
        List<String> jars = PolicyJar.opened().stream()
                .map(jar -> InputFiles.seen(from, jar).toString())
                .toList();
        return jars.isEmpty() ? List.of() : List.of("--plugins", String.join(",", jars));
    }

    /** The same options for another process. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        jars.forEach(jar ->
                arguments.addAll(List.of("--plugins", jar.toAbsolutePath().toString())));
        return arguments;
    }
}
