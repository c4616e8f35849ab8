package dev.stowage.cli.trace;

import dev.stowage.cli.answer.FormatOption;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.Data;
import dev.stowage.core.model.Spelling;
import dev.stowage.sim.trace.ServerFormats;
import dev.stowage.sim.trace.TableFormat;
import dev.stowage.sim.trace.TraceFormats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stowage trace formats}: lists the formats. */
@Command(
        name = "formats",
        description = "List the formats of traces and server lists, or show the columns and settings of one.",
        footer = {"", "Example:", "  stowage trace formats google2011"})
final class TraceFormatsCommand extends ConsoleCommand implements Runnable {
    @Parameters(arity = "0..1", paramLabel = "KEY", description = "One format.")
    private @Nullable String key;

    @Mixin
    private FormatOption format = new FormatOption();

    @Override
    public void run() {
        List<TableFormat> shown = key == null ? all().toList() : List.of(find(key));
        console()
                .out()
                .print(
                        switch (format.format()) {
                            case JSON ->
                                Data.json(
                                        key == null
                                                ? shown.stream()
                                                        .map(TraceFormatsCommand::data)
                                                        .toList()
                                                : data(shown.get(0)));
                            case CSV -> csv(shown);
                            case TABLE -> key == null ? table() : details(shown.get(0));
                        });
    }

    private static Stream<TableFormat> all() {
        return Stream.concat(TraceFormats.all().stream(), ServerFormats.all().stream());
    }

    private static TableFormat find(String key) {
        return all().filter(format -> format.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new BadInputException("unknown format '" + key + "'; known: "
                        + Spelling.choice(
                                key, all().map(TableFormat::key).distinct().toList())));
    }

    private String table() {
        return "Traces\n" + table(TraceFormats.all()) + "\nServer lists\n" + table(ServerFormats.all());
    }

    private String table(List<? extends TableFormat> formats) {
        Columns columns = new Columns("format", "what it is");
        formats.forEach(format -> columns.row(format.key(), format.title()));
        return columns.text(console().style());
    }

    private String details(TableFormat format) {
        Columns columns = new Columns("column", "needed", "meaning");
        format.columns().forEach(c -> columns.row(c.name(), c.required() ? "yes" : "no", c.meaning()));
        String text = console().wrapped("", format.key() + ": " + format.title())
                + "\n"
                + console().wrapped("source:        ", format.source())
                + console().wrapped("recognized by: ", format.recognisedBy())
                + "\n"
                + columns.text(console().style());
        if (!format.settings().isEmpty()) {
            Columns settings = new Columns("setting", "default", "meaning");
            format.settings().forEach(s -> settings.row(s.name(), s.defaultValue(), s.meaning()));
            text += "\n" + settings.text(console().style());
        }
        return text;
    }

    private static Map<String, Object> data(TableFormat format) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("key", format.key());
        data.put("title", format.title());
        data.put("source", format.source());
        data.put("recognisedBy", format.recognisedBy());
        data.put("columns", format.columns());
        data.put("settings", format.settings());
        return data;
    }

    private static String csv(List<TableFormat> formats) {
        Data.Csv csv = new Data.Csv("format", "title", "column", "required", "meaning");
        for (TableFormat format : formats) {
            format.columns()
                    .forEach(c -> csv.row(
                            format.key(), format.title(), c.name(), Boolean.toString(c.required()), c.meaning()));
        }
        return csv.text();
    }
}
