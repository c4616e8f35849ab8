package dev.stowage.cli.policies;

import dev.stowage.cli.text.ConsoleCommand;
import picocli.CommandLine.Mixin;

/** A command that uses policies, also those of {@code --plugins}, which picocli opens before it runs. */
public abstract class PolicyCommand extends ConsoleCommand {
    @Mixin
    private PluginOptions plugins = new PluginOptions();

    /** Jars with more policies. */
    public final PluginOptions plugins() {
        return plugins;
    }
}
