package dev.stowage.study.reproduce;

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

    /**
     * The finding on a claim.
     *
     * @param whole whether all of it holds, sizes included
     * @param direction whether its order holds, or it holds in part of the range
     */
    static Finding of(Truth whole, Truth direction, List<String> evidence) {
        return new Finding(Verdict.of(whole, direction), evidence);
    }
}
