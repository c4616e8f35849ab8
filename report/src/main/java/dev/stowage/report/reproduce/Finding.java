package dev.stowage.report.reproduce;

import java.util.List;

/**
 * A verdict and what it rests on.
 *
 * @param evidence one sentence each, with numbers
 */
public record Finding(Verdict verdict, List<String> evidence) {
    /** Copies the list. */
    public Finding {
        evidence = List.copyOf(evidence);
    }
}
