package dev.stowage.cli;

import dev.stowage.report.ReportWriter;
import dev.stowage.report.Results;
import dev.stowage.report.ResultsReader;
import dev.stowage.report.SummaryTable;
import java.nio.file.Path;

/** Shows what a results directory holds. */
final class Outcome {
    private final Path directory;
    private final Console console;

    Outcome(Path directory, Console console) {
        this.directory = directory;
        this.console = console;
    }

    /** Writes the report if asked to, and the summary to standard output. */
    void show(OutputFormat format, boolean report) {
        Results results = ResultsReader.read(directory);
        results.notes().forEach(console::note);
        SummaryTable table = SummaryTable.of(results);
        console.out()
                .print(
                        switch (format) {
                            case TABLE -> table.text(console.style());
                            case JSON -> table.json();
                            case CSV -> table.csv();
                        });
        console.out().flush();
        if (report) {
            Path html = ReportWriter.write(results, directory);
            tell(format, "Report: " + html);
        }
    }

    /** Paths are for people: a machine that reads standard output gets data alone. */
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
