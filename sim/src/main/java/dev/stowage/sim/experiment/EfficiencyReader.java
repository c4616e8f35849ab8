package dev.stowage.sim.experiment;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.stowage.core.model.Efficiency;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How efficient servers are for tasks: {@code equal}, {@code uniform}, or a CSV file with a row per type of task and a
 * column per class of servers, by the class names of the blocks of {@code cluster}.
 */
record EfficiencyReader(InputFiles inputs, YamlFields cluster) {
    private static final String TYPE = "type";

    /**
     * What was read.
     *
     * @param kinds types of tasks, by number of the kind from 1 on; empty without a table
     * @param parameters for a policy that needs the efficiencies
     */
    record Read(Efficiency efficiency, List<String> kinds, Map<String, String> parameters) {
        static final Read EQUAL = new Read(Efficiency.EQUAL, List.of(), Map.of("efficiency", "equal"));
        static final Read UNIFORM = new Read(Efficiency.UNIFORM, List.of(), Map.of("efficiency", "uniform"));
    }

    /** Whether a workload names a table of efficiencies; servers have classes only in that case. */
    static boolean isTable(YamlFields workload) {
        String text = workload.at("tasks").at("efficiency").text("")
                + workload.at("parallel-jobs").at("efficiency").text("");
        return !text.isEmpty() && !text.equals("equal") && !text.equals("uniform");
    }

    /** The efficiencies that a text names; equal ones if it could not be read (the problems say why). */
    Read read(YamlFields at, String otherwise) {
        String text = at.text(otherwise);
        if (text.equals("equal")) {
            return Read.EQUAL;
        }
        if (text.equals("uniform")) {
            return Read.UNIFORM;
        }
        Path file = inputs.find(text);
        if (!Files.isRegularFile(file)) {
            at.problem("'" + text + "' must be equal, uniform or a CSV file, and there is no such file: " + file);
            return Read.EQUAL;
        }
        try (CsvReader<NamedCsvRecord> csv =
                CsvReader.builder().detectBomHeader(true).ofNamedCsvRecord(file)) {
            Read table = table(at, text, csv.stream().toList());
            return table == null ? Read.EQUAL : table;
        } catch (IOException | UncheckedIOException | CsvParseException e) {
            at.problem("'" + text + "' cannot be read as CSV: " + e.getMessage());
            return Read.EQUAL;
        }
    }

    private @Nullable Read table(YamlFields at, String file, List<NamedCsvRecord> rows) {
        List<String> classes = new ArrayList<>();
        List<Integer> servers = new ArrayList<>();
        int before = at.problems();
        for (YamlFields block : blocks()) {
            if (!block.has(ClusterReader.CLASS)) {
                block.problem("has no class, and " + file
                        + " has efficiencies by class; e.g. {class: fast, count: 4, cpu: 16}");
            }
            classes.add(block.at(ClusterReader.CLASS).text(""));
            servers.add((int) block.at("count").whole(1, 0, 10_000_000));
        }
        if (classes.isEmpty()) {
            at.problem("'" + file
                    + "': efficiencies by class need cluster.servers or cluster.sites, whose blocks have a class");
        }
        if (at.problems() == before) {
            checkHeader(at, file, rows, new LinkedHashSet<>(classes));
        }
        if (at.problems() > before) {
            return null;
        }
        return table(at, file, rows, classes, servers);
    }

    private List<YamlFields> blocks() {
        List<YamlFields> blocks = new ArrayList<>(cluster.at("servers").elements());
        cluster.at("sites")
                .elements()
                .forEach(site -> blocks.addAll(site.at("servers").elements()));
        return blocks;
    }

    private static void checkHeader(YamlFields at, String file, List<NamedCsvRecord> rows, Set<String> classes) {
        if (rows.isEmpty()) {
            at.problem("'" + file + "' has no rows; it must have the columns type, " + String.join(", ", classes));
            return;
        }
        List<String> header = rows.get(0).getHeader();
        Set<String> known = new LinkedHashSet<>(classes);
        known.add(TYPE);
        for (String column : header) {
            if (!known.contains(column)) {
                at.problem("'" + file + "': column '" + column + "' is not a class of servers; "
                        + NearestName.among(column, known));
            }
        }
        known.removeAll(header);
        if (!known.isEmpty()) {
            at.problem("'" + file + "': there is no column " + String.join(", ", known));
        }
    }

    private static @Nullable Read table(
            YamlFields at, String file, List<NamedCsvRecord> rows, List<String> classes, List<Integer> servers) {
        List<String> kinds = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (NamedCsvRecord row : rows) {
            String where = "'" + file + "', line " + row.getStartingLineNumber() + ": ";
            String kind = row.findField(TYPE).orElse("");
            if (kind.isEmpty() || kinds.contains(kind)) {
                at.problem(where + "type '" + kind + "' is " + (kind.isEmpty() ? "empty" : "in another line, too"));
                return null;
            }
            kinds.add(kind);
            for (String name : classes) {
                String value = value(row.findField(name).orElse("").strip());
                if (value == null) {
                    at.problem(where + name + " '" + row.findField(name).orElse("")
                            + "' must be a number from 0.000001 to 1");
                    return null;
                }
                values.add(value);
            }
        }
        Efficiency efficiency = Efficiency.table(
                servers.stream().mapToInt(Integer::intValue).toArray(),
                values.stream().mapToDouble(Double::parseDouble).toArray());
        Map<String, String> parameters = new TreeMap<>();
        parameters.put("efficiency", String.join("/", values));
        parameters.put(
                "classes",
                String.join("/", servers.stream().map(String::valueOf).toList()));
        return new Read(efficiency, kinds, parameters);
    }

    /** The number in its canonical form, or null if it is not a number in the range. */
    private static @Nullable String value(String text) {
        try {
            BigDecimal value = new BigDecimal(text);
            boolean inRange = value.compareTo(new BigDecimal("0.000001")) >= 0 && value.compareTo(BigDecimal.ONE) <= 0;
            return inRange ? value.stripTrailingZeros().toPlainString() : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
