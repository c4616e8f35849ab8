package dev.stowage.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import de.siegmar.fastcsv.reader.CsvReader;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Data;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Lists of a YAML or JSON file as rows of tables: an entry is a row, a key a column. A list is written with {@code ;}
 * between its parts, {@code labels: {zone: a}} is a column {@code label:zone}, and an amount that is left out is 0.
 */
public final class YamlRows {
    private static final String LABELS = "labels";

    private final Path file;
    private final JsonNode root;

    private YamlRows(Path file, JsonNode root) {
        this.file = file;
        this.root = root;
    }

    /** Whether a file is YAML or JSON by its name. */
    public static boolean isYaml(Path file) {
        return file.toString().matches("(?i).*\\.(ya?ml|json)");
    }

    /**
     * Reads a file.
     *
     * @param keys the lists that it may have
     */
    public static YamlRows read(Path file, List<String> keys) {
        if (!Files.isRegularFile(file)) {
            throw new BadInputException(file + ": " + (Files.isDirectory(file) ? "is a directory" : "no such file")
                    + "; give a YAML or JSON file");
        }
        try {
            String expected = "a file with the lists " + String.join(" and ", keys);
            String text = Files.readString(file);
            JsonNode root = file.toString().toLowerCase(Locale.ROOT).endsWith(".json")
                    ? YamlFile.parseJson(file.toString(), text, expected)
                    : YamlFile.parse(file.toString(), text, expected);
            root.fieldNames().forEachRemaining(key -> {
                if (!keys.contains(key)) {
                    throw new BadInputException(file + ": unknown key '" + key + "'; lists are "
                            + String.join(", ", keys) + Suggestion.of(key, keys));
                }
            });
            return new YamlRows(file, root);
        } catch (ExperimentException e) {
            throw new BadInputException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new BadInputException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * The rows of one of its lists.
     *
     * @param what each row is, for messages
     * @param amounts whether a column has amounts
     * @param needed columns that there are, the first of them in every row
     */
    public NamedRows rows(String key, String what, Predicate<String> amounts, String... needed) {
        JsonNode list = root.path(key);
        if (!list.isArray() || list.isEmpty()) {
            throw new BadInputException(file + ": " + key + " must be a list with an entry per " + what);
        }
        List<Map<String, String>> rows = new ArrayList<>();
        Set<String> columns = new LinkedHashSet<>(List.of(needed));
        for (JsonNode entry : list) {
            String place = file + ", " + key + ", entry " + (rows.size() + 1) + ": ";
            if (!entry.isObject()) {
                throw new BadInputException(place + "must be a group of keys, as in {name: a}");
            }
            Map<String, String> row = row(entry, place);
            if (row.getOrDefault(needed[0], "").isBlank()) {
                throw new BadInputException(place + needed[0] + " is missing");
            }
            rows.add(row);
            columns.addAll(row.keySet());
        }
        Data.Csv csv = new Data.Csv(columns.toArray(String[]::new));
        for (Map<String, String> row : rows) {
            csv.row(columns.stream()
                    .map(column -> row.getOrDefault(column, amounts.test(column) ? "0" : ""))
                    .toArray(String[]::new));
        }
        return NamedRows.of(
                file,
                ", " + key + ", entry ",
                -1,
                CsvReader.builder().ofNamedCsvRecord(csv.text()).stream().toList());
    }

    private static Map<String, String> row(JsonNode entry, String place) {
        Map<String, String> row = new LinkedHashMap<>();
        entry.properties().forEach(field -> {
            JsonNode value = field.getValue();
            if (field.getKey().equals(LABELS) && value.isObject()) {
                value.properties()
                        .forEach(label -> row.put("label:" + label.getKey(), text(label.getValue(), place + LABELS)));
            } else if (value.isArray()) {
                List<String> parts = new ArrayList<>();
                value.forEach(part -> parts.add(text(part, place + field.getKey())));
                row.put(field.getKey(), String.join(";", parts));
            } else {
                row.put(field.getKey(), text(value, place + field.getKey()));
            }
        });
        return row;
    }

    private static String text(JsonNode value, String place) {
        if (value.isNull()) {
            return "";
        }
        if (value.isContainerNode() || value.asText().contains("\n")) {
            throw new BadInputException(place + " must be a number or a text of one line, or a list of them");
        }
        return value.asText();
    }
}
