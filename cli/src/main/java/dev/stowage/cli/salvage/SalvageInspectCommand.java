package dev.stowage.cli.salvage;

import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.Failures;
import dev.stowage.policies.Policies;
import dev.stowage.service.directory.Salvage;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code stowage salvage inspect}: shows the content of a directory, and what can be done. */
@Command(
        name = "inspect",
        description = "Show what snapshots and log contain, how far the state can be rebuilt, and what you can do.",
        footer = {"", "Exit codes: 0 the node can start as it is, 1 it cannot, 2 no such directory."})
public final class SalvageInspectCommand extends PolicyCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "DATA",
            description = "The data directory of a node, or a directory that contains exactly one.")
    private Path data = Path.of("");

    @Override
    public Integer call() {
        Salvage.Found found = NodeDirectory.done(() -> NodeDirectory.of(data).inspect(new Policies()));
        PrintWriter out = console().out();
        out.println("directory   " + found.data());
        out.println("snapshots   "
                + (!found.snapshots().isEmpty()
                        ? "at " + found.snapshots()
                        : found.damagedSnapshots().isEmpty() ? "none yet" : "none is complete"));
        found.damagedSnapshots().forEach(damage -> out.println("            " + damage));
        out.println("log         "
                + (found.first() < 0 ? "no entry" : "positions " + found.first() + " to " + found.last()));
        if (found.damage() != null) {
            out.println("            " + found.damage());
        }
        out.println("applied     "
                + (found.applied() < 0
                        ? "not recorded; a node records it when it serves"
                        : "up to " + found.applied()));
        out.println("state       can be rebuilt up to " + found.good());
        if (found.poison() != null) {
            out.println("            " + found.poison());
        }
        advise(found, out);
        return found.whole() ? 0 : Failures.FAILED;
    }

    private static void advise(Salvage.Found found, PrintWriter out) {
        if (found.whole()) {
            out.println("The node can go on as it is.");
            return;
        }
        if (found.poison() != null) {
            out.println("To skip the entry, do this on every node of the group before you start any of them:");
            out.println("  stowage salvage skip " + found.data() + " --entry " + (found.good() + 1)
                    + " --operator NAME --why TEXT");
        }
        if (found.lost() != null && found.poison() == null && found.good() >= found.applied()) {
            out.println(
                    "Everything that this node is known to have applied is present. It may have acknowledged more after"
                            + " that, so it is treated as a node");
            out.println("that has lost entries: it waits for those of the others. If this holds for most nodes of the"
                    + " group, the group stops until you make a new one as below.");
        }
        out.println("If another node of the group is complete, start this one as well: it fetches what it lacks.");
        out.println("If none is complete, begin a new service with the state at log position " + found.good() + ":");
        out.println("  stowage restore " + found.data() + " --data NEW --incomplete");
    }
}
