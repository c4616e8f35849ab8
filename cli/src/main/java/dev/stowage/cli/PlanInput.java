package dev.stowage.cli;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.stowage.policies.parallel.FatTree;
import dev.stowage.policies.parallel.Limits;
import dev.stowage.policies.parallel.PaperProblems;
import dev.stowage.policies.parallel.ParallelJob;
import dev.stowage.policies.parallel.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The job and the servers of {@code stowage plan}, and their names. */
record PlanInput(Problem problem, List<String> tasks, List<String> servers) {
    private static final Pattern PAPER = Pattern.compile("(\\d{1,6})x(\\d{1,3})");

    /** What the job may hold. */
    record Rows(
            @Nullable Double center,
            @Nullable Double pod,
            @Nullable Double rack,
            @Nullable Path more,
            boolean serverRows) {}

    static PlanInput ofPaper(String size, long seed, boolean serverRows) {
        Matcher matcher = PAPER.matcher(size);
        if (!matcher.matches()) {
            throw new BadInputException(
                    "--paper '" + size + "' must be TASKSxARITY, e.g. 100x8 (100 tasks, 128 servers)");
        }
        try {
            FatTree tree = new FatTree(Integer.parseInt(matcher.group(2)));
            Problem problem = new PaperProblems(
                            Integer.parseInt(matcher.group(1)), tree, FatTree.Fractions.PAPER, serverRows)
                    .problem(seed);
            return new PlanInput(problem, numbered(problem.job().tasks()), numbered(tree.servers()));
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--paper " + size + ": " + e.getMessage(), e);
        }
    }

