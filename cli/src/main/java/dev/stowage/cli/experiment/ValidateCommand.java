package dev.stowage.cli.experiment;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Failures;
import dev.stowage.cli.text.PluginOptions;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage validate}: all mistakes of experiments, without running anything. */
@Command(
        name = "validate",
        description = "Check experiments: every mistake with its place, the value and what is allowed. Runs nothing.",
        footer = {"", "Example:", "  stowage validate experiments/*.yaml"})
public final class ValidateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    // Used by picocli.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Parameters(
            arity = "1..*",
            paramLabel = "EXPERIMENT",
            completionCandidates = ExperimentNames.class,
            description = "YAML files, or names of built-in experiments.")
    private List<String> experiments;

    @Option(names = "--set", paramLabel = "PATH=VALUE", description = "Set any value first. Repeatable.")
    private List<String> set = List.of();

    @Override
    public Integer call() {
        return new Validation(Console.of(spec)).validate(experiments, set) ? 0 : Failures.BAD_INPUT;
    }
}
