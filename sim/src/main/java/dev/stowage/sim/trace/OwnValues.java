package dev.stowage.sim.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How the values of a user's own table are written, as its first rows show: which mark stands before decimals and which
 * between thousands, how large the values are. The one place where such a value is parted into number and unit.
 */
final class OwnValues {
    /** Rows that are looked at before the first is read. */
    private static final int SAMPLE = 1000;

    private static final Pattern TIMES = Pattern.compile("(\\d{1,3}) ?[x×*] ?\\D.*");
    private static final Pattern NO_GPU = Pattern.compile("(?i)|\\(?null\\)?|n/?a|-+|none|no|nil|keine?");

    private static final String ALLOWED = "a finite number of at least 0, with or without a unit";
    private static final Pattern WITH_UNIT =
            Pattern.compile("([-+]?[0-9][-+0-9.,'’_ \\u00a0\\u2009\\u202f]*(?:[eE][-+]?[0-9]+)?)\\s*([A-Za-zµ%]*)");
    private static final Pattern SPACED = Pattern.compile("\\d{1,3}([ '’_\\u00a0\\u2009\\u202f]\\d{3})+([.,]\\d+)?");
    private static final Pattern COMMAS = Pattern.compile("\\d{1,3}(,\\d{3})+");
    /** Lakhs and crores: 1,31,072. */
    private static final Pattern INDIAN = Pattern.compile("\\d{1,2}(,\\d{2})+,\\d{3}");

    private static final Pattern POINTS = Pattern.compile("\\d{1,3}(\\.\\d{3})+");
    private static final Pattern MARKED = Pattern.compile("\\d{1,3}([.,]\\d{3})+");
    private static final Pattern AROUND = Pattern.compile("^[^0-9.,-]+|\\s*[^0-9.,]+$");
    /** What only thousands with commas, or only decimals with points, can be; and the other way about. */
    private static final Pattern ENGLISH =
            Pattern.compile("\\d{1,2}(,\\d{2})+,\\d{3}|\\d{1,3}(,\\d{3}){2,}|\\d{1,3}(,\\d{3})+\\.\\d+");

    private static final Pattern CONTINENTAL = Pattern.compile(
            "\\d{1,3}(\\.\\d{3}){2,}|\\d{1,3}(\\.\\d{3})+,\\d+" + "|\\d+,(\\d{1,2}|\\d{4,})|0,\\d+|\\d{4,},\\d+");
    private static final Pattern POINT_DECIMAL = Pattern.compile("\\d+\\.(\\d{1,2}|\\d{4,})|0\\.\\d+|\\d{4,}\\.\\d+");

    private final List<List<String>> rows;
    /** By column, as long as the marks are as they were. */
    private final Map<Integer, Double> usual = new HashMap<>();

    private boolean english;
    private boolean continental;
    /** Where a semicolon stands between fields, a comma may be the mark of decimals. */
    private final boolean pointsMayPart;

    /** A number as {@link DecimalParser} reads it, and what stands after it. */
    record Value(String number, String unit) {}

    /**
     * Looks at the first rows.
     *
     * @param separator what stands between the fields: a comma within a field was put in quotes where that is one
     * @param numeric columns whose values are numbers
     */
    OwnValues(Rows source, char separator, List<Integer> numeric) {
        boolean commasPart = separator == ',';
        pointsMayPart = separator == ';';
        rows = new ArrayList<>();
        while (rows.size() < SAMPLE && source.next()) {
            int fields = source.fieldCount();
            rows.add(IntStream.range(0, fields)
                    .mapToObj(source::field)
                    .map(String::strip)
                    .toList());
        }
        List<String> numbers = numeric.stream()
                .flatMap(column -> texts(column).stream())
                .map(text -> isNumber(text) ? text : AROUND.matcher(text).replaceAll(""))
                .filter(text -> text.indexOf('.') >= 0 || text.indexOf(',') >= 0)
                .toList();
        boolean there =
                numbers.stream().anyMatch(text -> CONTINENTAL.matcher(text).matches());
        boolean here = (commasPart && !there)
                || numbers.stream().anyMatch(text -> ENGLISH.matcher(text).matches())
                || numbers.stream().anyMatch(text -> POINT_DECIMAL.matcher(text).matches());
        // Where these columns don't tell, others of the table may; between commas they may be lists.
        boolean others = !here && !there && !commasPart;
        english = here || (others && isAnywhere(ENGLISH) && !isAnywhere(CONTINENTAL));
        continental = there || (others && isAnywhere(CONTINENTAL) && !isAnywhere(ENGLISH));
    }

