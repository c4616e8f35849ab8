package dev.stowage.cli.serve;

import dev.stowage.cli.live.AnswerOptions;
import dev.stowage.cli.live.ClientOptions;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.Member;
import dev.stowage.service.v1.RemoveMemberRequest;
import dev.stowage.service.v1.Status;
import dev.stowage.service.v1.TransferLeadershipRequest;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stowage members}: shows the nodes of a group, removes nodes, and lets another lead. */
@Command(
        name = "members",
        description =
                "List the members of a service's group, let another one lead, or remove one. A node joins by itself:"
                        + " start it with an empty directory.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage members",
            "  stowage members --leader n2",
            "  stowage members --remove n3",
            "",
            "Replace a dead node: start another one with its id and an empty directory."
        })
public final class MembersCommand extends ConsoleCommand implements Runnable {
    /** A node that has been silent for longer does not answer; one that runs answers several times a second. */
    private static final long SILENT_MILLIS = 5000;

    @Option(
            names = "--leader",
            paramLabel = "NODE",
            description = "Let this node lead from now on, for example before the one that leads is shut down.")
    private @Nullable String lead;

    @Option(
            names = "--remove",
            paramLabel = "NODE",
            description = "Remove this node from the group. Its data no longer counts, and the node reports its"
                    + " removal. If it leads, another one leads from then on. Refused unless a majority of the"
                    + " nodes that remain answers.")
    private @Nullable String remove;

    @Mixin
    private ClientOptions client;

    @Mixin
    private AnswerOptions answers;

    @Override
    public void run() {
        try (StowageClient service = client.client()) {
            if (remove != null && lead != null) {
                throw new BadInputException("give only one of --leader and --remove");
            }
            if (remove != null) {
                remove(service, remove);
            } else if (lead != null) {
                boolean already = lead.equals(ofLeader(service).getLeader());
                if (!already) {
                    transfer(service, lead);
                }
                console().out().println("node " + lead + (already ? ": leads already" : ": leads now"));
            } else {
                list(service);
            }
        }
    }

    private void remove(StowageClient service, String node) {
        Status before = ofLeader(service);
        if (node.equals(before.getLeader())) {
            String next = successor(before);
            transfer(service, next);
            console().note("stowage: node " + node + " led; " + next + " leads now");
        }
        Status unused = ClientOptions.answer(service.<Status>operations((stub, answer) ->
                stub.removeMember(RemoveMemberRequest.newBuilder().setNode(node).build(), answer)));
        Console console = console();
        console.out().println("node " + node + ": removed from the group");
    }

    private static void transfer(StowageClient service, String to) {
        Status unused = ClientOptions.answer(service.<Status>operations((stub, answer) -> stub.transferLeadership(
                TransferLeadershipRequest.newBuilder().setTo(to).build(), answer)));
    }

    /** The node that leads after the leader is removed: one that answers, as does a majority of the others. */
    static String successor(Status before) {
        String leader = before.getLeader();
        List<Member> rest = before.getMembersList().stream()
                .filter(member -> !member.getNode().equals(leader))
                .toList();
        if (rest.isEmpty()) {
            throw new BadInputException("node " + leader + " is the only one of its group");
        }
        if (!before.getNode().equals(leader)) {
            throw new CallFailedException("node " + leader
                    + " leads, and only it knows which others answer; as it cannot be asked, nothing is changed");
        }
        List<Member> answer = rest.stream()
                .filter(member -> member.getBehind() >= 0
                        && member.getSilentMillis() >= 0
                        && member.getSilentMillis() <= SILENT_MILLIS)
                .sorted(Comparator.comparingLong(Member::getBehind).thenComparingLong(Member::getSilentMillis))
                .toList();
        if (2 * answer.size() <= rest.size()) {
            throw new CallFailedException("node " + leader + " leads and is not removed, as the nodes that remain would"
                    + " have no majority: no answer from "
                    + rest.stream()
                            .filter(member -> !answer.contains(member))
                            .map(Member::getNode)
                            .collect(Collectors.joining(", "))
                    + "; start what is down first, or remove it instead");
        }
        return answer.get(0).getNode();
    }

    /** The leader's status: only it knows the positions of the others. If it does not answer, that of another node. */
    private Status ofLeader(StowageClient service) {
        Status asked = ClientOptions.answer(service.status());
        String leader = asked.getLeaderAddress();
        if (!leader.isEmpty() && !asked.getLeader().equals(asked.getNode())) {
            try (StowageClient one = client.at((client.at().get(0).startsWith("https://") ? "https://" : "") + leader)
                    .client()) {
                return ClientOptions.answer(one.status());
            } catch (CallFailedException | BadInputException e) {
                console().warn("stowage: leader " + leader + ": " + e.getMessage());
            }
        }
        return asked;
    }

    /** The node's name; that of the member while it replaces another one of its node, and both are there. */
    static String name(Member member, List<Member> all) {
        List<String> nodes = all.stream().map(Member::getNode).toList();
        return Collections.frequency(nodes, member.getNode()) > 1 ? member.getMember() : member.getNode();
    }

    /** As status calls it: one that the leader has not heard for long is silent. */
    static String role(Member member, String leader) {
        return member.getNode().equals(leader)
                ? "leader"
                : member.getSilentMillis() > SILENT_MILLIS ? "silent" : "follower";
    }

    private void list(StowageClient service) {
        Status status = ofLeader(service);
        Console console = console();
        if (answers.json()) {
            status.getMembersList().forEach(member -> console.out().println(AnswerOptions.line(member)));
        } else {
            Columns columns = new Columns("node", "role", "address", "behind", "last heard");
            for (Member member : status.getMembersList()) {
                columns.row(
                        name(member, status.getMembersList()),
                        role(member, status.getLeader()),
                        member.getAddress(),
                        member.getBehind() < 0 ? "-" : String.format(Locale.ROOT, "%,d", member.getBehind()),
                        member.getSilentMillis() < 0
                                ? "-"
                                : String.format(Locale.ROOT, "%.1f s ago", member.getSilentMillis() / 1e3));
            }
            console.out().print(columns.text(console.style()));
            console.note("stowage: group " + status.getGroup()
                    + (status.getWaits().isEmpty() ? "" : "; node " + status.getNode() + ": " + status.getWaits()));
        }
    }
}
