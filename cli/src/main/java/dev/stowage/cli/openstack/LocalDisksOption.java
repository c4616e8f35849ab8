package dev.stowage.cli.openstack;

import picocli.CommandLine.Option;

/** Whether servers with a disk on their host may be moved. */
final class LocalDisksOption {
    @Option(
            names = "--keep-local-disks",
            description = "Do not move servers with a disk on their host: the disk would be copied over the network.")
    private boolean keep;

    boolean keep() {
        return keep;
    }
}
