package dev.stowage.cli.experiment;

import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.ExperimentTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Carries out {@code stowage experiments}. */
final class ExperimentList {
    private final Console console;

    ExperimentList(Console console) {
        this.console = console;
    }

    void show(@Nullable String folder, @Nullable String label, OutputFormat format) {
        LabelledExperiments experiments = LabelledExperiments.in(folder);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (ExperimentSource each : label == null ? experiments.all() : experiments.with(label)) {
            try {
                rows.add(row(each));
            } catch (ExperimentException e) {
                console.note("left out, no experiment: " + e.getMessage());
            }
        }
        console.out()
                .print(
                        switch (format) {
                            case TABLE -> table(rows);
                            case JSON -> Data.json(rows);
                            case CSV -> csv(rows);
                        });
        console.out().flush();
    }

    private static Map<String, Object> row(ExperimentSource experiment) {
        ExperimentTree tree = experiment.tree();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("experiment", experiment.name());
        row.put("labels", tree.labels());
        row.put("traces", tree.traces());
        row.put("title", tree.text("title"));
        return row;
    }

    private String table(List<Map<String, Object>> rows) {
        Columns columns = new Columns("experiment", "labels", "needs", "title");
        rows.forEach(row -> columns.row(cells(row)));
        return columns.text(console.style());
    }

    private static String csv(List<Map<String, Object>> rows) {
        Data.Csv csv = new Data.Csv("experiment", "labels", "traces", "title");
        rows.forEach(row -> csv.row(cells(row)));
        return csv.text();
    }

    private static String[] cells(Map<String, Object> row) {
        return row.values().stream()
                .map(value -> value instanceof List<?> list
                        ? String.join(" ", list.stream().map(String::valueOf).toList())
                        : String.valueOf(value))
                .toArray(String[]::new);
    }
}
