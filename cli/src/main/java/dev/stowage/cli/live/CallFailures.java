package dev.stowage.cli.live;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Failures;
import dev.stowage.cli.text.NotEnoughException;
import dev.stowage.service.client.Reasons;
import dev.stowage.service.client.UnansweredException;
import io.grpc.Status;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
            Map.entry("amounts", "AMOUNTS"),
            Map.entry("requests", "--requests"),
            Map.entry("move_gap_nanos", "--move-every"),
            Map.entry("lease_nanos", "--lease"),
            Map.entry("grace_nanos", "--grace"),
            Map.entry("after_position", "--after"),
            Map.entry("rollouts", "--rollouts"));

    private static final Pattern REFUSED = Pattern.compile("refused: [^/]*/(\\S+)");
    private static final Pattern TIMED_OUT = Pattern.compile("timed out[^/]*/(\\S+)");
    private static final Pattern HOST = Pattern.compile("DnsQuestion\\((\\S+) IN|resolve '([^' ]+)");

    /** In a message in place of the address. */
    private static final String HERE = "\0";

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
        String message =
                said.startsWith(reason + ": ") ? typed(reason + ": ", Reasons.field(thrown), said) : unanswered(thrown);
        if (reason.equals("NOT_KNOWN")) {
            message = message.replace(
                    "send 'authorization: Bearer TOKEN'", "give its file with --token-file, or set STOWAGE_TOKEN");
        }
        if (reason.equals("NOT_FOUND")) {
            message = message.replace("tenant=NAME", "--tenant NAME");
        }
        if ((reason.equals("UNAVAILABLE") && said.startsWith(reason)) || reason.equals("NOT_STARTED")) {
            message += "; 'stowage status' shows which nodes answer, and how many are needed";
        }
        return switch (said.startsWith(reason + ": ") ? exitCode(reason, status.getCode(), thrown) : Failures.FAILED) {
            case Failures.NOT_ENOUGH -> new NotEnoughException(message, thrown);
            case Failures.BAD_INPUT -> new BadInputException(message, thrown);
            default -> new CallFailedException(message, thrown);
        };
    }

    /** 2 if the command, a token or an id must change first; 1 if the same command may succeed later. */
    private static int exitCode(String reason, Status.Code code, Throwable thrown) {
        return switch (reason) {
            case "FITS_NO_SERVER" -> Failures.NOT_ENOUGH;
            case "UNKNOWN_SITE",
                    "UNKNOWN_SERVER",
                    "UNKNOWN_NODE",
                    "BEYOND_QUOTA",
                    "SITE_LIMIT",
                    "CONSTRAINT",
                    "UNSUPPORTED",
                    "TOO_LONG" -> Failures.BAD_INPUT;
            default ->
                switch (code) {
                    case INVALID_ARGUMENT, PERMISSION_DENIED, UNAUTHENTICATED, ALREADY_EXISTS -> Failures.BAD_INPUT;
                    default -> Reasons.field(thrown) == null ? Failures.FAILED : Failures.BAD_INPUT;
                };
        };
    }

    /** A message of the service with the option in place of the field that it begins with. */
    private static String typed(String before, @Nullable String field, String message) {
        return field != null && message.startsWith(before + field)
                ? before + TYPED.getOrDefault(field, field) + message.substring(before.length() + field.length())
                : message;
    }

    /** Why there is no answer of a service, and what to do; of several nodes, of each. */
    private static String unanswered(Throwable thrown) {
        if (!(thrown instanceof UnansweredException several)) {
            return Unanswered.of(thrown).toString();
        }
        boolean noneRuns = several.leaderless().isEmpty();
        Map<String, String> each = new LinkedHashMap<>();
        several.byAddress().forEach((address, why) -> {
            Unanswered one = Unanswered.of(why);
            each.put(address, noneRuns ? one.toString() : one.why());
        });
        String silent = String.join("; ", together(each));
        return noneRuns
                ? silent
                : "there is no leader: " + String.join(", ", several.leaderless())
                        + (several.leaderless().size() == 1 ? " answers and knows" : " answer and know") + " of none; "
                        + silent;
    }

    /** Why there is no answer of a node, without what to do. */
    static String why(Throwable thrown) {
        return Unanswered.of(thrown).why();
    }

    /** Why nodes do not answer, by address: a sentence for all that say the same of themselves. */
    static List<String> together(Map<String, String> failed) {
        Map<String, List<String>> same = new LinkedHashMap<>();
        failed.forEach((address, why) -> {
            String bare = address.replaceFirst("^https?://", "");
            same.computeIfAbsent(why.replace(bare, HERE), its -> new ArrayList<>())
                    .add(bare);
        });
        List<String> sentences = new ArrayList<>();
        same.forEach((why, addresses) -> {
            String all = String.join(", ", addresses);
            sentences.add(why.contains(HERE) ? why.replace(HERE, all) : all + ": " + why);
        });
        return sentences;
    }

    /**
     * A node that did not answer as a service does.
     *
     * @param why what happened
     * @param advice what to do
     */
    private record Unanswered(String why, String advice) {
        static Unanswered of(Throwable thrown) {
            for (Throwable at = thrown; at != null; at = at.getCause()) {
                String message = String.valueOf(at.getMessage());
                if (at instanceof UnknownHostException) {
                    return new Unanswered(
                            "there is no host" + named(HOST, message, " '", "'"), "check the name in --at");
                }
                if (at instanceof ConnectException && message.contains("refused")) {
                    return new Unanswered(
                            "nothing listens" + named(REFUSED, message, " at ", ""),
                            "start a service with 'stowage serve', or give its address with --at");
                }
                if (at instanceof ConnectException) {
                    return new Unanswered(
                            "no answer" + named(TIMED_OUT, message, " from ", ""),
                            "check the address in --at, and whether a firewall is in between");
                }
                if (Reasons.speaksNoTls(at)) {
                    return new Unanswered(
                            "what answers there does not use TLS",
                            "leave out https:// in --at, and --authority or STOWAGE_AUTHORITY");
                }
                if (at instanceof SSLException) {
                    return tls(
                            root(at),
                            Reasons.wantsCertificate(at)
                                    ? "give with --certificate FILE a certificate that the nodes trust, and with --key"
                                            + " FILE its key"
                                    : "give with --authority FILE the certificate that signed those of the nodes, and"
                                            + " with --at an address that is in theirs");
                }
            }
            Status status = Status.fromThrowable(thrown);
            if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
                return new Unanswered(
                        "no answer in time",
                        "it may be starting still; check that the service runs, and the address in --at");
            }
            String said = status.getDescription() == null ? "" : " (" + status.getDescription() + ")";
            return status.getCode() == Status.Code.UNAVAILABLE
                    ? new Unanswered("no answer" + said, "check that the service runs, and the address in --at")
                    : new Unanswered(
                            "another program answers there, or a service that uses TLS" + said,
                            "check the port in --at; with TLS, give https://HOST:PORT, and with --authority FILE the"
                                    + " certificate that signed those of the nodes");
        }

        private static Unanswered tls(String failure, String advice) {
            return new Unanswered("the TLS handshake failed (" + failure + ")", advice);
        }

        @Override
        public String toString() {
            return why + ": " + advice;
        }
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
