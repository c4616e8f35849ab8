package dev.stowage.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.core.model.Spelling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Servers on the command line: {@code 20 x 48 cores, 128 GiB, 2 TiB disk + 10 x 64 cores, 256 GiB, 4 gpus}. */
public final class ServerArgument {
    /** A description. */
    public static final String EXAMPLE = "20 x 48 cores, 128 GiB";

    private static final Pattern BLOCK = Pattern.compile(
            "(?i)\\s*(\\d{1,9})\\s*(?:[x×*]\\s*|(?:servers?|hosts?|nodes?)\\s+(?:with|of|each)\\s+)\\(?(\\S[^()]*?)\\s*\\)?\\s*");
    /** Text that is not a valid block but was probably meant as one: no file has such a name. */
    private static final Pattern MEANT =
            Pattern.compile("(?i)\\s*[-+]?[\\d.,]+\\s*([x×*]|c|cores?|threads?|kerne?n?|coeurs?|nucleos?|v?cpus?|gpus?"
                    + "|[kmgtp]|[kmgtp]i?b|slots|servers?|hosts?|nodes?)(\\W.*)?");

    /** A sign or a word; or a blank between the word of one amount and the number of the next. */
    private static final String BETWEEN = "[,;/]|\\s+and\\s+|(?<=[A-Za-z])\\s+(?=\\d)";

    private static final Pattern NAMED = Pattern.compile("([a-z][a-z0-9_]*)\\s*=\\s*(\\S.*)");
    private static final Pattern CPU =
            Pattern.compile("(?i)([\\d.]+)\\s*(?:(cores?|v?cpus?|m)|c|threads?|kerne?n?|coeurs?|nucleos?)");
    private static final Pattern GPU = Pattern.compile("(?i)([\\d.]+)\\s*gpus?");
    private static final Pattern BYTES = Pattern.compile("(?i)([\\d.]+\\s*[kmgtp](i?b)?)\\s*"
            + "(?:(memory|ram|(?:arbeits)?speicher|memoire|memoria)|disk|storage)?");

    /** A number with a word that is no unit, and the units that may be meant. */
    private static final Pattern UNIT = Pattern.compile("[\\d.]+\\s*([A-Za-z]{3,})");

    private static final List<String> UNITS =
            List.of("cores", "core", "vcpus", "vcpu", "cpus", "gpus", "threads", "GiB", "MiB", "TiB", "KiB");

    private static final Pattern FILE = Pattern.compile("(?i).*\\.(csv|tsv|txt|xlsx|json|parquet|gz)");

    private ServerArgument() {}

    /** Kinds of servers whose number need not be given, one of each without; the name of a file as it is. */
    public static String oneOfEach(String text) {
        return text.isBlank() || isFile(text)
                ? text
                : Arrays.stream(text.split("\\+", -1))
                        .map(block -> BLOCK.matcher(block).matches() ? block : "1 x " + block.strip())
                        .collect(Collectors.joining("+"));
    }

    /** Whether it has kinds of servers in words, and no number of any. */
    public static boolean isOfKindsAlone(String text) {
        return !text.isBlank()
                && !isFile(text)
                && Arrays.stream(text.split("\\+", -1))
                        .noneMatch(block -> BLOCK.matcher(block).matches());
    }

    /** Whether it names a file, by its ending if there is none. */
    public static boolean isFile(String text) {
        return Files.exists(Path.of(text)) || FILE.matcher(text).matches();
    }

    /** Whether this is a description rather than the name of a file. */
    public static boolean describes(String text) {
        String plain = plain(text);
        return BLOCK.matcher(plain.split("\\+", 2)[0]).matches()
                || MEANT.matcher(plain).matches();
    }

    /** The servers in the form of experiments. */
    public static JsonNode parse(String text) {
        return parse("--servers", text, text);
    }

    /**
     * The same of what another option says.
     *
     * @param typed for messages
     */
    public static JsonNode parse(String option, String typed, String text) {
        String as = option + " \"" + typed + "\": '";
        ArrayNode blocks = JsonNodeFactory.instance.arrayNode();
        for (String block : plain(text).split("\\+", -1)) {
            Matcher matcher = BLOCK.matcher(block);
            if (!matcher.matches()) {
                throw problem(as, block.strip(), "a count from 1 to 999999999 and a size, as in " + EXAMPLE);
            }
            ObjectNode servers = blocks.addObject();
            servers.put("count", Long.parseLong(matcher.group(1)));
            for (String amount : matcher.group(2).split(BETWEEN, -1)) {
                add(servers, amount.strip(), as);
            }
        }
        return blocks;
    }

    /** Without accents. */
    private static String plain(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFD)
                .replaceAll("\\p{M}", "")
                .replace("œ", "oe");
    }

    private static void add(ObjectNode servers, String amount, String as) {
        Matcher named = NAMED.matcher(amount);
        Matcher cpu = CPU.matcher(amount);
        Matcher gpu = GPU.matcher(amount);
        Matcher bytes = BYTES.matcher(amount);
        String key;
        String value = amount;
        if (named.matches()) {
            key = named.group(1);
            value = named.group(2);
        } else if (cpu.matches()) {
            key = "cpu";
            value = cpu.group(2) == null ? cpu.group(1) + " cores" : amount;
        } else if (gpu.matches()) {
            key = "gpu";
        } else if (bytes.matches()) {
            boolean disk = bytes.group(3) == null && amount.matches("(?i).*(disk|storage)");
            key = disk ? "disk" : "memory";
            value = bytes.group(1) + (bytes.group(2) == null ? "B" : "");
        } else {
            Matcher unit = UNIT.matcher(amount);
            Optional<String> meant = unit.matches()
                    ? UNITS.stream()
                            .filter(known -> Spelling.isNear(
                                    unit.group(1).toLowerCase(Locale.ROOT), known.toLowerCase(Locale.ROOT)))
                            .findFirst()
                    : Optional.empty();
            if (meant.isPresent()) {
                throw new BadInputException(as + amount + "' has the unknown unit '" + unit.group(1)
                        + "'; did you mean " + meant.get() + "?");
            }
            throw problem(
                    as,
                    amount,
                    "an amount such as 48 cores, 128 GiB, 2 TiB disk, 4 gpus, slots=8; servers are written as in \"10 x 32"
                            + " cores, 256 GB\"");
        }
        if (servers.has(key)) {
            throw new BadInputException(as + amount + "' gives the resource " + key + " twice");
        }
        servers.put(key, value);
    }

    private static BadInputException problem(String as, String part, String allowed) {
        return new BadInputException(as + part + "' must be " + allowed);
    }
}
