package dev.stowage.cli.live;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;
import dev.stowage.cli.answer.JsonOption;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.NotEnoughException;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.service.v1.Adjustment;
import dev.stowage.service.v1.Displacement;
import dev.stowage.service.v1.Phase;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.Unconfirmed;
import dev.stowage.sim.result.Remark;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;

/** The output format of a service's answers. */
public final class AnswerOptions {
    private static final long SECOND = 1_000_000_000L;
    private static final DateTimeFormatter MILLIS =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

    /** Characters that the printer escapes though JSON need not: {@code < > & = '}. */
    private static final Pattern ESCAPED_FOR_HTML =
            Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\u(003c|003e|0026|003d|0027)");

    /** A column. */
    static final String CONFIRM = "to confirm";

    /** What it means. */
    static final String TO_CONFIRM = "To confirm: migrations and other changes that the policy has decided, and that"
            + " nobody has reported as carried out; 'stowage confirm' reports one.";

    @Mixin
    private JsonOption json;

    /** Whether tables of requests have the tenants. */
    boolean tenants;

    /** Requests, as a table or as lines of JSON. */
    void show(Console console, Request... requests) {
        if (json()) {
            for (Request request : requests) {
                console.out().println(line(request));
            }
        } else {
            console.out().print(table(requests).text(console.style()));
            if (Arrays.stream(requests).anyMatch(Request::hasUnconfirmed)) {
                console.legend(TO_CONFIRM);
            }
        }
    }

    /** Requests that were just submitted, with what may be a mistake in them. */
    void showSubmitted(Console console, List<Request> requests, List<String> warnings) {
        if (json()) {
            requests.forEach(request -> console.out().println(Data.jsonLine(line(request), warnings)));
        } else {
            show(console, requests.toArray(Request[]::new));
            warnings.forEach(warning -> console.out()
                    .print(console.wrapped("", Remark.warning(warning).toString())));
        }
    }

    /**
     * Waits for requests and shows those that are there, which are returned; the others are reported.
     *
     * @throws CallFailedException for the last that is not there
     * @throws BadInputException if the last that failed could not be asked for
     */
    List<Request> showAll(Console console, List<CompletableFuture<Request>> calls) {
        List<Request> found = new ArrayList<>();
        Map<String, RuntimeException> failures = new LinkedHashMap<>();
        for (CompletableFuture<Request> call : calls) {
            try {
                found.add(ClientOptions.answer(call));
            } catch (CallFailedException | BadInputException e) {
                failures.put(String.valueOf(e.getMessage()), e);
            }
        }
        if (!found.isEmpty()) {
            show(console, found.toArray(Request[]::new));
        }
        int reported = 0;
        for (Map.Entry<String, RuntimeException> failure : failures.entrySet()) {
            if (++reported == failures.size()) {
                throw failure.getValue();
            }
            console.warn("stowage: " + failure.getKey());
        }
        return found;
    }

    /** Throws if one of the requests was rejected or has expired. */
    static void refuseUnplaced(List<Request> requests) {
        List<String> without = requests.stream()
                .filter(request -> request.getState() == State.REJECTED || request.getState() == State.EXPIRED)
                .map(request -> request.getRequestId()
                        + (request.getState() == State.EXPIRED
                                ? " expired: it was not placed within its longest wait"
                                : " was rejected: " + request.getReason()))
                .toList();
        if (!without.isEmpty()) {
            throw new NotEnoughException(
                    without.get(0) + (without.size() == 1 ? "" : "; " + (without.size() - 1) + " more have no place"));
        }
    }

    /**
     * The beginning of a list, with a note if it goes on.
     *
     * @param all the list, with at least one more than the limit if there are more
     */
    static <T> List<T> first(List<T> all, int limit, String what, Console console) {
        if (all.size() <= limit) {
            return all;
        }
        console.note("stowage: there are more " + what + " than this limit of " + limit + "; --limit N shows N");
        return all.subList(0, limit);
    }

