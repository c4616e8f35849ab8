package dev.stowage.cli.experiment;

import dev.stowage.cli.answer.FormatOption;
import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Data;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.ExperimentTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage experiments}: lists the experiments. */
@Command(
        name = "experiments",
        description = "List experiments with their labels: the built-in ones, or those of a directory.",
        footer = {"", "Example:", "  stowage experiments --label quick"})
public final class ExperimentsCommand extends PolicyCommand implements Runnable {
    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description = "A directory with YAML files, and its subdirectories.")
    private @Nullable String folder;

    @Option(names = "--label", paramLabel = "LABEL", description = "Only those with this label.")
    private @Nullable String label;

    @Mixin
    private FormatOption format = new FormatOption();

    @Override
    public void run() {
        LabelledExperiments experiments = LabelledExperiments.in(folder);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (ExperimentSource each : label == null ? experiments.all() : experiments.with(label)) {
            try {
                rows.add(row(each));
            } catch (ExperimentException e) {
                console().warn("skipped, not an experiment: " + e.getMessage());
            }
        }
        console()
                .out()
                .print(
                        switch (format.format()) {
                            case TABLE -> table(rows);
                            case JSON -> Data.json(rows);
                            case CSV -> csv(rows);
                        });
        if (rows.isEmpty()) {
            console().note("stowage: no experiment (a YAML file) in " + folder);
        }
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
        Columns columns = new Columns("experiment", "labels", "title");
        rows.forEach(row -> {
            String[] cells = cells(row);
            String needs = cells[2].isEmpty() ? "" : " (needs " + cells[2] + ")";
            columns.row(cells[0], cells[1], cells[3] + needs);
        });
        return columns.text(console().style());
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
