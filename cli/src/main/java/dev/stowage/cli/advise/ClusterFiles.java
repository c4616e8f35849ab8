package dev.stowage.cli.advise;

import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.stowage.cli.plan.NamedRows;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Constraints;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.sim.trace.ServerListReader;
import dev.stowage.study.advise.ClusterJob;
import dev.stowage.study.advise.ClusterServer;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.DisruptionBudget;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads a cluster from two CSV files, one of servers and one of jobs (docs/advise.md). */
final class ClusterFiles {
    private static final String RESOURCE = "[a-z][a-z0-9_]*_(milli|mib|ppm)|slots|pods";
    private static final List<String> SERVER_COLUMNS = List.of("name", "closed", "site");
    private static final List<String> JOB_COLUMNS =
            List.of("name", "server", "where", "avoid", "spread", "fixed", "budget");

    private final NamedRows serverRows;
    private final NamedRows jobRows;
    private final List<String> resources;
    private final List<String> serverNames;
    private final List<ClusterServer> servers = new ArrayList<>();
    private final Map<String, DisruptionBudget> budgets = new LinkedHashMap<>();

    private ClusterFiles(NamedRows serverRows, NamedRows jobRows) {
        this.serverRows = serverRows;
        this.jobRows = jobRows;
        Path serverFile = serverRows.file();
        List<String> header = serverRows.row(0).getHeader();
        resources = header.stream().filter(column -> column.matches(RESOURCE)).toList();
        if (resources.isEmpty()) {
            throw new BadInputException(serverFile + ": there is no resource column, such as cpu_milli or mem_mib");
        }
        List<String> known = new ArrayList<>(SERVER_COLUMNS);
        known.addAll(resources);
        header.stream().filter(column -> column.startsWith("label:")).forEach(known::add);
        serverRows.refuseOthers(
                known, String.join(", ", SERVER_COLUMNS) + ", label:KEY and resources such as cpu_milli");
        List<String> ofJobs = new ArrayList<>(JOB_COLUMNS);
        ofJobs.addAll(resources);
        jobRows.refuseOthers(ofJobs, String.join(", ", ofJobs));
        serverNames = serverRows.names("name");
    }

    /**
     * The cluster of two files.
     *
     * @throws BadInputException with file, line, value and what is allowed
     */
    static ClusterState read(Path servers, Path jobs) {
        return new ClusterFiles(
                        NamedRows.read(servers, "server", "", "name"),
                        NamedRows.read(jobs, "job", "", "name", "server"))
                .state();
    }

    /** Whether a file is a list of servers, and not one of those that are read here. */
    static boolean isOfAnotherSystem(Path servers) {
        if (!ServerListReader.recognises(servers)) {
            return false;
        }
        try (BufferedReader lines = Files.newBufferedReader(servers, StandardCharsets.ISO_8859_1)) {
            String header = lines.readLine();
            return header == null
                    || Arrays.stream(header.split(",", -1))
                            .map(column -> column.strip().replace("\"", ""))
                            .noneMatch(column -> column.matches(RESOURCE) || column.equals("name"));
        } catch (IOException e) {
            return false;
        }
    }

    private ClusterState state() {
        serverRows.all().forEach(row -> servers.add(server(row)));
        jobRows.names("name");
        ClusterRules rules = ClusterRules.withoutSites(servers);
        jobRows.all().forEach(row -> rules.add(constraints(row)));
        List<ClusterJob> jobs = new ArrayList<>();
        jobRows.all().forEach(row -> jobs.add(job(row, rules)));
        return new ClusterState(resources, servers, jobs, rules.rules(), List.copyOf(budgets.values()));
    }

    private ClusterServer server(NamedCsvRecord row) {
        TreeMap<String, String> labels = new TreeMap<>();
        for (String column : row.getHeader()) {
            String value = row.getField(column).strip();
            if (column.startsWith("label:") && !value.isEmpty()) {
                labels.put(column.substring("label:".length()), value);
            }
        }
        if (!text(row, "site").isEmpty()) {
            labels.putIfAbsent("site", text(row, "site"));
        }
        long[] capacity = resources.stream()
                .mapToLong(resource -> (long) Math.floor(serverRows.number(row, resource)))
                .toArray();
        String closed = text(row, "closed");
        return new ClusterServer(
                row.getField("name"), capacity, labels, closed.isEmpty() ? "" : "is closed: " + closed);
    }

    private static String text(NamedCsvRecord row, String column) {
        return row.findField(column).orElse("").strip();
    }

    private static List<String> parts(NamedCsvRecord row, String column) {
        String text = text(row, column);
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(";", -1)).map(String::strip).toList();
    }

    private Constraints constraints(NamedCsvRecord row) {
        List<Integer> avoided =
                parts(row, "avoid").stream().map(name -> server(row, name)).toList();
        return BadInputException.saying(
                jobRows.at(row),
                () -> new ConstraintWords(parts(row, "where"), List.of(), parts(row, "spread"))
                        .meaning(List.of(), avoided));
    }

    private int server(NamedCsvRecord row, String name) {
        int at = serverNames.indexOf(name);
        if (at < 0) {
            throw new BadInputException(
                    jobRows.at(row) + "there is no server '" + name + "'" + Suggestion.of(name, serverNames));
        }
        return at;
    }

    private ClusterJob job(NamedCsvRecord row, ClusterRules rules) {
        long[] demand = resources.stream()
                .mapToLong(resource -> jobRows.has(resource) ? (long) Math.ceil(jobRows.number(row, resource)) : 0)
                .toArray();
        Constraints constraints = constraints(row);
        String fixed = text(row, "fixed");
        String server = text(row, "server");
        return new ClusterJob(
                row.getField("name"),
                demand,
                server.isEmpty() ? ClusterJob.WAITS : server(row, server),
                rules.admission(constraints),
                fixed.isEmpty() ? ClusterJob.Hold.MOVABLE : ClusterJob.Hold.FIXED,
                fixed,
                rules.boundBy(constraints),
                rules.countedBy(constraints),
                budgets(row));
    }

    private List<Integer> budgets(NamedCsvRecord row) {
        List<Integer> numbers = new ArrayList<>();
        for (String text : parts(row, "budget")) {
            String[] parts = text.split(":", -1);
            if (parts.length != 2 || !parts[1].matches("\\d{1,9}")) {
                throw new BadInputException(jobRows.at(row) + "budget '" + text + "' must be NAME:MOST, as in db:1");
            }
            DisruptionBudget budget = new DisruptionBudget(parts[0], Integer.parseInt(parts[1]));
            DisruptionBudget before = budgets.putIfAbsent(parts[0], budget);
            if (before != null && before.most() != budget.most()) {
                throw new BadInputException(
                        jobRows.at(row) + "budget '" + text + "' contradicts " + before.most() + " above");
            }
            numbers.add(List.copyOf(budgets.keySet()).indexOf(parts[0]));
        }
        return numbers;
    }
}
