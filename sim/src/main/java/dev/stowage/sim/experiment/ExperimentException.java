package dev.stowage.sim.experiment;

import java.util.List;
import java.util.stream.Collectors;

/** An experiment (or another YAML file) cannot be used; carries all its mistakes, not only the first. */
public final class ExperimentException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    /** With the name of the file (or resource) and its mistakes. */
    public ExperimentException(String source, List<Problem> problems) {
        super(source + ": " + (problems.size() == 1 ? "1 mistake" : problems.size() + " mistakes")
                + problems.stream().map(problem -> "\n  " + problem.withLine()).collect(Collectors.joining()));
        this.problems = List.copyOf(problems);
    }

    /** The same of a text that the user wrote: each mistake with the line where its value, or its key, stands. */
    public ExperimentException(String source, String text, List<Problem> problems) {
        this(source, YamlFile.onLines(text, problems));
    }

    /** All mistakes, in order of discovery. */
    public List<Problem> problems() {
        return problems;
    }
}
