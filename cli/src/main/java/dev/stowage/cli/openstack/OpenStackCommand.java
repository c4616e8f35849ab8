package dev.stowage.cli.openstack;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
public final class OpenStackCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Say what to do; 'stowage openstack advise' reads only, 'stowage openstack consolidate' empties"
                        + " hosts, 'stowage openstack serve' decides where Nova puts servers, 'stowage openstack submit' creates"
                        + " them when there is room.");
    }
}
