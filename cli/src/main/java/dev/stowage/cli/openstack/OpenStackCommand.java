package dev.stowage.cli.openstack;

import dev.stowage.cli.text.ConsoleCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** {@code stowage openstack}: an OpenStack cloud. */
@Command(
        name = "openstack",
        description =
                "Advise what to do with the servers (VMs) of an OpenStack cloud, move them, or decide where new ones go"
                        + " (docs/openstack.md).",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        subcommands = {
            OpenStackAdviseCommand.class,
            OpenStackConsolidateCommand.class,
            OpenStackServeCommand.class,
            OpenStackSubmitCommand.class
        })
public final class OpenStackCommand extends ConsoleCommand implements Runnable {
    @Override
    public void run() {
        throw new ParameterException(
                spec().commandLine(),
                "a command is missing; 'stowage openstack advise' only reads, 'stowage openstack consolidate' empties"
                        + " hosts, 'stowage openstack serve' decides where Nova puts servers, 'stowage openstack"
                        + " submit' creates them when there is room");
    }
}