    /**
     * Where nothing else tells whether 127,906 has thousands or decimals, memory does if only one of both is plausible
     * beside its processors.
     *
     * @param unit of its column; empty if only its values have one
     * @return what was decided
     */
    Optional<String> decideByMemory(int column, String unit, double processors) {
        if (english || continental) {
            return Optional.empty();
        }
        List<Value> marked = new ArrayList<>();
        boolean commas = false;
        String first = "";
        for (String text : texts(column)) {
            Matcher parts = WITH_UNIT.matcher(text);
            String number = parts.matches() ? parts.group(1).strip() : "";
            String its = parts.matches() ? OwnUnits.after("mem", parts.group(2)) : "";
            its = its.isEmpty() ? unit : its;
            boolean comma = COMMAS.matcher(number).matches();
            if ((comma || (pointsMayPart && POINTS.matcher(number).matches())) && !its.isEmpty()) {
                commas |= comma;
                first = first.isEmpty() ? text : first;
                marked.add(new Value(number.replace(',', '.'), its));
            }
        }
        boolean decimals =
                marked.stream().allMatch(each -> OwnUnits.isPlausible(processors, number(each.number()), each.unit()));
        boolean thousands = marked.stream()
                .allMatch(each ->
                        OwnUnits.isPlausible(processors, number(each.number().replace(".", "")), each.unit()));
        if (processors <= 0 || decimals == thousands) {
            return Optional.empty();
        }
        usual.clear();
        english = thousands == commas;
        continental = !english;
        return Optional.of(String.format(
                Locale.ROOT,
                "%s is read with %s: only then is the memory plausible for its processors",
                first,
                decimals ? "decimals" : "thousands"));
    }

    private boolean isAnywhere(Pattern written) {
        return rows.stream()
                .flatMap(List::stream)
                .anyMatch(text -> written.matcher(text).matches());
    }

    /** The values of a column in the rows looked at, without blank ones. */
    List<String> texts(int column) {
        return rows.stream()
                .filter(row -> column >= 0 && column < row.size())
                .map(row -> row.get(column))
                .filter(text -> !text.isEmpty())
                .toList();
    }

    /** The middle one of the numbers above 0 of a column that have no unit after them; 0 if there is none. */
    double usual(int column) {
        return usual.computeIfAbsent(column, this::middle);
    }

