package dev.stowage.cli.answer;

import dev.stowage.report.AnswerPage;
import dev.stowage.sim.result.Remark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Several answers, by name: what is proven of all together, and on their page what was asked, and how sure it is. */
public record SeveralAnswers(Map<String, AnswerParts> all) {
    /** Begins the names of columns that have what is proven. */
    public static final String LEAST = "least";

    /** A cell of a table that is not known. */
    public static final String UNKNOWN = "-";

    /** Heads the column of names. */
    public static final String CLUSTER = "cluster";

    /** Names the column of how many must be bought at least. */
    public static final String LEAST_TO_BUY = LEAST + " to buy";
    /** Columns of none, one, two and more servers that fail at once. */
    private static final int MOST_LOST = 4;

    private static final Pattern UNIT = Pattern.compile(LEAST + "(?: \\((.*)\\))?");
    private static final Pattern PROMISED = Pattern.compile("(.* (?:reserved|overcommitted [\\d.]+:1))(?:; .*)?");
    private static final Pattern NOT_COUNTED = Pattern.compile("not counted: [\\d,]+ rows?: (.*?)(?:; to count .*)?");

    /**
     * What is proven of all together, as a sentence; empty where that is nothing, or it is of one.
     *
     * @param together the sum of a column, by its name
     */
    public String proven(UnaryOperator<String> together) {
        String least = all.values().stream()
                .flatMap(found -> found.summary().keySet().stream())
                .filter(name -> name.startsWith(LEAST))
                .findFirst()
                .orElse("");
        if (least.isEmpty() || all.size() == 1) {
            return "";
        }
        String sum = together.apply(least);
        if (sum.isEmpty() || sum.equals(UNKNOWN) || sum.equals("0")) {
            return "";
        }
        boolean cost = all.values().stream()
                .anyMatch(found -> found.summary().keySet().stream().anyMatch(name -> name.startsWith("cost")));
        Matcher unit = UNIT.matcher(least);
        String currency = unit.matches() && unit.group(1) != null ? " " + unit.group(1) : "";
        return " Proven of all together, on the conditions that each answer names: "
                + (cost
                        ? "no way costs less than " + sum + currency
                        : "fewer than " + sum + (least.equals(LEAST_TO_BUY) ? " more" : "") + " servers are not enough")
                + ".";
    }

    /**
     * Adds to the page what the first sentence does not say of the question.
     *
     * @param growth of the load, in words; empty without any
     */
    public void asked(String growth, AnswerParts answer) {
        Set<String> asked = new LinkedHashSet<>();
        if (!growth.isEmpty()) {
            asked.add(growth);
        }
        remarks()
                .map(Remark::text)
                .map(PROMISED::matcher)
                .filter(Matcher::matches)
                .map(promised -> promised.group(1))
                .forEach(asked::add);
        if (!asked.isEmpty()) {
            answer.onPage(new AnswerPage.Sentence("Asked with " + String.join("; ", asked) + "."));
        }
    }

    /** Adds to the box of the page which rows are not part of the answer, and whether columns were guessed. */
    public void warnings(AnswerParts answer) {
        Map<String, Long> rows = new LinkedHashMap<>();
        Map<String, Set<String>> where = new LinkedHashMap<>();
        all.forEach((cluster, found) -> found.facts().forEach((what, notes) -> {
            for (Remark note : notes) {
                if (note.kind() == Remark.Kind.LOST || note.kind() == Remark.Kind.LEFT_OUT) {
                    answer.warnOnPage((all.size() == 1 ? "" : cluster + ": ") + note.sentence());
                } else if (note.misleads() && !note.warns()) {
                    Matcher matcher = NOT_COUNTED.matcher(note.text());
                    String why = (what.equals("Reading") ? "" : " of the " + what.toLowerCase(Locale.ROOT)) + ": "
                            + (matcher.matches() ? matcher.group(1) : "cannot be read");
                    if (what.equals(AnswerParts.ON_OFFER)) {
                        // The same for each.
                        rows.put(why, note.rows());
                    } else {
                        rows.merge(why, note.rows(), Long::sum);
                    }
                    where.computeIfAbsent(why, any -> new LinkedHashSet<>()).add(cluster);
                }
            }
        }));
        long sum = rows.values().stream().mapToLong(Long::longValue).sum();
        if (sum > 0) {
            answer.warnOnPage("Of the input " + String.format(Locale.ROOT, "%,d", sum)
                    + (sum == 1 ? " row is not counted: " : " rows are not counted: ")
                    + rows.entrySet().stream()
                            .map(each -> String.format(Locale.ROOT, "%,d", each.getValue())
                                    + each.getKey()
                                    + names(where, each))
                            .collect(Collectors.joining("; ")));
        }
        if (remarks().anyMatch(note -> note.text().contains("(guessed)"))) {
            answer.warnOnPage("What some columns mean is guessed: \"Read as\" below says which");
        }
    }

    private String names(Map<String, Set<String>> where, Map.Entry<String, Long> each) {
        Set<String> names = where.getOrDefault(each.getKey(), Set.of());
        return names.size() == all.size() ? "" : ", in " + String.join(", ", names);
    }

    private Stream<Remark> remarks() {
        return all.values().stream()
                .flatMap(found -> found.facts().values().stream())
                .flatMap(List::stream);
    }

    /**
     * Adds to the page what stops in each if some of the servers that are there now fail.
     *
     * @param everything what stops if all fail
     * @param how what is done then
     */
    public void failures(String heading, String everything, String how, AnswerParts answer) {
        // That all of them stop needs no column, unless one alone is there.
        int most = all.values().stream()
                .map(AnswerParts::stopsOfAll)
                .mapToInt(stops -> stops.size() - (stops.size() > 2 && stops.contains(everything) ? 1 : 0))
                .max()
                .orElse(0);
        if (most < 2) {
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        all.forEach((cluster, found) -> {
            List<String> row = new ArrayList<>(List.of(cluster));
            for (int lost = 0; lost < Math.min(most, MOST_LOST); lost++) {
                row.add(lost < found.stopsOfAll().size() ? found.stopsOfAll().get(lost) : UNKNOWN);
            }
            rows.add(row);
        });
        List<String> header = new ArrayList<>(List.of(CLUSTER, "none fails", "1 fails", "2 fail", "3 fail"));
        answer.onPage(new AnswerPage.Heading(heading));
        answer.onPage(
                new AnswerPage.Sentence("How many requests find no room if so many of the servers that are there now"
                        + " fail at the same time; the page of each says which. " + how));
        answer.onPage(new AnswerPage.CellRows(header.subList(0, rows.get(0).size()), rows));
    }
}
