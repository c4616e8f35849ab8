package dev.stowage.cli.newpolicy;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.policies.Policies;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;

/**
 * The project {@code examples/policy-plugin} under another name.
 *
 * @param key key of the policy, lower-case words with dashes
 * @param className its class, the same words
 * @param javaPackage package of the class
 */
record PolicyProject(String key, String className, String javaPackage) {
    /** The example's files; the build copies them next to this class. */
    static final List<String> FILES = List.of(
            "README.md",
            "pom.xml",
            "src/main/java/com/example/roomiest/Roomiest.java",
            "src/main/java/com/example/roomiest/RoomiestProvider.java",
            "src/main/resources/META-INF/services/dev.stowage.policies.catalog.PolicyProvider",
            "src/test/java/com/example/roomiest/RoomiestTest.java",
            "step.svg");

    private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    private static final String EXAMPLE = "roomiest";

    /**
     * A project.
     *
     * @param javaPackage null for {@code com.example.} and the key without dashes
     * @throws BadInputException if the key or the package is invalid, or there is such a policy
     */
    static PolicyProject of(String key, @Nullable String javaPackage) {
        if (!KEY.matcher(key).matches()) {
            throw new BadInputException("'" + key
                    + "' must be lower-case words with dashes, as in emptiest-first, and begin with a letter");
        }
        if (new Policies().names().contains(key)) {
            throw new BadInputException("'" + key + "' is a policy of Stowage already; choose another name");
        }
        String className = Arrays.stream(key.split("-"))
                .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                .collect(Collectors.joining());
        String chosen = javaPackage == null ? "com.example." + key.replace("-", "") : javaPackage;
        if (!SourceVersion.isName(chosen, SourceVersion.RELEASE_17)) {
            throw new BadInputException("--package '" + chosen + "' is not the name of a Java package");
        }
        return new PolicyProject(key, className, chosen);
    }

    /**
     * Writes it into a new directory.
     *
     * @throws BadInputException if the directory exists already
     */
    void write(Path directory) {
        if (Files.exists(directory)) {
            throw new BadInputException(directory + " exists already; nothing was written");
        }
        try {
            for (String file : FILES) {
                Path to = directory.resolve(renamed(file));
                Files.createDirectories(Objects.requireNonNull(to.getParent()));
                Files.writeString(to, renamed(text(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file with the policy, below the project's directory. */
    String policyFile() {
        return renamed(FILES.get(2));
    }

    private String renamed(String text) {
        return text.replace("com/example/" + EXAMPLE, javaPackage.replace('.', '/'))
                .replace("com.example." + EXAMPLE, javaPackage)
                .replace("Roomiest", className)
                .replace("ROOMIEST", key.replace('-', '_').toUpperCase(Locale.ROOT))
                .replace(EXAMPLE, key);
    }

    private static String text(String file) throws IOException {
        String resource = "project/" + file;
        try (InputStream in = PolicyProject.class.getResourceAsStream(resource)) {
            return new String(
                    Objects.requireNonNull(in, resource + " is missing from the build")
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
        }
    }
}
