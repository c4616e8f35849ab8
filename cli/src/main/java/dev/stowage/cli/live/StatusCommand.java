package dev.stowage.cli.live;

import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.Status;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code stowage status}: the status of a service. */
@Command(
        name = "status",
        description = "Show the state of a service's nodes: which one leads, how far each is, what they hold.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage status",
            "  stowage status --at 127.0.0.1:7411,127.0.0.1:7412,127.0.0.1:7413"
        })
public final class StatusCommand extends ConsoleCommand implements Runnable {
    private static final long TOLERATED_NANOS = 1_000_000_000;
    private static final double NEARLY = 0.8;
    /** Of a digest's digits, those that the table shows. */
    private static final int CHECKSUM = 8;

    @Mixin
    private ClientOptions client;

    @Mixin
    private AnswerOptions answers;

    @Override
    public void run() {
        boolean json = answers.json();
        Console console = console();
        Columns columns = new Columns(
                "node",
                "role",
                "ready",
                "entry",
                "lags",
                "checksum",
                "servers",
                "up",
                "in use",
                "running",
                "waiting",
                "to confirm");
        Set<String> policies = new LinkedHashSet<>();
        boolean any = false;
        CallFailedException last = null;
        for (String address : client.at) {
            ClientOptions one = client.at(address);
            try (StowageClient service = one.client()) {
                Status status = ClientOptions.answer(service.status());
                any = true;
                if (json) {
                    console.out().println(AnswerOptions.line(status));
                }
                row(columns, status);
                policies.add(policy(status));
                warn(console, status);
            } catch (CallFailedException e) {
                last = e;
                if (client.at.size() > 1) {
                    console.warn("stowage: " + address + ": " + e.getMessage());
                }
            }
        }
        if (!any && last != null) {
            throw last;
        }
        if (!json) {
            console.out().print(columns.text(console.style()));
            console.out()
                    .print("\n"
                            + console.wrapped(
                                    "",
                                    "Policy: " + String.join("; ", policies) + ". Entry: the last entry of the log that"
                                            + " the node has carried out; it lags by those that it has not. Nodes at the"
                                            + " same entry have the same checksum. Servers: those that can hold requests;"
                                            + " up: those that also take new ones (others are draining, or their"
                                            + " agent is silent); in use: those with at least one request. Removed and"
                                            + " lost servers are not counted. To confirm: migrations and other"
                                            + " changes that nobody has reported as done."));
        }
    }

    private static void warn(Console console, Status status) {
        if (status.getClockAheadNanos() > TOLERATED_NANOS) {
            console.warn(String.format(
                    Locale.ROOT,
                    "stowage: %s: the service's time is %.1f s ahead of this node's clock; the service's time runs"
                            + " slower until the clock has caught up",
                    status.getNode(),
                    status.getClockAheadNanos() / 1e9));
        }
        long waiting = status.getLiveRequests() - status.getRunningRequests();
        if (waiting > status.getWaitingLimit() * NEARLY) {
            console.warn(String.format(
                    Locale.ROOT,
                    "stowage: %s: %,d requests wait; new ones are rejected from %,d on",
                    status.getNode(),
                    waiting,
                    status.getWaitingLimit()));
        }
    }

    private static String policy(Status status) {
        return status.getPolicy().getParametersMap().entrySet().stream()
                .map(parameter -> ":" + parameter.getKey() + "=" + parameter.getValue())
                .sorted()
                .reduce(status.getPolicy().getName(), String::concat);
    }

    private static void row(Columns columns, Status status) {
        columns.row(
                status.getNode(),
                status.getRole(),
                ready(status),
                number(status.getApplied()),
                number(status.getBehind()),
                status.getDigest()
                        .substring(0, Math.min(CHECKSUM, status.getDigest().length())),
                number(status.getServers()),
                number(status.getServersUp()),
                number(status.getServersOccupied()),
                number(status.getRunningRequests()),
                number(status.getLiveRequests() - status.getRunningRequests()),
                number(status.getUnconfirmedRequests()));
    }

    private static String ready(Status status) {
        if (!status.getHalted().isEmpty()) {
            return status.getHalted();
        }
        if (!status.getWaits().isEmpty()) {
            return status.getWaits();
        }
        return status.getReady() ? "yes" : status.getLeader().isEmpty() ? "no leader" : "no";
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
