package dev.stowage.cli.policies;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.PluginOptions;
import dev.stowage.cli.text.PolicyArgument;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage policies}: lists the policies. */
@Command(
        name = "policies",
        description = "List the policies; of one: its parameters, its paper and what is proven about it.",
        footer = {"", "Example:", "  stowage policies best-fit"})
public final class PoliciesCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    // Used by picocli.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "KEY",
            completionCandidates = PolicyArgument.PolicyKeys.class,
            description = "One policy.")
    private @Nullable String key;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private OutputFormat format = OutputFormat.TABLE;

    @Override
    public void run() {
        new PolicyList(Console.of(spec)).show(key, format);
    }
}
