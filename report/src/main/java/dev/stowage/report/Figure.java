package dev.stowage.report;

/** A picture as data, before it is drawn. {@link FigureRenderer} draws it. */
sealed interface Figure permits LineFigure, BarFigure, HeatFigure, MatrixFigure {

    /** File name without its ending: lower-case letters, digits and hyphens, unique within a report. */
    String name();

    /** Title inside the picture. */
    String title();

    /** One sentence below the picture: what to see, and what was left out. */
    String caption();
}
