package dev.stowage.bench;

import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.policies.parallel.PaperProblems;
import dev.stowage.policies.parallel.Planners;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Peak resident memory of a process that solves one relaxed program of 1,000 tasks on 1,024 servers, as reported by
 * Linux.
 */
public final class PlannerMemory {
    private static final Path STATUS = Path.of("/proc/self/status");

    private PlannerMemory() {}

    /** Prints it. */
    public static void main(String[] arguments) throws IOException {
        double bound = Planners.relax(PaperProblems.of(1000, 16).problem(1), LinearSolvers.best())
                .bound();
        String peak = Files.exists(STATUS)
                ? Files.readAllLines(STATUS).stream()
                        .filter(line -> line.startsWith("VmHWM:"))
                        .findFirst()
                        .orElse("")
                : "not reported by this system";
        System.out.println("\nRelaxed program, 1,000 tasks, 1,024 servers: bound " + bound
                + " s, peak resident memory of the process: " + peak.replaceAll("VmHWM:\\s*", ""));
    }
}