    /** The table, with columns of devices and unconfirmed changes if there are any. */
    private Columns table(Request... requests) {
        List<String> header = new ArrayList<>(List.of("request", "state", "server", "site", "demand", "since", "rule"));
        boolean devices = Arrays.stream(requests).anyMatch(request -> request.getDevicesCount() > 0);
        boolean confirm = Arrays.stream(requests).anyMatch(Request::hasUnconfirmed);
        if (devices) {
            header.add(3, "devices");
        }
        if (tenants) {
            header.add(1, "tenant");
        }
        if (confirm) {
            header.add(CONFIRM);
        }
        Columns columns = new Columns(header);
        for (Request request : requests) {
            List<String> cells = new ArrayList<>(List.of(
                    request.getRequestId(),
                    state(request),
                    request.getServer() < 0 ? "-" : server(request.getServer(), request.getServerName()),
                    request.getSite(),
                    amounts(request.getDemandMap()),
                    time(request.getSinceNanos()),
                    request.getReason() + displaced(request)));
            if (devices) {
                cells.add(
                        3,
                        request.getDevicesCount() == 0
                                ? "-"
                                : request.getDevicesList().stream()
                                        .map(String::valueOf)
                                        .collect(Collectors.joining(",")));
            }
            if (tenants) {
                cells.add(1, request.getTenant().isEmpty() ? "-" : request.getTenant());
            }
            if (confirm) {
                cells.add(unconfirmed(request));
            }
            columns.row(cells);
        }
        return columns;
    }

    /** The state; for a request with an agent on a server its phase and attempt: what is only placed does not run. */
    static String state(Request request) {
        String state = request.getState().name().toLowerCase(Locale.ROOT);
        return request.getPhase() == Phase.PHASE_UNSPECIFIED
                ? state
                : (request.getPhase() == Phase.PLACED ? "" : state + ", ")
                        + request.getPhase().name().toLowerCase(Locale.ROOT) + " (attempt " + request.getAttempt()
                        + ")";
    }

    /** Name of a server, for people. */
    static String server(int number, String name) {
        return name.isEmpty() ? Integer.toString(number) : name;
    }

    /** What an agent has still to carry out, with the position to confirm; empty if nothing. */
    static String unconfirmed(Request request) {
        if (!request.hasUnconfirmed()) {
            return "";
        }
        Unconfirmed change = request.getUnconfirmed();
        String what = change.getKind().name().toLowerCase(Locale.ROOT) + " " + change.getPosition();
        if (change.getKind() == Adjustment.MIGRATION) {
            what += ": server " + server(change.getFromServer(), change.getFromServerName()) + " to "
                    + server(change.getToServer(), change.getToServerName());
        }
        return change.hasAllocation() ? what + ", holds " + change.getAllocation() : what;
    }

    /** How it lost the server that it ran on last; empty if it never did. */
    private static String displaced(Request request) {
        Displacement how = request.getDisplaced();
        return request.hasDisplaced()
                ? "; lost server " + server(how.getServer(), how.getServerName()) + ": " + how.getReason()
                : "";
    }

    public boolean json() {
        return json.asked();
    }

    public static String line(MessageOrBuilder message) {
        return json(message, JsonFormat.printer().omittingInsignificantWhitespace());
    }

    static String pretty(MessageOrBuilder message) {
        return json(message, JsonFormat.printer());
    }

    private static String json(MessageOrBuilder message, JsonFormat.Printer printer) {
        try {
            return ESCAPED_FOR_HTML
                    .matcher(printer.alwaysPrintFieldsWithNoPresence().print(message))
                    .replaceAll(found ->
                            Matcher.quoteReplacement(found.group(1) + (char) Integer.parseInt(found.group(2), 16)));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("an answer that cannot be printed", e);
        }
    }

    static String amounts(Map<String, Long> amounts) {
        return amounts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(amount -> ResourceWords.amount(amount.getKey(), amount.getValue()))
                .collect(Collectors.joining(", "));
    }

    static String time(long nanos) {
        return MILLIS.format(Instant.ofEpochSecond(nanos / SECOND, nanos % SECOND));
    }
}
