package dev.stowage.service.api;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What the API takes: limits on every field, and messages that say them. */
final class Checks {
    static final int MOST_PAGE = 1000;
    private static final int MOST_SITES = 100;
    private static final int USUAL_PAGE = 100;
    private static final int ID_LENGTH = 128;
    private static final int NAME_LENGTH = 64;
    /** So that sums over a million servers stay whole numbers. */
    static final long MOST_AMOUNT = 1L << 42;

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:/@+-]+");

    private static final Pattern NO_PATH = Pattern.compile(
            "(^|/)\\.{1,2}(/|$)|//|^/|/$|:(batch|release|confirmMigration|confirmResize|explain|change)$");

    private Checks() {}

    static String id(String field, String id) {
        return text(field, id, ID_LENGTH, false);
    }

    /**
     * An id for something new, which the path of an address can carry: an encoded slash or colon it can, a segment
     * that means a directory it cannot, nor an end that is the name of a call.
     */
    static String newId(String field, String id) {
        text(field, id, ID_LENGTH, false);
        if (NO_PATH.matcher(id).find()) {
            throw Failure.invalid(
                    "BAD_NAME",
                    field + " " + shown(id)
                            + " could not be named in an address: it must have no part '.' or '..' between"
                            + " slashes, and not end with ':' and the name of a call such as release");
        }
        return id;
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
        if (text.isEmpty() || text.length() > most || !ID.matcher(text).matches()) {
            throw Failure.invalid(
                    "BAD_NAME",
                    field + " " + shown(text) + " must be 1 to " + most + " letters, digits and . _ : / @ + -");
        }
        return text;
    }

    private static String shown(String text) {
        return text.length() > NAME_LENGTH ? "of " + text.length() + " characters" : "'" + text + "'";
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
                throw Failure.invalid(
                        "UNKNOWN_RESOURCE", field + ": " + shown(name) + " is not a resource; there are " + names);
            }
            if (amount < 0 || amount > MOST_AMOUNT) {
                throw Failure.invalid(
                        "BAD_AMOUNT", field + ": " + name + " is " + amount + ", must be 0 to " + MOST_AMOUNT);
            }
            amounts[at] = amount;
        });
        return amounts;
    }

    /** Names of sites, each once; whether there are such sites the state knows. */
    static List<String> sites(List<String> names) {
        if (names.size() > MOST_SITES) {
            throw Failure.invalid(
                    "BAD_SITES", "allowed_sites names " + names.size() + " sites, must be at most " + MOST_SITES);
        }
        return names.stream()
                .map(site -> name("allowed_sites", site))
                .distinct()
                .toList();
    }

    static int pageSize(int asked) {
        if (asked < 0 || asked > MOST_PAGE) {
            throw Failure.invalid("BAD_PAGE", "page_size " + asked + " must be 1 to " + MOST_PAGE);
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
            // Told below, as a negative one is.
        }
        throw Failure.invalid("BAD_PAGE", "page_token " + shown(token) + " is not one that a page ended with");
    }
}
