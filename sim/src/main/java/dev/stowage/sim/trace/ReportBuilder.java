package dev.stowage.sim.trace;

import dev.stowage.sim.result.Remark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts rows while a source is read; stops at the first bad row if the reading is strict. */
final class ReportBuilder {
    private static final int KEPT_EXAMPLES = 5;
    private static final int SHOWN_VALUE = 60;

    private final boolean strict;
    private final Map<String, long[]> setAside = new LinkedHashMap<>();
    private final Map<String, BadRows> bad = new LinkedHashMap<>();
    private final Map<String, Double> rounding = new LinkedHashMap<>();
    private final List<Remark> notes = new ArrayList<>();
    private boolean more;
    private long rowsRead;

    ReportBuilder(boolean strict) {
        this.strict = strict;
    }

    private static final class BadRows {
        private long rows;
        private final List<LoadReport.ReportedRow> first = new ArrayList<>();
    }

    void rowRead() {
        rowsRead++;
    }

    /** Accounts for rows that a rule of the format leaves out. */
    void setAside(String reason, long rows, long items) {
        long[] counts = setAside.computeIfAbsent(reason, r -> new long[2]);
        counts[0] += rows;
        counts[1] += items;
    }

    /** How many rows were left out. */
    long rowsAside() {
        return setAside.values().stream().mapToLong(counts -> counts[0]).sum();
    }

    /** Accounts for a bad row. */
    void bad(Rows rows, BadRow problem) {
        String value = shorten(problem.value);
        if (strict) {
            String column = problem.column.isEmpty() ? "" : "column '" + problem.column + "': ";
            throw new TraceException(rows.file() + ":" + rows.line() + ": " + column + "'" + value + "' "
                    + problem.reason + "; allowed: " + problem.allowed);
        }
        String reason = (problem.column.isEmpty() ? "" : problem.column + " ") + problem.reason;
        BadRows kind = bad.computeIfAbsent(reason + "; allowed: " + problem.allowed, r -> new BadRows());
        kind.rows++;
        if (kind.first.size() < KEPT_EXAMPLES) {
            kind.first.add(new LoadReport.ReportedRow(rows.file(), rows.line(), problem.column, value));
        }
    }

    /** Whether there are more rows than those that were read. */
    void hasMore(boolean has) {
        more = has;
    }

    boolean hasMore() {
        return more;
    }

    /** Adds a note on how the source was read. */
    void note(String text) {
        note(Remark.plain(text));
    }

    void note(Remark note) {
        notes.add(note);
    }

    /** Adds what is to be said before all other notes. */
    void first(String text) {
        notes.add(0, Remark.plain(text));
    }

    /** Adds what must not be overlooked. */
    void warn(String text) {
        note(Remark.warning(text));
    }

    /** Adds which column means what, and the option that says so. */
    void columns(String words, String option, String value) {
        note(new Remark(Remark.Kind.COLUMNS, "read as: " + words));
        note(new Remark(Remark.Kind.OPTION, "as an option: " + option + " \"" + value + "\""));
    }

    /** Adds that a resource is not looked at. */
    void unseen(String resource, String rest) {
        note(new Remark(Remark.Kind.UNSEEN, "no column is recognized as the " + resource + rest));
    }

    void rounded(String column, double relativeError) {
        rounding.merge(column, relativeError, Math::max);
    }

    private static String shorten(String value) {
        return value.length() <= SHOWN_VALUE ? value : value.substring(0, SHOWN_VALUE) + "...";
    }

    LoadReport build(String format, List<String> files, long items, List<String> ignoredColumns) {
        List<LoadReport.SetAside> aside = new ArrayList<>();
        setAside.forEach((reason, n) -> aside.add(new LoadReport.SetAside(reason, n[0], n[1])));
        List<LoadReport.Bad> badKinds = new ArrayList<>();
        bad.forEach((reason, kind) -> badKinds.add(new LoadReport.Bad(reason, kind.rows, List.copyOf(kind.first))));
        List<LoadReport.Rounding> errors = new ArrayList<>();
        rounding.forEach((column, error) -> errors.add(new LoadReport.Rounding(column, error)));
        long used = rowsRead
                - aside.stream().mapToLong(LoadReport.SetAside::rows).sum()
                - badKinds.stream().mapToLong(LoadReport.Bad::rows).sum();
        return new LoadReport(
                format,
                List.copyOf(files),
                rowsRead,
                used,
                items,
                List.copyOf(aside),
                List.copyOf(badKinds),
                List.copyOf(ignoredColumns),
                List.copyOf(errors),
                List.copyOf(notes));
    }
}
