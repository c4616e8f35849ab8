package dev.stowage.cli.live;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.NotEnoughException;
import dev.stowage.service.client.Reasons;
import io.grpc.Status;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What is said of a call that failed: why nothing answered as Stowage does, or the service's reason. */
final class CallFailures {
    /** Fields of the API, and what is typed for them. */
    private static final Map<String, String> TYPED = Map.ofEntries(
            Map.entry("request_id", "ID"),
            Map.entry("demand", "--demand"),
            Map.entry("type", "--type"),
            Map.entry("tenant", "--tenant"),
            Map.entry("max_wait_nanos", "--max-wait"),
            Map.entry("expected_nanos", "--expected"),
            Map.entry("allowed_sites", "--sites"),
            Map.entry("where", "--where"),
            Map.entry("avoid_servers", "--avoid"),
            Map.entry("spread", "--spread"),
            Map.entry("devices", "--devices"),
            Map.entry("capacity", "AMOUNTS"),
            Map.entry("move_gap_nanos", "--move-every"),
            Map.entry("lease_nanos", "--lease"),
            Map.entry("grace_nanos", "--grace"),
            Map.entry("after_position", "--after"),
            Map.entry("rollouts", "--rollouts"));

    private static final Pattern REFUSED = Pattern.compile("refused: [^/]*/(\\S+)");
    private static final Pattern TIMED_OUT = Pattern.compile("timed out[^/]*/(\\S+)");
    private static final Pattern HOST = Pattern.compile("DnsQuestion\\((\\S+) IN|resolve '([^' ]+)");

    private CallFailures() {}

    /** Whether a call was given up because no node answered it. */
    static boolean isUnanswered(@Nullable Throwable thrown) {
        return thrown != null
                && switch (Status.fromThrowable(thrown).getCode()) {
                    case UNAVAILABLE, DEADLINE_EXCEEDED -> true;
                    default -> false;
                };
    }

    /** The exception of a command whose call failed. */
    static RuntimeException of(Throwable thrown) {
        String reason = Reasons.reason(thrown);
        Status status = Status.fromThrowable(thrown);
        String said = String.valueOf(status.getDescription());
        String message = said.startsWith(reason + ": ")
                ? typed(reason + ": ", Reasons.field(thrown), said)
                : unanswered(thrown, status);
        if (reason.equals("NOT_KNOWN")) {
            message = message.replace(
                    "send 'authorization: Bearer TOKEN'", "give its file with --token-file, or set STOWAGE_TOKEN");
        }
        if (message.contains("no request '") && (reason.equals("NOT_FOUND") || reason.equals("UNKNOWN_ID"))) {
            message += "; a request of another tenant is found with --tenant NAME";
        }
        if ((reason.equals("UNAVAILABLE") && said.startsWith(reason)) || reason.equals("NOT_STARTED")) {
            message += "; 'stowage status' shows which nodes answer, and how many are needed";
        }
        if (reason.equals("FITS_NO_SERVER")) {
            return new NotEnoughException(message, thrown);
        }
        // A server or site that is typed wrongly is as wrong as a type; a request that is not known may have ended.
        boolean badInput = said.startsWith(reason + ": ")
                && (status.getCode() == Status.Code.INVALID_ARGUMENT
                        || reason.equals("UNKNOWN_SITE")
                        || reason.equals("UNKNOWN_SERVER"));
        return badInput ? new BadInputException(message, thrown) : new CallFailedException(message, thrown);
    }

    /** A message of the service with the option in place of the field that it begins with. */
    private static String typed(String before, @Nullable String field, String message) {
        return field != null && message.startsWith(before + field)
                ? before + TYPED.getOrDefault(field, field) + message.substring(before.length() + field.length())
                : message;
    }

    /** Why there is no answer of a service, and what to do. */
    private static String unanswered(Throwable thrown, Status status) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            String message = String.valueOf(at.getMessage());
            if (at instanceof UnknownHostException) {
                return "there is no host" + named(HOST, message, " '", "'") + ": check the name in --at";
            }
            if (at instanceof ConnectException && message.contains("refused")) {
                return "nothing listens" + named(REFUSED, message, " at ", "")
                        + ": start a service with 'stowage serve', or give its address with --at";
            }
            if (at instanceof ConnectException) {
                return "no answer" + named(TIMED_OUT, message, " from ", "")
                        + ": check the address in --at, and whether a firewall is in between";
            }
            if (message.contains("not an SSL/TLS record")) {
                return "what answers there does not use TLS: leave out https:// in --at, and --authority";
            }
            if (at instanceof SSLException) {
                return "TLS failed: " + root(at)
                        + ". --authority names the certificate that signs those of the nodes, and"
                        + " --at must be an address that is in theirs";
            }
        }
        String said = status.getDescription();
        if (status.getCode() == Status.Code.UNAVAILABLE || status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
            return "no answer" + (said == null ? "" : " (" + said + ")") + "; is the service running, and --at right?";
        }
        return "another program answers there, or a service that uses TLS" + (said == null ? "" : " (" + said + ")")
                + ": check the port in --at; with TLS, give https://HOST:PORT";
    }

    private static String root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    private static String named(Pattern name, String message, String before, String after) {
        Matcher found = name.matcher(message);
        if (!found.find()) {
            return "";
        }
        String text = found.group(1) == null ? found.group(2) : found.group(1);
        return before + text + after;
    }
}
