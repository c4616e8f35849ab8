package dev.stowage.sim.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What programs print for people, as a table: columns under dashes or set apart by blanks ({@code virsh list},
 * {@code sinfo}, {@code Format-Table}), tables in frames ({@code openstack}), and records of {@code Name=value}
 * ({@code scontrol show nodes}) or {@code Name: value} ({@code virsh dominfo}, {@code Format-List}).
 */
final class Listings {
    private static final Pattern PAIR = Pattern.compile("(?<!\\S)([A-Za-z][\\w:/]*)=(\\S*)");
    private static final Pattern LABELLED = Pattern.compile("([A-Za-z#][\\w ()#./-]*?)\\s*:(?:\\s+(.*))?");
    private static final Pattern DASHES = Pattern.compile("\\s*-{2,}(\\s+-{2,})*\\s*");
    /** Below the names of a table in Markdown. */
    private static final Pattern RULE = Pattern.compile("\\|[-: |]*--[-: |]*\\|");

    private static final String RECORD = "(Node|Job)(Name|Id)=\\S.*";

    /** How {@code slurm.conf} begins. */
    private static final String CONFIGURATION = "(ClusterName|SlurmctldHost|ControlMachine)=\\S.*";

    /** What {@code sinfo -Nl} prints before its table; then the names of its columns; the last has sentences. */
    private static final Pattern DATE = Pattern.compile("[A-Z][a-z]{2} [A-Z][a-z]{2} +\\d+ [\\d:]{8} (\\w+ )?\\d{4}");

    private static final Pattern NODES = Pattern.compile("(NODELIST|HOSTNAMES) [^a-z]* REASON");

    private static final Pattern FRAME = Pattern.compile("\\+[-=+]+\\+");

    private Listings() {}

    /** The table in these lines; null if they are none of these. */
    static @Nullable DocumentTable read(List<String> lines) {
        int first = 0;
        while (first < lines.size()
                && (lines.get(first).isBlank()
                        || DATE.matcher(lines.get(first).strip()).matches())) {
            first++;
        }
        String begin = lines.stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .findFirst()
                .orElse("");
        if (begin.matches(RECORD) || begin.matches(CONFIGURATION)) {
            return pairs(lines);
        }
        if (first + 1 >= lines.size()) {
            return null;
        }
        String one = lines.get(first).strip();
        if (FRAME.matcher(one).matches()
                || (one.startsWith("|")
                        && RULE.matcher(lines.get(first + 1).strip()).matches())) {
            return framed(lines);
        }
        if (LABELLED.matcher(one).matches() && areLabelled(lines)) {
            return labelled(lines);
        }
        boolean parted = one.matches(".*[,;|\t].*");
        if (!parted && DASHES.matcher(lines.get(first + 1)).matches()) {
            return underlined(lines, first);
        }
        return !parted && one.matches("[A-Z][^=:]*\\S {2,}\\S.*") ? spaced(lines, first) : null;
    }

    /** Records of nodes or jobs; those of {@code slurm.conf} may begin with what all later ones have. */
    private static DocumentTable pairs(List<String> lines) {
        DocumentTable.Builder table = new DocumentTable.Builder("");
        Map<String, String> usual = new LinkedHashMap<>();
        Map<String, String> row = new LinkedHashMap<>();
        long from = 1;
        boolean other = true;
        for (int i = 0; i <= lines.size(); i++) {
            String line = i < lines.size() ? lines.get(i).strip() : "NodeName=";
            if (line.matches("[A-Za-z]+(Name|Id)=.*")) {
                if ("DEFAULT".equals(row.get("NodeName"))) {
                    usual.putAll(row);
                } else if (!row.isEmpty()) {
                    usual.forEach(row::putIfAbsent);
                    // How a configuration says that a node is to be asked.
                    row.remove("State", "UNKNOWN");
                    table.add(row, from);
                }
                row.clear();
                from = i + 1L;
                other = !line.matches(RECORD);
            }
            Matcher pair = PAIR.matcher(line);
            while (!other && !line.startsWith("#") && pair.find()) {
                row.putIfAbsent(
                        String.valueOf(pair.group(1)),
                        String.valueOf(pair.group(2)).replaceAll("^\\((null|NULL)\\)$", ""));
            }
        }
        return table.build();
    }