    private static List<String> numbered(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(Integer.toString(i));
        }
        return names;
    }

    static PlanInput read(@Nullable Path job, @Nullable Path servers, Rows rows, double energyBudget) {
        if (job == null || servers == null) {
            throw new BadInputException("plan needs the files JOB and SERVERS, or --paper TASKSxARITY");
        }
        List<NamedCsvRecord> serverRecords = records(servers, "server", "capacity");
        List<String> names = names(servers, serverRecords, "server");
        List<NamedCsvRecord> taskRecords = records(job, "load_s");
        try {
            ParallelJob tasks = job(job, taskRecords, serverRecords, names);
            Limits limits = limits(servers, serverRecords, names, rows);
            return new PlanInput(new Problem(tasks, limits, energyBudget), taskNames(taskRecords), names);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(job + ", " + servers + ": " + e.getMessage(), e);
        }
    }

    private static List<NamedCsvRecord> records(Path file, String... needed) {
        try (CsvReader<NamedCsvRecord> csv = CsvReader.builder().ofNamedCsvRecord(file)) {
            List<NamedCsvRecord> records = csv.stream().toList();
            if (records.isEmpty()) {
                throw new BadInputException(file + ": no rows");
            }
            for (String column : needed) {
                if (!records.get(0).getHeader().contains(column)) {
                    throw new BadInputException(file + ": column " + column + " is missing; there are "
                            + String.join(", ", records.get(0).getHeader()));
                }
            }
            return records;
        } catch (IOException e) {
            throw new BadInputException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static List<String> names(Path file, List<NamedCsvRecord> records, String column) {
        Map<String, Long> seen = new LinkedHashMap<>();
        for (NamedCsvRecord row : records) {
            Long before = seen.put(row.getField(column), row.getStartingLineNumber());
            if (before != null) {
                throw new BadInputException(file + ", line " + row.getStartingLineNumber() + ": " + column + " '"
                        + row.getField(column) + "' is in line " + before + " too");
            }
        }
        return List.copyOf(seen.keySet());
    }

    private static List<String> taskNames(List<NamedCsvRecord> records) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < records.size(); i++) {
            names.add(records.get(i).findField("task").orElse(Integer.toString(i)));
        }
        return names;
    }

    private static ParallelJob job(
            Path file, List<NamedCsvRecord> tasks, List<NamedCsvRecord> servers, List<String> names) {
        double[] load = new double[tasks.size()];
        double[] power = new double[tasks.size()];
        double[] efficiency = new double[tasks.size() * names.size()];
        boolean given = names.stream().anyMatch(tasks.get(0).getHeader()::contains)
                || servers.stream()
                        .anyMatch(server -> server.findField("class")
                                .filter(tasks.get(0).getHeader()::contains)
                                .isPresent());
        Arrays.fill(efficiency, 1);
        for (int i = 0; i < load.length; i++) {
            load[i] = number(file, tasks.get(i), "load_s");
            power[i] = tasks.get(i).getHeader().contains("power") ? number(file, tasks.get(i), "power") : 1;
            for (int j = 0; given && j < names.size(); j++) {
                efficiency[i * names.size() + j] =
                        number(file, tasks.get(i), column(file, tasks.get(i), names.get(j), servers.get(j)));
            }
        }
        return new ParallelJob(load, power, efficiency);
    }

    /** The efficiency column of a server: its own, or that of its class. */
    private static String column(Path file, NamedCsvRecord task, String name, NamedCsvRecord server) {
        if (task.getHeader().contains(name)) {
            return name;
        }
        String ofClass = server.findField("class").orElse("");
        if (!task.getHeader().contains(ofClass)) {
            throw new BadInputException(file + ": no efficiency column for server '" + name + "'"
                    + (ofClass.isEmpty() ? "" : ", nor for its class '" + ofClass + "'"));
        }
        return ofClass;
    }

    private static Limits limits(Path file, List<NamedCsvRecord> servers, List<String> names, Rows rows) {
        double[] capacity = new double[names.size()];
        for (int j = 0; j < capacity.length; j++) {
            capacity[j] = number(file, servers.get(j), "capacity");
            if (!(capacity[j] > 0)) {
                throw new BadInputException(file + ", line " + servers.get(j).getStartingLineNumber() + ": capacity "
                        + capacity[j] + ", must be above 0; leave the server out");
            }
        }
        Limits.Builder limits = Limits.over(names.size());
        if (rows.center != null) {
            double[] all = new double[names.size()];
            Arrays.fill(all, 1);
            limits.row(
                    "center",
                    part("--center", rows.center) * Arrays.stream(capacity).sum(),
                    all);
        }
        addGroups(limits, file, servers, "pod", rows.pod, capacity);
        addGroups(limits, file, servers, "rack", rows.rack, capacity);
        if (rows.more != null) {
            addMore(limits, rows.more, names);
        }
        return rows.serverRows ? limits.capacities(capacity).build() : limits.build();
    }

    private static void addGroups(
            Limits.Builder limits,
            Path file,
            List<NamedCsvRecord> servers,
            String column,
            @Nullable Double part,
            double[] capacity) {
        if (part == null) {
            return;
        }
        Map<String, double[]> groups = new LinkedHashMap<>();
        for (int j = 0; j < capacity.length; j++) {
            String group = servers.get(j).findField(column).orElse("");
            if (group.isEmpty()) {
                throw new BadInputException(file + ", line " + servers.get(j).getStartingLineNumber() + ": --" + column
                        + " needs the column " + column + " of every server");
            }
            groups.computeIfAbsent(group, unused -> new double[capacity.length])[j] = 1;
        }
        groups.forEach((group, members) -> {
            double sum = 0;
            for (int j = 0; j < members.length; j++) {
                sum += members[j] * capacity[j];
            }
            limits.row(column + " " + group, part("--" + column, part) * sum, members);
        });
    }

    private static void addMore(Limits.Builder limits, Path file, List<String> names) {
        Map<String, double[]> rows = new LinkedHashMap<>();
        Map<String, Double> bounds = new LinkedHashMap<>();
        for (NamedCsvRecord record : records(file, "row", "limit", "server")) {
            String where = file + ", line " + record.getStartingLineNumber() + ": ";
            int server = names.indexOf(record.getField("server"));
            if (server < 0) {
                throw new BadInputException(where + "there is no server '" + record.getField("server") + "'");
            }
            double bound = number(file, record, "limit");
            if (!(bound > 0)) {
                throw new BadInputException(where + "limit " + bound + " of row '" + record.getField("row")
                        + "' allows nothing, must be above 0");
            }
            Double before = bounds.putIfAbsent(record.getField("row"), bound);
            if (before != null && before != bound) {
                throw new BadInputException(where + "limit " + bound + " of row '" + record.getField("row")
                        + "', it was " + before + " above");
            }
            rows.computeIfAbsent(record.getField("row"), unused -> new double[names.size()])[server] =
                    record.getHeader().contains("coefficient") ? number(file, record, "coefficient") : 1;
        }
        rows.forEach((row, coefficients) -> limits.row(row, bounds.getOrDefault(row, 0.0), coefficients));
    }

    private static double part(String option, double part) {
        if (!(part > 0 && part <= 1)) {
            throw new BadInputException(option + " " + part + ", must be above 0 and at most 1");
        }
        return part;
    }

    private static double number(Path file, NamedCsvRecord record, String column) {
        String text = record.findField(column).orElse("").strip();
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new BadInputException(
                    file + ", line " + record.getStartingLineNumber() + ": " + column + " '" + text
                            + "' is not a number",
                    e);
        }
    }
}
