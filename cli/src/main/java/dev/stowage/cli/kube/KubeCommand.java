package dev.stowage.cli.kube;

import dev.stowage.cli.queues.KubeQueuesCommand;
import dev.stowage.cli.text.ConsoleCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** {@code stowage kube}: a Kubernetes cluster. */
@Command(
        name = "kube",
        description =
                "Place the pods of a Kubernetes cluster by a policy, guard its bindings, or advise what to do with it"
                        + " (docs/kubernetes.md).",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        subcommands = {
            KubeScheduleCommand.class,
            KubeGuardCommand.class,
            KubeAdviseCommand.class,
            KubeConsolidateCommand.class,
            KubeQueuesCommand.class
        })
public final class KubeCommand extends ConsoleCommand implements Runnable {
    @Override
    public void run() {
        throw new ParameterException(
                spec().commandLine(),
                "a command is missing; 'stowage kube schedule' places pods that ask for it, 'stowage kube guard'"
                        + " refuses bindings without room, 'stowage kube advise' only reads");
    }
}