    private static boolean areLabelled(List<String> lines) {
        List<String> some =
                lines.stream().filter(line -> !line.isBlank()).limit(50).toList();
        return some.size() > 1
                && some.stream()
                        .allMatch(line -> line.startsWith(" ")
                                || LABELLED.matcher(line.strip()).matches());
    }

    private static DocumentTable labelled(List<String> lines) {
        DocumentTable.Builder table = new DocumentTable.Builder("");
        Map<String, String> row = new LinkedHashMap<>();
        long from = 1;
        for (int i = 0; i <= lines.size(); i++) {
            String line = i < lines.size() ? lines.get(i).strip() : "";
            Matcher parts = LABELLED.matcher(line);
            boolean pair = parts.matches();
            boolean again = pair && row.containsKey(String.valueOf(parts.group(1)));
            if ((line.isEmpty() || again) && !row.isEmpty()) {
                table.add(row, from);
                row.clear();
            }
            if (pair) {
                from = row.isEmpty() ? i + 1 : from;
                row.put(
                        String.valueOf(parts.group(1)),
                        parts.group(2) == null ? "" : parts.group(2).strip());
            }
        }
        return table.build();
    }

    private static DocumentTable framed(List<String> lines) {
        List<List<String>> cells = new ArrayList<>();
        List<Long> at = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!RULE.matcher(line).matches() && line.startsWith("|") && line.endsWith("|") && line.length() > 1) {
                cells.add(Arrays.stream(line.substring(1, line.length() - 1).split("\\|", -1))
                        .map(String::strip)
                        .toList());
                at.add(i + 1L);
            }
        }
        return table(cells, at);
    }

    private static DocumentTable table(List<List<String>> cells, List<Long> at) {
        return cells.isEmpty()
                ? new DocumentTable("", List.of(), List.of(), List.of())
                : new DocumentTable("", cells.get(0), cells.subList(1, cells.size()), at.subList(1, at.size()));
    }

    /** Columns as wide as the dashes below their names; one line of dashes says nothing of columns. */
    private static DocumentTable underlined(List<String> lines, int names) {
        String dashes = lines.get(names + 1);
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < dashes.length(); i++) {
            if (dashes.charAt(i) == '-' && (i == 0 || dashes.charAt(i - 1) != '-')) {
                starts.add(i);
            }
        }
        List<String> without = new ArrayList<>(lines);
        without.set(names + 1, "");
        if (starts.size() == 1) {
            return spaced(without, names);
        }
        List<List<String>> cells = new ArrayList<>();
        List<Long> at = new ArrayList<>();
        for (int i = names; i < without.size(); i++) {
            String line = without.get(i);
            if (!line.isBlank() && !DASHES.matcher(line).matches()) {
                cells.add(IntStream.range(0, starts.size())
                        .mapToObj(c ->
                                part(line, starts.get(c), c + 1 < starts.size() ? starts.get(c + 1) : line.length()))
                        .toList());
                at.add(i + 1L);
            }
        }
        return table(cells, at);
    }

    private static String part(String line, int from, int to) {
        return from >= line.length()
                ? ""
                : line.substring(from, Math.min(to, line.length())).strip();
    }

    /** Columns between blanks: between single ones if that gives as many everywhere, else between two and more. */
    private static DocumentTable spaced(List<String> lines, int names) {
        List<List<String>> cells = new ArrayList<>();
        List<Long> at = new ArrayList<>();
        List<String> filled = lines.subList(names, lines.size()).stream()
                .filter(line -> !line.isBlank())
                .toList();
        boolean sentences = NODES.matcher(lines.get(names).strip()).matches();
        int most = sentences ? lines.get(names).strip().split("\\s+", -1).length : -1;
        boolean single = sentences
                || filled.stream()
                                .map(line -> line.strip().split("\\s+", -1).length)
                                .distinct()
                                .count()
                        == 1;
        for (int i = names; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                cells.add(List.of(lines.get(i).strip().split(single ? "\\s+" : "\\s{2,}", most)));
                at.add(i + 1L);
            }
        }
        return table(cells, at);
    }
}
