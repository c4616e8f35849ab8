package dev.stowage.service.api;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.model.Selector;
import dev.stowage.core.model.Spread;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.service.state.Operation;
import dev.stowage.service.v1.AttemptRequest;
import dev.stowage.service.v1.SubmitRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks of the API's input: limits on every field, and messages that name them. */
final class Checks {
    static final int MOST_PAGE = 1000;
    private static final int MOST_SITES = 100;
    private static final int USUAL_PAGE = 100;
    private static final int ID_LENGTH = 128;
    private static final int NAME_LENGTH = 64;
    private static final int SERVER_LENGTH = 253;
    private static final int SELECTOR_LENGTH = 2000;
    private static final int MOST_DESCRIBED = 500;
    private static final int MOST_TERMS = 16;
    private static final int MOST_LABELS = 64;
    private static final String BAD_NAME = "BAD_NAME";
    private static final String BAD_CONSTRAINT = "BAD_CONSTRAINT";
    /** Limit that keeps sums over a million servers exact. */
    static final long MOST_AMOUNT = 1L << 42;

    private static final long MOST_NANOS = TimeUnit.DAYS.toNanos(365);

    private static final int MOST_ROLLOUTS = 1000;

    private static final String SIGNS = "._:/@+-";

    private static final Pattern SERVER = Pattern.compile("[A-Za-z0-9._+-]{1,253}");

    private static final Pattern NO_PATH = Pattern.compile(
            "(^|/)\\.{1,2}(/|$)|//|^/|/$|:(batch|gang|release|adopt|dryRun|started|startFailed|stopped|evict"
                    + "|confirmMigration|confirmResize|explain|history|change)$");

    private Checks() {}

    static String id(String field, String id) {
        return text(field, id, ID_LENGTH, false);
    }

    /**
     * An id for something new, which must be usable in the path of a URL: encoded slashes and colons are allowed, but
     * not a segment such as {@code ..}, nor an ending that is the name of a call.
     */
    static String newId(String field, String id) {
        text(field, id, ID_LENGTH, false);
        boolean plain = id.indexOf('/') < 0 && id.indexOf('.') < 0 && id.indexOf(':') < 0;
        if (!plain && NO_PATH.matcher(id).find()) {
            throw Failure.field(
                    BAD_NAME,
                    field,
                    " " + shown(id)
                            + " cannot be part of a URL: no part between slashes may be '.' or '..', and it"
                            + " must not end with ':' and the name of a call, such as release");
        }
        return id;
    }

    /** How many rollouts; 0 for none. */
    static int rollouts(int rollouts) {
        if (rollouts < 0 || rollouts > MOST_ROLLOUTS) {
            throw Failure.field("BAD_ROLLOUTS", "rollouts", " " + rollouts + " must be 0 to " + MOST_ROLLOUTS);
        }
        return rollouts;
    }

    static String tenant(String tenant) {
        return text("tenant", tenant, NAME_LENGTH, true);
    }

    static String name(String field, String name) {
        return text(field, name, NAME_LENGTH, false);
    }

    private static String text(String field, String text, int most, boolean mayBeEmpty) {
        if (text.isEmpty() && mayBeEmpty) {
            return text;
        }
        if (text.isEmpty() || text.length() > most || !isId(text)) {
            throw Failure.field(
                    BAD_NAME,
                    field,
                    (text.isEmpty() ? " is missing; it must be 1 to " : " " + shown(text) + " must be 1 to ") + most
                            + " letters a to z or A to Z, digits and . _ : / @ + -");
        }
        return text;
    }

