package dev.stowage.study.reproduce;

import java.util.List;
import java.util.Optional;

/**
 * A paper whose figures can be reproduced.
 *
 * @param key name on the command line
 * @param citation authors, title, where
 */
public record Paper(String key, String citation, List<PaperFigure> figures) {
    /** Copies the list. */
    public Paper {
        figures = List.copyOf(figures);
    }

    /** The figure of this name. */
    public Optional<PaperFigure> figure(String name) {
        return figures.stream().filter(figure -> figure.key().equals(name)).findFirst();
    }
}
