package dev.stowage.cli.newpolicy;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage new policy}: creates a project for a new policy. */
@Command(
        name = "policy",
        description = "Make a project for a policy of your own: the class, its test against the laws, and a README that"
                + " says how policies are called and how to run it.",
        footer = {"", "Example:", "  stowage new policy emptiest-first --package org.example.scheduling"})
public final class NewPolicyCommand extends ConsoleCommand implements Runnable {
    @Parameters(paramLabel = "NAME", description = "Key of the policy: lower-case words with dashes.")
    private String name = "";

    @Option(names = "--package", paramLabel = "PACKAGE", description = "Java package (default: com.example.NAME).")
    private @Nullable String javaPackage;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Directory of the project; it must not exist (default: NAME).")
    private @Nullable Path directory;

    @Override
    public void run() {
        PolicyProject project = PolicyProject.of(name, javaPackage);
        Path made = directory == null ? Path.of(name) : directory;
        project.write(made);
        Console console = console();
        console.out().println(made);
        console.note("The policy is in " + made.resolve(project.policyFile()) + "; " + made.resolve("README.md")
                + " shows the next steps.");
    }
}
