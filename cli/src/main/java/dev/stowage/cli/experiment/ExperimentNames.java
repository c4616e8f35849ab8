package dev.stowage.cli.experiment;

import java.util.Iterator;

/** The built-in experiments, for completion in the shell. */
public final class ExperimentNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
        return BuiltInExperiments.all().iterator();
    }
}
