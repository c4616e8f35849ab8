package dev.stowage.report;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Writes the report of a results directory into that directory. */
public final class ReportWriter {
    /** The HTML file. */
    public static final String HTML = "report.html";
    /** The summary as CSV. */
    public static final String CSV = "summary.csv";
    /** The directory of the figures. */
    public static final String PLOTS = "plots";

    private ReportWriter() {}

    /**
     * Writes the report of results that have been read.
     *
     * @param directory where to; must exist
     * @return the HTML file
     * @throws UncheckedIOException if a file cannot be written; the message names it
     */
    public static Path write(Results results, Path directory) {
        write(directory.resolve(CSV), SummaryTable.of(results).csv());
        Path html = directory.resolve(HTML);
        write(html, HtmlReport.of(results, ReportFigures.of(results)));
        return html;
    }

    /**
     * Writes every figure of the report as {@code plots/*.svg} and {@code plots/*.png}: drawing them takes longer than
     * all else of a report, so it does not belong to every one.
     *
     * @return the directory of the pictures
     * @throws IllegalStateException if this Java runtime has no fonts to draw with
     * @throws UncheckedIOException if a file cannot be written; the message names it
     */
    public static Path writePictures(Results results, Path directory) {
        String problem = FigureRenderer.problem();
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
        Path plots = directory.resolve(PLOTS);
        for (Section section : ReportFigures.of(results)) {
            section.figures().forEach(figure -> writePicture(figure, plots));
        }
        return plots;
    }

    /** Writes {@code name.svg} and {@code name.png} into the directory, which is created if it is missing. */
    static void writePicture(Figure figure, Path directory) {
        SafeFiles.createDirectory(directory);
        write(directory.resolve(figure.name() + ".svg"), FigureRenderer.file(FigureRenderer.svg(figure)));
        SafeFiles.write(directory.resolve(figure.name() + ".png"), FigureRenderer.png(figure));
    }

    private static void write(Path file, String text) {
        SafeFiles.write(file, text.getBytes(StandardCharsets.UTF_8));
    }
}
