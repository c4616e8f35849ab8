package dev.stowage.sim.trace;

import dev.stowage.sim.result.Remark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What happened to every row of a source: {@code rowsRead = rowsUsed + rows not counted + bad rows}, always.
 *
 * @param format key of the format
 * @param files files read, in order
 * @param rowsRead data rows (lines without header and comments)
 * @param rowsUsed rows that went into the result
 * @param items requests (or servers) in the result; more than rows where one row stands for several, fewer where
 *     several rows describe one
 * @param setAside good rows that the format's own rule leaves out, by reason
 * @param bad rows that could not be read, by reason
 * @param ignoredColumns columns of the source that were not used
 * @param rounding columns whose values were not whole in the units of the result, with the largest relative error;
 *     demands are rounded up, capacities down, so nothing fits that did not fit before
 * @param notes how the source was read where that was not certain: guesses, a clock that was shifted to start at 0
 */
public record LoadReport(
        String format,
        List<String> files,
        long rowsRead,
        long rowsUsed,
        long items,
        List<SetAside> setAside,
        List<Bad> bad,
        List<String> ignoredColumns,
        List<Rounding> rounding,
        List<Remark> notes) {

    /** So many warnings stand before an answer. */
    private static final int MOST_LEADING = 2;

    /** Rows left out by rule, and the requests they would have made. */
    public record SetAside(String reason, long rows, long items) {}

    /** Bad rows of one kind: how many, and the first few. */
    public record Bad(String reason, long rows, List<ReportedRow> first) {}

    /** A bad row: where it is, the column (empty if the whole row is meant) and the value. */
    public record ReportedRow(String file, long line, String column, String value) {}

    /** Largest relative rounding error of a column. */
    public record Rounding(String column, double largestRelativeError) {}

    /** The same with more notes. */
    LoadReport with(List<Remark> others) {
        List<Remark> more = new ArrayList<>(notes);
        more.addAll(others);
        return new LoadReport(
                format, files, rowsRead, rowsUsed, items, setAside, bad, ignoredColumns, rounding, List.copyOf(more));
    }

    /** Whether warnings say that servers are left out as lost. */
    public static boolean losesServers(List<Remark> warnings) {
        return warnings.stream().anyMatch(warning -> warning.kind() == Remark.Kind.LOST);
    }

    /** Of notes on reading those without which an answer would mislead: warnings, and what was left out. */
    public static List<Remark> warnings(List<Remark> notes) {
        return notes.stream().filter(Remark::misleads).toList();
    }

    /**
     * Of such {@link #warnings}, what must be known before the answer that the others stand below: the first doubts,
     * that the answer depends on them, and how many rows are not part of it. Empty if there is nothing of the kind.
     */
    public static List<Remark> lead(List<Remark> warnings) {
        long aside = rows(warnings, Remark.Kind.NOT_COUNTED);
        long unread = rows(warnings, Remark.Kind.BAD);
        String off = aside == 0 ? "" : rows(aside) + (aside == 1 ? " is" : " are") + " not counted";
        String bad = unread == 0 ? "" : rows(unread) + " cannot be read";
        String sentence = off.isEmpty() && bad.isEmpty()
                ? ""
                : "Of the input " + off + (off.isEmpty() || bad.isEmpty() ? "" : " and ") + bad + " (see below). ";
        String lost = warnings.stream()
                .filter(warning -> warning.kind() == Remark.Kind.LOST)
                .map(warning -> warning.sentence() + " ")
                .collect(Collectors.joining());
        List<Remark> doubts = doubts(warnings);
        List<Remark> lead = new ArrayList<>(doubts.subList(0, Math.min(MOST_LEADING, doubts.size())));
        int more = doubts.size() - lead.size();
        if (!doubts.isEmpty()) {
            lead.add(Remark.plain("The answer, and what it calls proven, holds only if the input was read rightly"
                    + (more == 0
                            ? "."
                            : String.format(
                                    Locale.ROOT,
                                    "; %,d more %s below.",
                                    more,
                                    more == 1 ? "warning is" : "warnings are"))));
        }
        String rows = (lost + sentence).strip();
        if (!rows.isEmpty()) {
            lead.add(Remark.plain(rows));
        }
        return lead;
    }

    /** Those that decide most first. */
    private static List<Remark> doubts(List<Remark> warnings) {
        return warnings.stream()
                .filter(Remark::warns)
                .sorted(Comparator.comparing(warning -> warning.kind() != Remark.Kind.UNSEEN))
                .toList();
    }

    /** Those that the {@link #lead} does not show. */
    public static List<Remark> below(List<Remark> warnings) {
        List<Remark> below = new ArrayList<>(warnings);
        doubts(warnings).stream().limit(MOST_LEADING).forEach(below::remove);
        return below;
    }

    /** Number of rows not counted. */
    public long rowsSetAside() {
        return setAside.stream().mapToLong(SetAside::rows).sum();
    }

    /** Number of bad rows. */
    public long rowsBad() {
        return bad.stream().mapToLong(Bad::rows).sum();
    }

    /** The report for people, one fact per line. */
    public List<String> lines() {
        return all().stream().map(Remark::toString).toList();
    }

    /** The report in full. */
    public List<Remark> all() {
        List<Remark> all = new ArrayList<>();
        all.add(new Remark(Remark.Kind.NAMED, source() + ": " + counts()));
        addRest(all);
        return List.copyOf(all);
    }

    /** The same of a list of servers. */
    public List<Remark> ofServers() {
        List<Remark> all = new ArrayList<>();
        addRest(all);
        all.replaceAll(note -> note.about("server list " + name()));
        all.add(0, new Remark(Remark.Kind.NAMED, "server list " + source(), counts(), 0));
        return List.copyOf(all);
    }

    private String counts() {
        return String.format(
                Locale.ROOT,
                "%s read, %,d used (%,d %s), %,d not counted, %,d bad",
                rows(rowsRead),
                rowsUsed,
                items,
                items == 1 ? "item" : "items",
                rowsSetAside(),
                rowsBad());
    }

    private void addRest(List<Remark> all) {
        all.addAll(notes);
        for (SetAside s : setAside) {
            all.add(new Remark(
                    Remark.Kind.NOT_COUNTED, "", "not counted: " + rows(s.rows()) + ": " + s.reason(), s.rows()));
        }
        for (Bad b : bad) {
            all.add(new Remark(Remark.Kind.BAD, "", "bad: " + rows(b.rows()) + ": " + b.reason(), b.rows()));
            for (ReportedRow row : b.first()) {
                String where = row.file() + ":" + row.line();
                all.add(new Remark(
                        Remark.Kind.EXAMPLE,
                        "  " + where + (row.column().isEmpty() ? "" : ": " + row.column()) + " = '" + row.value()
                                + "'"));
            }
        }
        if (!ignoredColumns.isEmpty()) {
            all.add(new Remark(
                    Remark.Kind.DETAIL,
                    "columns not used: "
                            + ignoredColumns.stream()
                                    .map(name -> name.isBlank() ? "(one without a name)" : name)
                                    .collect(Collectors.joining(", "))));
        }
        for (Rounding r : rounding) {
            all.add(new Remark(
                    Remark.Kind.DETAIL,
                    String.format(
                            Locale.ROOT,
                            "rounding: %s by at most %.3g of the value",
                            r.column(),
                            r.largestRelativeError())));
        }
    }

    private String name() {
        return String.valueOf(Path.of(files.get(0)).getFileName());
    }

    /** What was read, {@code tasks.csv (and 2 more files) as google2011}; an unknown format is not named. */
    private String source() {
        String more = files.size() == 1
                ? ""
                : String.format(
                        Locale.ROOT, " (and %,d more %s)", files.size() - 1, files.size() == 2 ? "file" : "files");
        return name() + more + (format.equals(OwnFormat.KEY) ? "" : " as " + format);
    }

    private static long rows(List<Remark> notes, Remark.Kind kind) {
        return notes.stream()
                .filter(note -> note.kind() == kind)
                .mapToLong(Remark::rows)
                .sum();
    }

    private static String rows(long number) {
        return String.format(Locale.ROOT, number == 1 ? "%,d row" : "%,d rows", number);
    }
}
