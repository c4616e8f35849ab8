package dev.stowage.cli.live;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.raft.NotServedException;
import dev.stowage.service.v1.Status;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
            "  stowage status --at 127.0.0.1:7411,127.0.0.1:7412,127.0.0.1:7413",
            "",
            "Log entry: the last that the node has carried out. Nodes at the same entry have",
            "the same checksum.",
            "",
            "Nodes that are not in --at are asked too, at the addresses that those name. Exit code 1: no node",
            "answers, or there is no leader."
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
        Columns columns = new Columns("node", "role", "ready", "log entry", "behind by", "checksum");
        Map<String, Status> answered = new LinkedHashMap<>();
        Map<String, RuntimeException> failed = new LinkedHashMap<>();
        for (String address : client.at) {
            try {
                ask(client.at(address), answered);
            } catch (CallFailedException | BadInputException e) {
                failed.put(address, e);
            }
        }
        tellSilent(failed, !answered.isEmpty(), console);
        client.tell(spec(), () -> answered.values().iterator().next().getGroup());
        Set<String> silent = askOthers(answered);
        Set<String> policies = new LinkedHashSet<>();
        for (Status status : answered.values()) {
            if (json) {
                console.out().println(AnswerOptions.line(status));
            }
            columns.row(cells(status));
            if (status.hasPolicy()) {
                policies.add(policy(status));
            }
            warn(console, status);
        }
        for (String node : silent) {
            columns.row(node, "silent", "no", "-", "-", "-");
        }
        if (!json) {
            console.out().print(columns.text(console.style()));
            String holds = holds(speaker(answered.values())) + ahead(answered);
            console.out().print(holds.isEmpty() ? "" : "\n" + console.wrapped("", holds));
            String why = answered.values().stream()
                    .map(StatusCommand::notReady)
                    .filter(sentence -> !sentence.isEmpty())
                    .map(sentence -> console.wrapped("", sentence))
                    .collect(Collectors.joining());
            console.out().print(why.isEmpty() ? "" : "\n" + why);
            if (!policies.isEmpty()) {
                console.out().print("\n" + console.wrapped("", "Policy: " + String.join("; ", policies) + "."));
            }
        }
        if (answered.values().stream().allMatch(status -> status.getLeader().isEmpty())) {
            throw new CallFailedException(NotServedException.NO_LEADER
                    + ", so the service changes nothing and answers no reads: " + leaderless(answered.size(), silent));
        }
    }

    /** Why a follower is at a later entry than its leader, where one is; else empty. */
    static String ahead(Map<String, Status> answered) {
        long leader = answered.values().stream()
                .filter(status -> status.getLeader().equals(status.getNode()))
                .mapToLong(Status::getApplied)
                .max()
                .orElse(Long.MAX_VALUE);
        return answered.values().stream().anyMatch(status -> status.getApplied() > leader)
                ? " A follower may be at a later entry than the leader: nodes are asked one after the other, and each"
                        + " carries out entries at its own pace."
                : "";
    }

    /** Who says what the service holds: the leader, else the one that has carried out most; if it can be, one ready. */
    static Status speaker(Collection<Status> answered) {
        return Collections.max(
                answered,
                Comparator.comparing(StatusCommand::isReady)
                        .thenComparing(status -> status.getLeader().equals(status.getNode()))
                        .thenComparingLong(Status::getApplied));
    }

    private static boolean isReady(Status status) {
        return status.getReady() && notReady(status).isEmpty();
    }

    /** What the service holds, as far as the node and the caller know; else empty. */
    static String holds(Status status) {
        if (isBound(status)) {
            return "Figures of all tenants are not shown with a token of some; yours ("
                    + String.join(", ", status.getYou().getTenantsList()) + ") have "
                    + number(status.getLiveRequests()) + " running or waiting.";
        }
        if (!status.hasPolicy()) {
            return "";
        }
        long servers = status.getServers();
        long closed = servers - status.getServersUp();
        long unconfirmed = status.getUnconfirmedRequests();
        long gone = status.getServersGone();
        long silent = status.getServersSilent();
        return number(servers + gone) + (servers + gone == 1 ? " server, " : " servers, ")
                + (silent == 0 ? "" : number(silent) + " gone (silent agent), ")
                + (gone == silent ? "" : number(gone - silent) + " removed or reported lost, ")
                + number(status.getServersOccupied()) + " in use"
                + (closed == 0
                        ? ""
                        : ", " + number(closed) + (closed == 1 ? " takes" : " take")
                                + " no new requests (draining, or the agent is silent)")
                + ". " + requests(status.getRunningRequests(), "runs", "run") + ", "
                + number(status.getLiveRequests() - status.getRunningRequests()) + " wait."
                + (unconfirmed == 0
                        ? ""
                        : " " + requests(unconfirmed, "has", "have") + " a change to confirm: one that the policy has"
                                + " decided and nobody has reported as carried out ('stowage get' shows it, 'stowage"
                                + " confirm' reports it).");
    }

    private static String requests(long count, String one, String many) {
        return number(count) + (count == 1 ? " request " + one : " requests " + many);
    }

    private static boolean isBound(Status status) {
        return status.hasYou() && !status.getYou().getAllTenants();
    }

    /** What is wrong with nodes that did not answer; what to do about it only if no other did. */
    private static void tellSilent(Map<String, RuntimeException> failed, boolean others, Console console) {
        Map<String, String> why = new LinkedHashMap<>();
        failed.forEach((address, thrown) -> {
            Throwable cause = thrown.getCause();
            why.put(
                    address,
                    others && cause != null && CallFailures.isUnanswered(cause)
                            ? CallFailures.why(cause)
                            : String.valueOf(thrown.getMessage()));
        });
        List<String> sentences = CallFailures.together(why);
        if (!others && !sentences.isEmpty()) {
            if (failed.values().stream().allMatch(BadInputException.class::isInstance)) {
                throw failed.values().iterator().next();
            }
            throw new CallFailedException(String.join("; ", sentences));
        }
        sentences.forEach(sentence -> console.warn("stowage: " + sentence));
    }

    private static void ask(ClientOptions node, Map<String, Status> answered) {
        try (StowageClient service = node.client()) {
            Status status = ClientOptions.answer(service.status());
            answered.put(status.getNode(), status);
        }
    }

    /** Asks, once, the nodes of the group that were not asked. Returns those that do not answer. */
    private Set<String> askOthers(Map<String, Status> answered) {
        Map<String, String> apis = new TreeMap<>();
        answered.values().forEach(status -> apis.putAll(status.getApisMap()));
        apis.keySet().removeAll(answered.keySet());
        Set<String> silent = new LinkedHashSet<>();
        for (Map.Entry<String, String> node : apis.entrySet()) {
            try {
                ask(client.once(node.getValue()), answered);
            } catch (CallFailedException | BadInputException e) {
                silent.add(node.getKey());
            }
        }
        return silent;
    }

    static String leaderless(int answered, Set<String> silent) {
        int nodes = answered + silent.size();
        if (!silent.isEmpty()) {
            return answered + " of " + nodes + " nodes answer, and a leader needs " + (nodes / 2 + 1) + "; "
                    + String.join(", ", silent) + (silent.size() == 1 ? " does" : " do") + " not answer";
        }
        return nodes == 1
                ? "the only node answers and has not elected itself yet"
                : "all " + nodes + " nodes answer and have not elected one (yet)";
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
        if (!isBound(status) && waiting > status.getWaitingLimit() * NEARLY) {
            console.warn(String.format(
                    Locale.ROOT,
                    "stowage: %s: %,d requests wait; new ones are rejected from %,d on",
                    status.getNode(),
                    waiting,
                    status.getWaitingLimit()));
        }
    }

    /** The policy of the group, as 'stowage policy' takes it. */
    public static String policy(Status status) {
        return status.getPolicy().getParametersMap().entrySet().stream()
                .map(parameter -> ":" + parameter.getKey() + "=" + parameter.getValue())
                .sorted()
                .reduce(status.getPolicy().getName(), String::concat);
    }

    /** The row of a node. */
    static List<String> cells(Status status) {
        return List.of(
                status.getNode(),
                status.getRole(),
                isReady(status) ? "yes" : "no",
                number(status.getApplied()),
                number(status.getBehind()),
                isBound(status)
                        ? "-"
                        : status.getDigest()
                                .substring(
                                        0, Math.min(CHECKSUM, status.getDigest().length())));
    }

    /** Why a node is not ready, if it says that. */
    static String notReady(Status status) {
        String why = status.getHalted().isEmpty() ? status.getWaits() : status.getHalted();
        return why.isEmpty() ? "" : status.getNode() + " is not ready: " + why + ".";
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