    /** Every call has some ids, and a regular expression would take several times as long. */
    private static boolean isId(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !(c >= '0' && c <= '9') && SIGNS.indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    private static String shown(String text) {
        return text.length() > NAME_LENGTH ? "of " + text.length() + " characters" : "'" + text + "'";
    }

    /** {@code CPU (cpu_milli)}: as people call it, and as the API does. */
    private static String named(String resource) {
        String word = ResourceWords.resource(resource);
        return word.equals(resource) ? shown(resource) : word + " (" + resource + ")";
    }

    /** Whether all amounts are 0. */
    static boolean isNothing(long[] amounts) {
        return Arrays.stream(amounts).allMatch(amount -> amount == 0);
    }

    /** Amounts by name in the order of the names; empty if there are none. */
    static long[] amounts(String field, Map<String, Long> given, List<String> names) {
        if (given.isEmpty()) {
            return new long[0];
        }
        long[] amounts = new long[names.size()];
        given.forEach((name, amount) -> {
            int at = names.indexOf(name);
            if (at < 0) {
                throw Failure.field(
                        "UNKNOWN_RESOURCE",
                        field,
                        ": " + named(name) + " is not a resource here; "
                                + (names.isEmpty() ? "there are none" : "the resources are ")
                                + names.stream().map(Checks::named).collect(Collectors.joining(", "))
                                + meant(name, names));
            }
            if (amount < 0 || amount > MOST_AMOUNT) {
                throw Failure.field(
                        "BAD_AMOUNT",
                        field,
                        ": " + named(name) + " is " + ResourceWords.amount(name, amount) + ", must be 0 to "
                                + ResourceWords.amount(name, MOST_AMOUNT));
            }
            amounts[at] = amount;
        });
        return amounts;
    }

    /** The resource that was probably meant: one that is another word from the first letter on is not. */
    private static String meant(String name, List<String> names) {
        String first = name.substring(0, Math.min(1, name.length()));
        return Suggestion.of(
                Failure.shown(name),
                names.stream().filter(known -> known.startsWith(first)).toList());
    }

    /** Numbers of devices, each once, as a set whose bit i is device i; the state checks whether they are there. */
    static long devices(List<Integer> numbers) {
        long devices = 0;
        for (int number : numbers) {
            if (number < 0 || number >= Resource.MOST_DEVICES) {
                throw Failure.field(
                        "BAD_DEVICE", "devices", ": " + number + " must be 0 to " + (Resource.MOST_DEVICES - 1));
            }
            if ((devices >>> number & 1) != 0) {
                throw Failure.field("BAD_DEVICE", "devices", ": " + number + " is given twice");
            }
            devices |= 1L << number;
        }
        return devices;
    }

    /** Names of sites, each once; the state checks whether they exist. */
    static List<String> sites(List<String> names) {
        if (names.isEmpty()) {
            return List.of();
        }
        if (names.size() > MOST_SITES) {
            throw Failure.field(
                    "BAD_SITES", "allowed_sites", " names " + names.size() + " sites, must be at most " + MOST_SITES);
        }
        return names.stream()
                .map(site -> name("allowed_sites", site))
                .distinct()
                .toList();
    }

    /** Its constraints other than sites, in the form that the state reads. */
    static ConstraintWords words(SubmitRequest request) {
        if (request.getWhereCount() + request.getAvoidServersCount() + request.getSpreadCount() == 0) {
            return ConstraintWords.NONE;
        }
        most("where", request.getWhereCount(), MOST_TERMS);
        most("avoid_servers", request.getAvoidServersCount(), MOST_SITES);
        most("spread", request.getSpreadCount(), MOST_TERMS);
        ConstraintWords words = new ConstraintWords(
                request.getWhereList().stream().map(Checks::selector).toList(),
                request.getAvoidServersList().stream()
                        .map(server -> server("avoid_servers", server))
                        .distinct()
                        .toList(),
                request.getSpreadList().stream().map(Checks::spread).distinct().toList());
        return constraints(() -> {
            words.meaning(List.of(), List.of());
            return words;
        });
    }

    private static void most(String field, int count, int most) {
        if (count > most) {
            throw Failure.field(BAD_CONSTRAINT, field, " has " + count + " parts, must be at most " + most);
        }
    }

    private static String selector(String text) {
        if (text.length() > SELECTOR_LENGTH) {
            throw Failure.field(
                    BAD_CONSTRAINT,
                    "where",
                    " has " + text.length() + " characters, must be at most " + SELECTOR_LENGTH);
        }
        return constraints(() -> Selector.text(Selector.parse(text)));
    }

    private static String spread(dev.stowage.service.v1.Spread asked) {
        return constraints(() -> new Spread(asked.getGroup(), asked.getMost(), asked.getLabel()).toString());
    }

    private static <T> T constraints(Supplier<T> checked) {
        try {
            return checked.get();
        } catch (IllegalArgumentException e) {
            throw Failure.invalid(BAD_CONSTRAINT, brief(e));
        }
    }

    /**
     * The message of a mistake, shortened if it repeats a long text, because it must fit into the headers of an answer.
     */
    private static String brief(IllegalArgumentException wrong) {
        String text = String.valueOf(wrong.getMessage());
        return text.length() <= MOST_DESCRIBED ? text : text.substring(0, MOST_DESCRIBED) + " ...";
    }

    /**
     * A time in nanoseconds.
     *
     * @param least what it must be at least
     */
    static long nanos(String field, long nanos, long least) {
        if (nanos < least || nanos > MOST_NANOS) {
            throw Failure.field(
                    "BAD_TIME", field, " is " + nanos + " ns, must be at least " + least + " ns and at most a year");
        }
        return nanos;
    }

    /** One stay of a request on a server. */
    static Operation.Attempt attempt(AttemptRequest asked) {
        if (asked.getAttempt() < 1) {
            throw Failure.field(
                    "BAD_ATTEMPT",
                    "attempt",
                    " is " + asked.getAttempt() + ", must be the attempt of the request, at least 1");
        }
        return new Operation.Attempt(
                tenant(asked.getTenant()), id("request_id", asked.getRequestId()), asked.getAttempt());
    }

    /** Name or number of a server; the state checks whether it exists. */
    static String server(String field, String name) {
        return text(field, name, SERVER_LENGTH, false);
    }

    /** A name for a new server, or none. */
    static String newServer(String name) {
        if (name.isEmpty()) {
            return name;
        }
        if (!SERVER.matcher(name).matches() || name.matches("\\d+|\\.{1,2}")) {
            throw Failure.field(
                    BAD_NAME,
                    "name",
                    " " + shown(name) + " must be 1 to " + SERVER_LENGTH
                            + " letters a to z or A to Z, digits and . _ - +, not '.' or '..', and not only digits:"
                            + " those are server numbers");
        }
        return name;
    }

    static Labels labels(Map<String, String> labels) {
        if (labels.size() > MOST_LABELS) {
            throw Failure.invalid("BAD_LABELS", labels.size() + " labels, must be at most " + MOST_LABELS);
        }
        try {
            return Labels.of(labels);
        } catch (IllegalArgumentException e) {
            throw Failure.invalid("BAD_LABELS", brief(e));
        }
    }

    static int pageSize(int asked) {
        if (asked < 0 || asked > MOST_PAGE) {
            throw Failure.field("BAD_PAGE", "page_size", " " + asked + " must be 1 to " + MOST_PAGE);
        }
        return asked == 0 ? USUAL_PAGE : asked;
    }

    static long pageToken(String token) {
        if (token.isEmpty()) {
            return 0;
        }
        try {
            long from = Long.parseLong(token);
            if (from >= 0) {
                return from;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a negative number.
        }
        throw Failure.field("BAD_PAGE", "page_token", " " + shown(token) + " does not come from an earlier page");
    }
}
