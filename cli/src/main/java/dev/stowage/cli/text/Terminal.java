package dev.stowage.cli.text;

import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * What the standard streams are connected to. The launcher finds out and passes it in system properties
 * ({@code stowage.terminal.out}, {@code .err}, {@code .width}), because Java itself cannot before JDK 22; without them,
 * as when the jar is run by hand, no stream counts as a terminal.
 *
 * @param out whether standard output is a terminal
 * @param err whether standard error is a terminal
 * @param width columns, at least 20
 * @param unicode whether the locale's characters are UTF-8
 * @param colour whether colours are wanted on a terminal: neither {@code NO_COLOR} nor {@code TERM=dumb} is set
 */
public record Terminal(boolean out, boolean err, int width, boolean unicode, boolean colour) {
    private static final int LEAST_WIDTH = 20;
    private static final int USUAL_WIDTH = 80;

    /** Pipes and files. */
    public static final Terminal NONE = new Terminal(false, false, USUAL_WIDTH, false, false);

    /** As the launcher and the environment describe it. */
    public static Terminal detect() {
        return of(System.getProperties(), System.getenv());
    }

    static Terminal of(Properties properties, Map<String, String> environment) {
        String locale = Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
        return new Terminal(
                "true".equals(properties.getProperty("stowage.terminal.out")),
                "true".equals(properties.getProperty("stowage.terminal.err")),
                width(properties.getProperty("stowage.terminal.width", "")),
                locale.toLowerCase(Locale.ROOT).replace("-", "").endsWith("utf8"),
                environment.getOrDefault("NO_COLOR", "").isEmpty() && !"dumb".equals(environment.get("TERM")));
    }

    private static int width(String text) {
        boolean number = text.matches("[1-9]\\d{0,4}");
        return number ? Math.max(LEAST_WIDTH, Integer.parseInt(text)) : USUAL_WIDTH;
    }
}
