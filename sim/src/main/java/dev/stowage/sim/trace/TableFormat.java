package dev.stowage.sim.trace;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A documented way to write requests or servers into rows. Formats are listed in {@link TraceFormats} and
 * {@link ServerFormats}; one class per format.
 */
public abstract class TableFormat {
    private final String key;
    private final String title;
    private final String source;
    private final List<Column> columns;
    private final List<FormatSetting> settings;

    TableFormat(String key, String title, String source, List<Column> columns, List<FormatSetting> settings) {
        this.key = key;
        this.title = title;
        this.source = source;
        this.columns = List.copyOf(columns);
        this.settings = List.copyOf(settings);
    }

    /**
     * A column of the source.
     *
     * @param name name, as published
     * @param meaning what it means, with its unit, and how it is used
     * @param required whether the source must have it
     */
    public record Column(String name, String meaning, boolean required) {}

    /** A setting of a format: its name, its default, and its meaning with the allowed values. */
    public record FormatSetting(String name, String defaultValue, String meaning) {}

    /** What the format is called in commands and experiments. */
    public final String key() {
        return key;
    }

    /** What the format is, in a few words. */
    public final String title() {
        return title;
    }

    /** Where the data comes from, and what to cite. */
    public final String source() {
        return source;
    }

    /** The columns, in published order. */
    public final List<Column> columns() {
        return columns;
    }

    /** The settings. */
    public final List<FormatSetting> settings() {
        return settings;
    }

    /** How a file of this format is recognised: if no more is said, by the columns that it must have. */
    public String recognisedBy() {
        return "columns " + String.join(", ", must()).replaceFirst(", (?=[^,]*$)", " and ");
    }

    boolean recognises(FileHead head) {
        return head.names(must().toArray(String[]::new));
    }

    private List<String> must() {
        return columns.stream().filter(Column::required).map(Column::name).toList();
    }

    /** Whether text files begin with a line of column names. */
    boolean hasHeader() {
        return true;
    }

    /** Columns that are found by other names too, so that a name like theirs is not a misspelling. */
    List<String> guessed() {
        return List.of();
    }

    /** Opens the rows of the source. */
    Rows open(Source source, Settings chosen) {
        return switch (source.kind()) {
            case TEXT ->
                new CsvRows(
                        source.files(),
                        hasHeader() ? List.of() : names(),
                        ',',
                        hasHeader() ? source.head().before() : 0,
                        StandardCharsets.UTF_8);
            case PARQUET -> JdbcRows.parquet(source.files());
            case DOCUMENT -> source.documentRows();
            case SQLITE ->
                throw TraceException.of(
                        source.files().get(0), "is an SQLite database; format '" + key + "' is CSV or Parquet");
        };
    }

    final List<String> names() {
        return columns.stream().map(Column::name).toList();
    }

    static Column required(String name, String meaning) {
        return new Column(name, meaning, true);
    }

    static Column optional(String name, String meaning) {
        return new Column(name, meaning, false);
    }
}
