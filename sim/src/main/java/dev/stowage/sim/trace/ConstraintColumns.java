package dev.stowage.sim.trace;

import dev.stowage.core.model.ConstraintWords;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Columns that say which servers may run a request, and which requests it keeps away from. */
final class ConstraintColumns {
    static final String WHERE = "where";
    static final String AVOID = "avoid";
    static final String SPREAD = "spread";

    private static final String ALLOWED =
            "such as gpu in (V100, T4), or db:1 (at most 1 of group db on a server), or" + " db:2:zone";
    /** Names of columns with rules on who runs beside whom, and where. */
    private static final Pattern RULES =
            Pattern.compile(".*affin.*|(drs_|placement_|host_)rules?|drs_groups?|keep_(apart|together)|separate_from");

    /** A place as likely as a label. */
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\d_. -]+");
    /** What says in such a column that there is none. */
    private static final Pattern NO_RULE = Pattern.compile("(?i)default|keine?|ninguna?|aucune?|none|null|-|n/?a|nan");

    private final int where;
    private final int avoid;
    private final int spread;
    private final BiPredicate<Fields, Integer> blank;
    private final Map<ConstraintWords, ConstraintWords> known = new HashMap<>();

    /**
     * The columns, -1 where there is none.
     *
     * @param blank whether a field has no value
     */
    ConstraintColumns(int where, int avoid, int spread, BiPredicate<Fields, Integer> blank) {
        this.where = where;
        this.avoid = avoid;
        this.spread = spread;
        this.blank = blank;
    }

    /** What a row says. */
    ConstraintWords of(Fields row) {
        if (where < 0 && avoid < 0 && spread < 0) {
            return ConstraintWords.NONE;
        }
        ConstraintWords read = new ConstraintWords(parts(row, where), parts(row, avoid), parts(row, spread));
        try {
            return known.computeIfAbsent(read, ConstraintWords::checked);
        } catch (IllegalArgumentException e) {
            throw row.bad(read.where().isEmpty() ? spread : where, "is not a constraint: " + e.getMessage(), ALLOWED);
        }
    }

    private List<String> parts(Fields row, int column) {
        return column < 0 || blank.test(row, column) ? List.of() : parts(row.text(column));
    }

    private static List<String> parts(String text) {
        return Stream.of(text.split(";", -1)).map(String::strip).toList();
    }

    /**
     * What was found without guessed columns whose values are no constraints as they are written here; these, and other
     * columns with rules, are warnings, unless {@code spread=} says that there are none.
     */
    static OwnColumns checked(OwnColumns found, List<String> header, OwnValues values, ReportBuilder report) {
        Map<String, OwnColumns.Column> left = new LinkedHashMap<>(found.columns());
        for (String meaning : List.of(WHERE, AVOID, SPREAD)) {
            OwnColumns.Column column = left.get(meaning);
            if (column != null
                    && column.guessed()
                    && !wrong(meaning, column.name(), header, values).isEmpty()) {
                left.remove(meaning);
            }
        }
        if (!found.absent().contains(SPREAD)) {
            header.stream()
                    .filter(column ->
                            left.values().stream().noneMatch(used -> used.name().equals(column)))
                    .filter(column ->
                            RULES.matcher(ColumnNames.words(column, "_")).matches()
                                    || found.columns().values().stream()
                                            .anyMatch(used -> used.name().equals(column)))
                    .forEach(column -> rules(column, header, values)
                            .findFirst()
                            .ifPresent(rule -> report.warn("column " + column + " is not used: '" + rule
                                    + "' is not a rule that can be read, such as db:1 in a column spread (at most 1 of"
                                    + " group db on a server). With the rules of this column more servers may be needed."
                                    + " If it has no such rules: --columns \"spread=\"")));
        }
        return new OwnColumns(left, found.absent());
    }

    /** The first value that is not a constraint, or of labels a single word, as of a place; empty if all are. */
    private static String wrong(String meaning, String column, List<String> header, OwnValues values) {
        return rules(column, header, values)
                .filter(text -> {
                    if (meaning.equals(WHERE) && WORD.matcher(text).matches()) {
                        return true;
                    }
                    List<String> all = parts(text);
                    try {
                        ConstraintWords unused = new ConstraintWords(
                                        meaning.equals(WHERE) ? all : List.of(),
                                        List.of(),
                                        meaning.equals(SPREAD) ? all : List.of())
                                .checked();
                        return false;
                    } catch (IllegalArgumentException e) {
                        return true;
                    }
                })
                .findFirst()
                .orElse("");
    }

    private static Stream<String> rules(String column, List<String> header, OwnValues values) {
        return values.texts(header.indexOf(column)).stream().filter(text -> !saysNone(text));
    }

    /** Whether a field of a table of one's own says that there is no such rule. */
    static boolean saysNone(Fields row, int column) {
        return row.blank(column) || saysNone(row.text(column).strip());
    }

    private static boolean saysNone(String text) {
        return NO_RULE.matcher(text).matches() || YesNo.isNo(text);
    }
}
