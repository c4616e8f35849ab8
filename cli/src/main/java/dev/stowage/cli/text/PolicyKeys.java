package dev.stowage.cli.text;

import dev.stowage.policies.Policies;
import java.util.Iterator;

/** The policies there are, for completion in the shell. */
public final class PolicyKeys implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
        return new Policies().names().iterator();
    }
}