    private double middle(int column) {
        double[] sorted = texts(column).stream()
                .map(this::plain)
                .filter(value -> value != null && value.unit().isEmpty())
                .mapToDouble(value -> number(value.number()))
                .filter(number -> number > 0)
                .sorted()
                .toArray();
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The value of a field. */
    Value of(Fields row, int column) {
        return of(row, column, "");
    }

    /** Memory without a unit after it: whole numbers of MiB would not be ambiguous, which {@code option} can say. */
    Value ofMemory(Fields row, int column, String option, String name) {
        return of(
                row,
                column,
                OwnUnits.ofName("mem", name).isEmpty()
                        ? "; or, if they count MiB, " + option + " \"mem=" + name + ":MiB\""
                        : "");
    }

    private Value of(Fields row, int column, String further) {
        String text = row.text(column).strip();
        Value value = plain(text);
        if (value == null) {
            throw unclear(row, column, further);
        }
        return value;
    }

    /** A number that may be two; which values would tell. */
    static BadRow unclear(Fields row, int column, String further) {
        Matcher mark = MARKED.matcher(row.text(column));
        String text = mark.find() ? mark.group() : "1.234";
        char other = text.indexOf('.') < 0 ? '.' : ',';
        return row.bad(
                column,
                "may be thousands or decimals",
                text.replaceAll("[.,]", "") + " for thousands (or " + text + other
                        + "0 in one row, by which the others are" + " read), " + text + "0 for decimals (likewise)"
                        + further);
    }

    /** A number between whatever stands before and behind it, as a currency; null if it may be two numbers. */
    @Nullable
    Value of(String text) {
        return plain(text.replaceAll("^[^0-9]+|[^0-9]+$", ""));
    }

    /**
     * The value of a field that counts MiB, KiB or bytes of a machine, where nobody writes thousandths: in 65.536 as in
     * 65,536 the mark stands between thousands.
     */
    Value ofWhole(Fields row, int column) {
        Matcher parts = WITH_UNIT.matcher(row.text(column).strip());
        if (parts.matches()) {
            String number = parts.group(1).strip();
            boolean marked =
                    POINTS.matcher(number).matches() || COMMAS.matcher(number).matches();
            if (marked && !number.startsWith("0")) {
                return new Value(number.replaceAll("[.,]", ""), parts.group(2));
            }
        }
        return of(row, column);
    }

    /** The unit behind the number of a field; empty where there is none. */
    static String unitOf(String text) {
        String stripped = text.strip();
        Matcher parts = WITH_UNIT.matcher(stripped);
        return !isNumber(stripped) && parts.matches() ? parts.group(2) : "";
    }

    /** Thousandths of the GPUs in {@code gpu:a100:4}, {@code 2 x A100} or a word for none; a model is no amount. */
    static long gpus(Fields row, int column) {
        String text = row.text(column).strip();
        Matcher times = TIMES.matcher(text);
        if (times.matches()) {
            return 1000 * Long.parseLong(times.group(1));
        }
        long listed = gres(text);
        if (listed == 0 && !text.contains(":") && !NO_GPU.matcher(text).matches()) {
            throw row.bad(column, "is not an amount of GPUs", "such as 2, 2 x A100 or Slurm's gpu:a100:2");
        }
        return listed;
    }

    /** Thousandths of the GPUs in Slurm's {@code gpu:a100:4(S:0-1)}, {@code gres:gpu:2}, {@code gres/gpu:2}. */
    static long gres(String text) {
        long all = 0;
        for (String each : text.replaceAll("\\([^)]*\\)", "").split(",", -1)) {
            String[] parts = each.strip().replaceFirst("^gres[:/]", "").split("[:=]", -1);
            if (parts[0].equals("gpu")) {
                String last = parts[parts.length - 1];
                all += last.matches("\\d{1,6}") ? Long.parseLong(last) * 1000 : 1000;
            }
        }
        return all;
    }

    /**
     * What a list such as {@code cpu=8,mem=64G} has of a resource; 0 where it is not in it. Of GPUs there may be those
     * of each kind as well as all of them, {@code gres/gpu=2,gres/gpu:a100=2}.
     */
    static Value listed(String text, String resource) {
        if (resource.equals("gpu")) {
            Value all = listed(text, "gres/gpu");
            long kinds = Pattern.compile("(?:^|,)gres/gpu:[^=,]+=(\\d{1,6})(?=,|$)")
                    .matcher(text)
                    .results()
                    .mapToLong(kind -> Long.parseLong(kind.group(1)))
                    .sum();
            return all.number().equals("0") ? new Value(Long.toString(kinds), "") : all;
        }
        Matcher its = Pattern.compile("(?:^|,)" + resource + "=([0-9.]+)([A-Za-z]*)(?:,|$)")
                .matcher(text);
        return its.find() ? new Value(String.valueOf(its.group(1)), String.valueOf(its.group(2))) : new Value("0", "");
    }

    /** Whether a field has a number as it stands, whatever the marks in others mean. */
    boolean isPlain(Fields row, int column) {
        return row.isNumber(column) && !(pointMayPart() && row.text(column).indexOf('.') >= 0);
    }

    private boolean isPlain(String text) {
        return isNumber(text) && !(pointMayPart() && text.indexOf('.') >= 0);
    }

    private boolean pointMayPart() {
        return continental || (pointsMayPart && !english);
    }

    /** The number without marks between thousands, decimals behind a point; null if it may be two numbers. */
    private @Nullable Value plain(String text) {
        if (isPlain(text)) {
            return new Value(text, "");
        }
        Matcher parts = WITH_UNIT.matcher(text);
        if (!parts.matches()) {
            return new Value(text, "");
        }
        String number = parts.group(1).strip();
        if (SPACED.matcher(number).matches()) {
            number = number.replaceAll("[ '’_\\u00a0\\u2009\\u202f]", "");
        }
        String unit = parts.group(2);
        if (INDIAN.matcher(number).matches()) {
            return new Value(number.replace(",", ""), unit);
        }
        if (COMMAS.matcher(number).matches() && !number.startsWith("0")) {
            if (english == continental) {
                return null;
            }
            return new Value(number.replace(",", english ? "" : "."), unit);
        }
        if (pointMayPart() && POINTS.matcher(number).matches() && !number.startsWith("0")) {
            return continental && !english ? new Value(number.replace(".", ""), unit) : null;
        }
        int comma = number.lastIndexOf(',');
        int point = number.lastIndexOf('.');
        number = comma > point ? number.replace(".", "").replace(',', '.') : number.replace(",", "");
        return new Value(number, unit);
    }

    /** Whether a text has nothing but digits and at most one point, as most values do; blank ones count. */
    static boolean isNumber(String text) {
        int points = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            points += c == '.' ? 1 : 0;
            if ((c < '0' || c > '9') && (c != '.' || points > 1)) {
                return false;
            }
        }
        return true;
    }

    BadRow unknownUnit(Fields row, int column) {
        return row.bad(column, "is not a number", ALLOWED);
    }
}
