package dev.stowage.sim.trace;

import dev.stowage.core.model.Spelling;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Picks the format of a source and runs its mapping over all rows. */
final class TableReader<F extends TableFormat, M extends RowMapper> {
    private final List<F> formats;
    private final ReadOptions options;
    private final long mostRows;
    private final Documents.Purpose purpose;

    TableReader(List<F> formats, ReadOptions options, Documents.Purpose purpose) {
        this(formats, options, purpose, Long.MAX_VALUE);
    }

    /** A reader that stops after a number of rows. */
    TableReader(List<F> formats, ReadOptions options, Documents.Purpose purpose, long mostRows) {
        this.formats = formats;
        this.options = options;
        this.purpose = purpose;
        this.mostRows = mostRows;
    }

    interface MapperFactory<F, M> {
        M start(F format, Reading reading);
    }

    /** A finished mapping and its account. */
    record Result<M>(M mapper, LoadReport report) {}

    Result<M> read(List<Path> paths, MapperFactory<F, M> factory, ToLongFunction<M> items) {
        Source source = SourceFiles.find(paths, purpose, options.settings().get(OwnFormat.SHEET));
        F format = pick(source);
        Settings settings = new Settings(format, options.settings());
        ReportBuilder report = new ReportBuilder(options.strict());
        try (Rows rows = format.open(source, settings)) {
            Layout layout = Layout.of(rows.file(), rows.header(), format);
            M mapper =
                    factory.start(format, new Reading(layout, settings, report, () -> format.open(source, settings)));
            layout.refuseMisspelt(rows.file(), format);
            if (source.document() != null && !source.document().more().isEmpty()) {
                report.warn("the file has one page of a list: "
                        + source.document().more() + "; fetch the other pages, too");
            }
            if (rows instanceof CsvRows text) {
                text.oddities().forEach(report::note);
            }
            boolean own = format.key().equals(OwnFormat.KEY) && layout.columns().size() > 2;
            List<RowChoice> choices = choices(format, settings, layout);
            readAll(rows, new Fields(rows, layout, report), own, choices, mapper, report);
            List<String> names = source.files().stream().map(Path::toString).toList();
            LoadReport done = report.build(format.key(), names, items.applyAsLong(mapper), layout.unused());
            if (done.items() == 0) {
                throw nothingUsable(source, done, choices);
            }
            if (done.rowsBad() > options.mostBad() * done.rowsRead()) {
                throw TraceException.of(
                        source.files().get(0),
                        String.format(
                                Locale.ROOT,
                                "%.0f %% of the rows are bad, more than %.3g %%: fix %s.%n%s",
                                100.0 * done.rowsBad() / done.rowsRead(),
                                100 * options.mostBad(),
                                purpose == Documents.Purpose.SERVERS
                                        ? "or remove them"
                                        : "them, or allow more with --max-bad (max-bad in an experiment)",
                                String.join("\n", done.lines())));
            }
            return new Result<>(mapper, done);
        }
    }

    /** Reads the rows; of a table of one's own a line of one field is a remark. */
    private void readAll(
            Rows rows, Fields fields, boolean own, List<RowChoice> choices, RowMapper mapper, ReportBuilder report) {
        long row = 0;
        for (; row < mostRows && rows.next(); row++) {
            if (!areMet(choices, rows)) {
                continue;
            }
            report.rowRead();
            if (own && rows.fieldCount() == 1) {
                fields.setAside("a line of one field");
                continue;
            }
            try {
                fields.checkFieldCount();
                mapper.map(fields);
            } catch (BadRow problem) {
                report.bad(rows, problem);
            }
        }
        boolean more = row == mostRows && rows.next();
        report.hasMore(more);
        mapper.finish();
        if (more) {
            report.first(String.format(Locale.ROOT, "these are the first %,d rows; there are more", mostRows));
        }
    }

    private static boolean areMet(List<RowChoice> choices, Rows rows) {
        boolean met = true;
        for (int i = 0; i < choices.size(); i++) {
            met &= choices.get(i).has(rows);
        }
        return met;
    }

    private List<RowChoice> choices(F format, Settings settings, Layout layout) {
        if (!format.key().equals(OwnFormat.KEY)) {
            return List.of();
        }
        boolean servers = purpose == Documents.Purpose.SERVERS;
        return RowChoice.of(
                SaidColumns.of(
                        servers ? "--server-columns" : "--columns",
                        settings.get(OwnFormat.COLUMNS),
                        layout.columns(),
                        servers ? OwnHosts.meanings() : OwnColumns.MEANINGS,
                        servers ? "" : "a resource",
                        servers ? OwnHosts::readAs : OwnColumns::readAs),
                settings,
                layout);
    }

    private static TraceException nothingUsable(Source source, LoadReport report, List<RowChoice> choices) {
        String none = choices.stream()
                .filter(choice -> !choice.others().isEmpty())
                .map(RowChoice::whyNone)
                .collect(Collectors.joining("; "));
        return TraceException.of(
                source.files().get(0),
                report.rowsRead() == 0 && !none.isEmpty()
                        ? none
                        : report.rowsRead() == 0
                                ? "has no rows (format '" + report.format() + "')"
                                : "no row is usable. " + String.join("\n", report.lines()));
    }

    private F pick(Source source) {
        String wanted = options.format();
        for (F format : formats) {
            if (wanted == null ? format.recognises(source.head()) : format.key().equals(wanted)) {
                return format;
            }
        }
        if (wanted != null) {
            throw new TraceException("unknown format '" + wanted + "'; known: "
                    + Spelling.choice(
                            wanted, formats.stream().map(TableFormat::key).toList()));
        }
        List<String> columns = source.head().columns();
        String found = source.kind() == FileHead.Kind.SQLITE
                ? "an SQLite database"
                : "first line: " + String.join(",", columns)
                        + (String.join("", columns).startsWith("#")
                                ? "; lines of comments are not read: leave them out, as with grep -v '^#'"
                                : "");
        List<String> header = OwnColumns.header(source.head());
        throw TraceException.of(
                source.files().get(0),
                purpose == Documents.Purpose.SERVERS
                        ? "is not recognized as a list of servers (" + found + "): " + OwnHosts.whyNot(header)
                        : OwnHosts.only(header)
                                ? "is a list of servers. Give the list of what runs on them first (of RVTools the sheet"
                                        + " vInfo), and this one with --servers. If it is one of requests, name"
                                        + " the columns: --columns arrival=COLUMN,duration=COLUMN,cpu=COLUMN,mem=COLUMN:GiB"
                                : "the format is not recognized (" + found + "): " + whyNotOwn(header)
                                        + ". Published formats: stowage trace formats");
    }

    private static String whyNotOwn(List<String> header) {
        try {
            OwnColumns.of("", header);
            return "it can be read";
        } catch (TraceException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
