package dev.stowage.cli.run;

import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.report.ReportWriter;
import dev.stowage.report.Results;
import dev.stowage.report.ResultsReader;
import dev.stowage.report.SizeAnswer;
import dev.stowage.report.SummaryTable;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.result.ResultCsv;
import dev.stowage.sim.trace.LoadReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Shows the content of a results directory. */
public final class ResultsDisplay {
    private final Path directory;
    private final Console console;

    public ResultsDisplay(Path directory, Console console) {
        this.directory = directory;
        this.console = console;
    }

    /** Writes the report if asked to, and the summary to standard output. */
    public void show(OutputFormat format, boolean wide, boolean report) {
        try {
            show(ResultsReader.read(directory), format, wide, report);
        } catch (OutOfMemoryError e) {
            // All rows are in memory for a table; those of a very large experiment need more than the default heap.
            throw new CallFailedException(
                    directory + ": the rows are complete, but this JVM ("
                            + (Runtime.getRuntime().maxMemory() >> 20)
                            + " MiB) has too little memory for such a large table. To raise it:"
                            + " STOWAGE_JAVA_OPTS=-Xmx16g ./stowage report "
                            + directory,
                    e);
        }
    }

    private void show(Results results, OutputFormat format, boolean wide, boolean report) {
        List<Remark> warnings = results.warnings();
        results.notes().forEach(console::note);
        SummaryTable table = SummaryTable.of(results);
        List<Remark> lead = format == OutputFormat.TABLE ? LoadReport.lead(warnings) : List.of();
        lead.forEach(each -> console.out().print(wrapped(each.toString())));
        console.out().print(lead.isEmpty() ? "" : "\n");
        String answer = SizeAnswer.of(results);
        if (format == OutputFormat.TABLE && !answer.isEmpty()) {
            console.out().print(wrapped(answer) + "\n");
        }
        console.out()
                .print(
                        switch (format) {
                            case TABLE ->
                                (wide ? table.wide(console.style()) : shortly(table))
                                        + console.warnings(LoadReport.below(warnings));
                            case JSON -> Data.json(table.json(), warnings);
                            case CSV -> table.csv();
                        });
        console.out().flush();
        if (report) {
            Path html = ReportWriter.write(results, directory);
            tell(format, "Report: " + html);
        }
    }

    private String shortly(SummaryTable table) {
        List<String> remarks = table.remarks();
        return table.text(console.style())
                + (remarks.isEmpty()
                        ? ""
                        : "\n" + remarks.stream().map(this::wrapped).collect(Collectors.joining()));
    }

    private String wrapped(String text) {
        return console.wrapped("", console.style().unicode() ? text : text.replace("±", "+-"));
    }

    /** Writes all rows as CSV, a table for each kind. */
    public void writeTables() {
        ResultCsv csv = new ResultCsv(ResultsReader.read(directory).rows());
        Path tables = directory.resolve("tables");
        try {
            Files.createDirectories(tables);
            write(tables.resolve("runs.csv"), csv::runs);
            write(tables.resolve("summaries.csv"), csv::summaries);
            write(tables.resolve("series.csv"), csv::series);
            write(tables.resolve("distributions.csv"), csv::distributions);
        } catch (IOException e) {
            throw new UncheckedIOException(tables + ": cannot be written: " + e.getMessage(), e);
        }
        console.note("Tables: " + tables);
    }

    /** Writes every figure as SVG and PNG. */
    public void writePictures() {
        console.note("Pictures: " + ReportWriter.writePictures(ResultsReader.read(directory), directory));
    }

    private interface TableSource {
        void writeTo(Writer out) throws IOException;
    }

    private static void write(Path file, TableSource table) throws IOException {
        try (Writer out = Files.newBufferedWriter(file)) {
            table.writeTo(out);
        }
    }

    /** Paths are for people; programs that read standard output get only data. */
    private void tell(OutputFormat format, String text) {
        if (format == OutputFormat.TABLE) {
            console.out().println();
            console.out().println(text);
            console.out().flush();
        } else {
            console.note(text);
        }
    }
}
