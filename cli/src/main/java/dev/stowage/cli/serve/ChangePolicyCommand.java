package dev.stowage.cli.serve;

import dev.stowage.cli.live.ClientOptions;
import dev.stowage.cli.live.StatusCommand;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.PolicyArgument;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.ChangeReply;
import dev.stowage.service.v1.Policy;
import dev.stowage.service.v1.SetPolicyRequest;
import dev.stowage.service.v1.Status;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.result.Remark;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stowage policy}: the policy of a running service. */
@Command(
        name = "policy",
        description =
                "Show the policy of a running service, or change it. What runs stays; the new policy takes over what"
                        + " waits, in order of arrival. A policy without a queue, such as first-fit without"
                        + " when-full=queue, rejects at once what waits and finds no place. A policy is refused if it"
                        + " does not support what the present requests need. 'stowage policies' lists all.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage policy first-fit:when-full=queue",
            "  stowage replay stowage-data --policy first-fit --last \"1 h\"",
            "The second tries a policy on the last hour of the service's log, and changes nothing."
        })
public final class ChangePolicyCommand extends ConsoleCommand implements Runnable {
    @Parameters(
            arity = "0..1",
            paramLabel = "POLICY",
            description = "The new policy with its parameters, KEY:NAME=VALUE:NAME=VALUE; without it the present one is"
                    + " shown.",
            completionCandidates = PolicyArgument.PolicyKeys.class)
    private @Nullable String policy;

    @Mixin
    private ClientOptions client;

    @Override
    public void run() {
        if (policy == null) {
            console().out().println("policy: " + StatusCommand.policy(client.call(StowageClient::status)));
            return;
        }
        PolicyArgument asked = PolicyArgument.parse(policy);
        SetPolicyRequest request = SetPolicyRequest.newBuilder()
                .setChangeId(UUID.randomUUID().toString())
                .setPolicy(Policy.newBuilder().setName(asked.key()).putAllParameters(asked.parameters()))
                .build();
        long rejected = client.call(service -> ClientOptions.rejectedBy(
                service,
                () -> service.<ChangeReply>operations((stub, answer) -> stub.setPolicy(request, answer)),
                Status::getWaitingRequests));
        Console console = console();
        console.out()
                .print(console.wrapped(
                        "",
                        "policy: " + policy.strip() + " from now on"
                                + (rejected == 0
                                        ? ""
                                        : ". Of what waited and found no place, " + ClientOptions.rejected(rejected))));
        if (rejected > 0) {
            console.note(
                    Remark.warning("what was rejected stays so; to let requests wait from now on, run 'stowage policy "
                            + queueing(asked) + "', then submit the rejected ones again under other ids"));
        }
    }

    /** The same policy with a queue, or one that has one. */
    private static String queueing(PolicyArgument asked) {
        SortedMap<String, String> parameters = new TreeMap<>(asked.parameters());
        parameters.put("when-full", "queue");
        try {
            return PolicyArgument.labelled(LabelledPolicy.label(asked.key(), parameters))
                    .label();
        } catch (BadInputException e) {
            return "first-fit:when-full=queue";
        }
    }
}
