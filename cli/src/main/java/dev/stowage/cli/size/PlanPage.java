package dev.stowage.cli.size;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Version;
import dev.stowage.report.Picture;
import dev.stowage.report.SizePage;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The answer for an inventory, or for the years to come, as a page: sentences, tables and a picture. */
final class PlanPage {
    private final Experiment point;
    private final SizeQuestion question;
    private final SizeSettings settings;
    private final List<SizePage.Part> tables = new ArrayList<>();
    private final List<Picture.Curve> curves = new ArrayList<>();

    PlanPage(Experiment point, SizeQuestion question, SizeSettings settings) {
        this.point = point;
        this.question = question;
        this.settings = settings;
    }

    /** Adds a table, which is returned as text for the console too. */
    Columns table(String title, String text, List<String> columns, List<List<String>> rows) {
        tables.add(new SizePage.Part(title, text, columns, rows));
        Columns plain = new Columns(columns.toArray(String[]::new));
        rows.forEach(row -> plain.row(row.toArray(String[]::new)));
        return plain;
    }

    /** Adds a line to the picture. */
    void line(String name, List<Double> at, List<Double> values, boolean dashed) {
        curves.add(new Picture.Curve(
                name,
                at.stream().mapToDouble(Double::doubleValue).toArray(),
                values.stream().mapToDouble(Double::doubleValue).toArray(),
                null,
                null,
                dashed));
    }

    /** Writes it with a picture over years. */
    void writeByYear(String answer, String yTitle, List<String> warnings, Console console) {
        write(
                answer,
                yTitle + " by year",
                "The answer in each year, and below which no policy can do it.",
                "years from now",
                yTitle,
                warnings,
                console);
    }

    /** Writes it where the options say so. */
    void write(
            String answer,
            String title,
            String caption,
            String xTitle,
            String yTitle,
            List<String> warnings,
            Console console) {
        String file = settings.report();
        if (file == null) {
            return;
        }
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Target", question.phrase());
        if (!warnings.isEmpty()) {
            facts.put("Reading", String.join("; ", warnings));
        }
        facts.put("Stowage", Version.number());
        facts.put("Again", SizeReport.again(settings.command()));
        SizePage page = new SizePage(
                "Which servers: " + point.name(),
                answer,
                List.of("Servers needed for " + question.phrase() + "."),
                tables,
                curves.isEmpty() ? List.of() : List.of(new SizePage.Chart(title, caption, xTitle, yTitle, curves)),
                List.of(),
                facts);
        try {
            Files.writeString(Path.of(file), page.html());
        } catch (IOException e) {
            throw new BadInputException(file + ": cannot be written: " + e.getMessage(), e);
        }
        console.note("stowage: wrote " + file);
    }
}
