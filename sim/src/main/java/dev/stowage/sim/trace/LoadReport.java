package dev.stowage.sim.trace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
        List<String> notes) {

    /** How a note begins that must not be overlooked. */
    static final String WARNING = "warning: ";

    private static final Pattern MISLEADING = Pattern.compile(
            "(server list .*?: )?(warning|not counted|bad|left out|column \\S.* is not taken).*", Pattern.DOTALL);

    /** How the note of servers that are left out as if they had failed begins. */
    public static final String LOST = "left out as lost: ";

    private static final String OF_SERVERS = "(?:server list .*?: )?";
    private static final Pattern ROWS = Pattern.compile(OF_SERVERS + "(not counted|bad): ([\\d,]+) rows?: ");
    /** So many warnings stand before an answer. */
    private static final int MOST_LEADING = 2;

    private static final Pattern DOUBT = Pattern.compile(OF_SERVERS + WARNING);

    /** How a warning goes on where a resource is not looked at, which decides more than all else. */
    static final String UNSEEN = "no column is recognized as the ";

    private static final Pattern DECIDES = Pattern.compile(DOUBT + UNSEEN);

    /** Rows left out by rule, and the requests they would have made. */
    public record SetAside(String reason, long rows, long items) {}

    /** Bad rows of one kind: how many, and the first few. */
    public record Bad(String reason, long rows, List<ReportedRow> first) {}

    /** A bad row: where it is, the column (empty if the whole row is meant) and the value. */
    public record ReportedRow(String file, long line, String column, String value) {}

    /** Largest relative rounding error of a column. */
    public record Rounding(String column, double largestRelativeError) {}

    /** The same with more notes. */
    LoadReport with(List<String> others) {
        List<String> more = new ArrayList<>(notes);
        more.addAll(others);
        return new LoadReport(
                format, files, rowsRead, rowsUsed, items, setAside, bad, ignoredColumns, rounding, List.copyOf(more));
    }

    /** Whether warnings say that servers are left out as lost. */
    public static boolean losesServers(List<String> warnings) {
        return warnings.stream().anyMatch(warning -> warning.startsWith(LOST));
    }

    /** Of notes on reading those without which an answer would mislead: warnings, and what was left out. */
    public static List<String> warnings(List<String> notes) {
        return notes.stream().filter(note -> MISLEADING.matcher(note).matches()).toList();
    }

    /**
     * Of such {@link #warnings}, what must be known before the answer that the others stand below: the first doubts,
     * that the answer depends on them, and how many rows are not part of it. Empty if there is nothing of the kind.
     */
    public static List<String> lead(List<String> warnings) {
        long[] left = new long[2];
        for (String warning : warnings) {
            Matcher rows = ROWS.matcher(warning);
            if (rows.lookingAt()) {
                left[rows.group(1).equals("bad") ? 1 : 0] +=
                        Long.parseLong(rows.group(2).replace(",", ""));
            }
        }
        String off = left[0] == 0 ? "" : rows(left[0]) + (left[0] == 1 ? " is" : " are") + " not counted";
        String bad = left[1] == 0 ? "" : rows(left[1]) + " cannot be read";
        String sentence = off.isEmpty() && bad.isEmpty()
                ? ""
                : "Of the input " + off + (off.isEmpty() || bad.isEmpty() ? "" : " and ") + bad + " (see below). ";
        String lost = warnings.stream()
                .filter(warning -> warning.startsWith(LOST))
                .map(warning -> "L" + warning.substring(1) + ". ")
                .collect(Collectors.joining());
        List<String> doubts = doubts(warnings);
        List<String> lead = new ArrayList<>(doubts.subList(0, Math.min(MOST_LEADING, doubts.size())));
        int more = doubts.size() - lead.size();
        if (!doubts.isEmpty()) {
            lead.add("The answer, and what it calls proven, holds only if the input was read rightly"
                    + (more == 0
                            ? "."
                            : String.format(
                                    Locale.ROOT,
                                    "; %,d more %s below.",
                                    more,
                                    more == 1 ? "warning is" : "warnings are")));
        }
        String rows = (lost + sentence).strip();
        if (!rows.isEmpty()) {
            lead.add(rows);
        }
        return lead;
    }

    /** Those that decide most first. */
    private static List<String> doubts(List<String> warnings) {
        return warnings.stream()
                .filter(warning -> DOUBT.matcher(warning).lookingAt())
                .sorted(Comparator.comparing(
                        warning -> !DECIDES.matcher(warning).lookingAt()))
                .toList();
    }

    /** Those that the {@link #lead} does not show. */
    public static List<String> below(List<String> warnings) {
        List<String> below = new ArrayList<>(warnings);
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
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%s: %s read, %,d used (%,d %s), %,d not counted, %,d bad",
                source(),
                rows(rowsRead),
                rowsUsed,
                items,
                items == 1 ? "item" : "items",
                rowsSetAside(),
                rowsBad()));
        lines.addAll(notes);
        for (SetAside s : setAside) {
            lines.add(String.format(Locale.ROOT, "not counted: %s: %s", rows(s.rows()), s.reason()));
        }
        for (Bad b : bad) {
            lines.add(String.format(Locale.ROOT, "bad: %s: %s", rows(b.rows()), b.reason()));
            for (ReportedRow row : b.first()) {
                String where = row.file() + ":" + row.line();
                lines.add("  " + where + (row.column().isEmpty() ? "" : ": " + row.column()) + " = '" + row.value()
                        + "'");
            }
        }
        if (!ignoredColumns.isEmpty()) {
            lines.add("columns not used: "
                    + ignoredColumns.stream()
                            .map(name -> name.isBlank() ? "(one without a name)" : name)
                            .collect(Collectors.joining(", ")));
        }
        for (Rounding r : rounding) {
            lines.add(String.format(
                    Locale.ROOT, "rounding: %s by at most %.3g of the value", r.column(), r.largestRelativeError()));
        }
        return List.copyOf(lines);
    }

    /** What was read, {@code tasks.csv (and 2 more files) as google2011}; an unknown format is not named. */
    private String source() {
        String more = files.size() == 1
                ? ""
                : String.format(
                        Locale.ROOT, " (and %,d more %s)", files.size() - 1, files.size() == 2 ? "file" : "files");
        return Path.of(files.get(0)).getFileName() + more + (format.equals(OwnFormat.KEY) ? "" : " as " + format);
    }

    private static String rows(long number) {
        return String.format(Locale.ROOT, number == 1 ? "%,d row" : "%,d rows", number);
    }
}
