package dev.stowage.study.reproduce;

import dev.stowage.report.Picture;
import dev.stowage.report.ReportWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page of a paper: the verdicts in a table, then a section per figure. */
public final class ReproductionPage {
    private static final String PICTURES = "pictures";

    private ReproductionPage() {}

    /**
     * Writes the page and its pictures.
     *
     * @param figures of one paper
     * @param skipped why other figures of it were not run, by key, with what to do about it
     * @param directory where {@code PAPER.md} and the folder {@code pictures} go; made if it is not there
     * @return the page
     */
    public static Path write(List<ReproducedFigure> figures, Map<String, String> skipped, Path directory)
            throws IOException {
        Paper paper = figures.get(0).paper();
        Path pictures = Files.createDirectories(directory.resolve(PICTURES));
        for (ReproducedFigure figure : figures) {
            for (Picture picture : figure.pictures()) {
                Files.writeString(pictures.resolve(picture.name() + ".svg"), picture.svg());
            }
        }
        return Files.writeString(directory.resolve(paper.key() + ".md"), text(paper, figures, skipped));
    }

    private static String text(Paper paper, List<ReproducedFigure> figures, Map<String, String> skipped) {
        StringBuilder out = new StringBuilder();
        out.append("# ").append(paper.citation()).append("\n\n");
        out.append("Written by `./stowage reproduce ")
                .append(paper.key())
                .append(figures.get(0).option())
                .append("`; do not edit. That command writes all metrics, too: `EXPERIMENT/")
                .append(ReportWriter.CSV)
                .append("`.\n\n");
        out.append("| figure | claim | verdict |\n|---|---|---|\n");
        Map<String, ReproducedFigure> there = new LinkedHashMap<>();
        figures.forEach(each -> there.put(each.figure().key(), each));
        for (PaperFigure figure : paper.figures()) {
            ReproducedFigure its = there.get(figure.key());
            out.append("| ")
                    .append(figure.key())
                    .append(" | ")
                    .append(figure.claim())
                    .append(" | ")
                    .append(
                            its != null
                                    ? its.finding().verdict()
                                    : skipped.getOrDefault(
                                            figure.key(),
                                            "not run: `./stowage reproduce " + paper.key() + " " + figure.key() + "`"))
                    .append(" |\n");
        }
        Map<String, String> tables = new LinkedHashMap<>();
        for (ReproducedFigure each : figures) {
            out.append('\n').append(each.section(PICTURES, tables));
            each.figure()
                    .experiments()
                    .forEach(name -> tables.putIfAbsent(name, each.figure().key()));
        }
        return out.toString();
    }
}
