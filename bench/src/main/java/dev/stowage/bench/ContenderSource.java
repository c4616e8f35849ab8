package dev.stowage.bench;

import java.util.List;

/** Contenders that need more than this project's own classes; found by {@link java.util.ServiceLoader}. */
public interface ContenderSource {
    List<Contender> contenders();
}
