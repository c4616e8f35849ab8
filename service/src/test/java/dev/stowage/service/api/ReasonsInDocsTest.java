package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of reasons in docs/service.md names every reason that a call can be refused with. */
final class ReasonsInDocsTest {
    private static final Pattern LITERAL = Pattern.compile("\"([A-Z]{2,}(?:_[A-Z]+)*)\"");
    private static final Pattern NAME = Pattern.compile("[A-Z]{2,}(?:_[A-Z]+)*");
    /** Names of attributes, of methods, of algorithms and of words that are no reasons. */
    private static final Set<String> OTHERS =
            Set.of("ASKED", "BODY", "CALLER", "METHOD", "ID", "OK", "EC", "RSA", "PKIX");

    @Test
    void everyOneIsThere() throws IOException {
        Set<String> documented = new TreeSet<>();
        boolean inside = false;
        for (String line : Files.readAllLines(Path.of("../docs/service.md"))) {
            inside = line.startsWith("| reason | status |") || (inside && line.startsWith("|"));
            if (inside) {
                Matcher names = NAME.matcher(line.split("\\|", -1)[1]);
                while (names.find()) {
                    documented.add(names.group());
                }
            }
        }
        Set<String> used = new TreeSet<>();
        for (Refusal refusal : Refusal.values()) {
            used.add(refusal.name());
        }
        try (Stream<Path> files = Files.list(Path.of("src/main/java/dev/stowage/service/api"))) {
            for (Path file : files.toList()) {
                Matcher literals = LITERAL.matcher(Files.readString(file));
                while (literals.find()) {
                    used.add(literals.group(1));
                }
            }
        }
        used.removeAll(OTHERS);
        assertThat(used).hasSizeGreaterThan(50);
        assertThat(documented).containsAll(used);
    }
}
