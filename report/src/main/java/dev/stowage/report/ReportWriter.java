package dev.stowage.report;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
     * Reads {@code results.jsonl} and {@code experiment.yaml} and writes {@code summary.csv}, {@code plots/*.svg}
     * and, last, {@code report.html}. Existing files of these names are replaced, each in one step.
     *
     * @return the HTML file
     * @throws ResultsException if the results cannot be read
     * @throws UncheckedIOException if a file cannot be written; the message names it
     */
    public static Path write(Path resultsDirectory) {
        return write(ResultsReader.read(resultsDirectory), resultsDirectory);
    }

    /**
     * Writes the report of results that have been read.
     *
     * @param directory where to; must exist
     * @return the HTML file
     * @throws UncheckedIOException if a file cannot be written; the message names it
     */
    public static Path write(Results results, Path directory) {
        List<String> notes = new ArrayList<>(results.notes());
        String problem = FigureRenderer.problem();
        if (problem != null) {
            notes.add(problem);
        }
        List<Section> sections = problem == null ? ReportFigures.of(results) : List.of();
        write(directory.resolve(CSV), SummaryTable.of(results).csv());
        Path plots = directory.resolve(PLOTS);
        Map<String, String> drawn = new LinkedHashMap<>();
        for (Section section : sections) {
            for (Figure figure : section.figures()) {
                drawn.put(figure.name(), writeSvg(figure, plots));
            }
        }
        Path html = directory.resolve(HTML);
        write(html, HtmlReport.of(results, sections, drawn, notes));
        return html;
    }

    /**
     * Writes every figure of the report as {@code plots/*.png}: drawing them takes longer than all else of a report, so
     * it does not belong to every one.
     *
     * @return the directory of the pictures
     * @throws IllegalStateException if this Java runtime has no fonts to draw with
     * @throws UncheckedIOException if a file cannot be written; the message names it
     */
    public static Path writePngs(Results results, Path directory) {
        String problem = FigureRenderer.problem();
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
        Path plots = directory.resolve(PLOTS);
        for (Section section : ReportFigures.of(results)) {
            section.figures().forEach(figure -> writePng(figure, plots));
        }
        return plots;
    }

    /** Writes {@code name.svg} into the directory, which is created if it is missing; returns the SVG. */
    static String writeSvg(Figure figure, Path directory) {
        SafeFiles.createDirectory(directory);
        String svg = FigureRenderer.svg(figure);
        write(directory.resolve(figure.name() + ".svg"), FigureRenderer.file(svg));
        return svg;
    }

    /** Writes {@code name.png} into the directory, which is created if it is missing. */
    static void writePng(Figure figure, Path directory) {
        SafeFiles.createDirectory(directory);
        SafeFiles.write(directory.resolve(figure.name() + ".png"), FigureRenderer.png(figure));
    }

    private static void write(Path file, String text) {
        SafeFiles.write(file, text.getBytes(StandardCharsets.UTF_8));
    }
}
