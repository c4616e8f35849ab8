package dev.stowage.study.reproduce;

import java.util.List;
import java.util.Optional;

/** The papers whose figures can be reproduced. */
public final class Papers {
    /** All of them, in the order of the documentation. */
    public static final List<Paper> ALL = List.of(
            RandomizedPaper.PAPER, BestFitPaper.PAPER, ShadowPaper.PAPER, ReservationPaper.PAPER, ParallelPaper.PAPER);

    private Papers() {}

    /** The paper of this name. */
    public static Optional<Paper> find(String key) {
        return ALL.stream().filter(paper -> paper.key().equals(key)).findFirst();
    }
}
