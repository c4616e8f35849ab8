package dev.stowage.cli.plan;

import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.policies.parallel.FatTree;
import dev.stowage.policies.parallel.Limits;
import dev.stowage.policies.parallel.PaperProblems;
import dev.stowage.policies.parallel.ParallelJob;
import dev.stowage.policies.parallel.PlanningProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The job and the servers of {@code stowage plan}, and their names. */
record PlanInput(PlanningProblem problem, List<String> tasks, List<String> servers) {
    private static final Pattern PAPER = Pattern.compile("(\\d{1,6})x(\\d{1,3})");

    /** Efficiencies are kept for each pair of a task and a server: 8 bytes each. */
    private static final long MOST_PAIRS = 50_000_000;

    private static final double MOST_ENERGY = 1e30;
    private static final double LEAST_EFFICIENCY = 1e-6;
    private static final String NO_JOB = "; 'stowage plan' is about one job of many tasks: how many hosts a list of VMs"
            + " needs is a question for 'stowage size'";
    private static final List<String> TASK_COLUMNS = List.of("task", "load_s", "power");
    private static final List<String> SERVER_COLUMNS = List.of("server", "capacity", "rack", "pod", "class");

    /**
     * Where the limits of the job come from.
     *
     * @param fatTree arity; without it racks and pods are columns of the servers' file
     * @param more file of further rows
     * @param serverRows whether the capacity of each server is a row
     */
    record LimitSources(
            @Nullable Double center,
            @Nullable Double pod,
            @Nullable Double rack,
            @Nullable Integer fatTree,
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
            checkSize(Integer.parseInt(matcher.group(1)), tree.servers());
            PlanningProblem problem = new PaperProblems(
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

    /**
     * Reads the files.
     *
     * @throws BadInputException with file, line, value and what is allowed
     */
    static PlanInput read(@Nullable Path job, @Nullable Path servers, LimitSources rows, double energyBudget) {
        if (job == null || servers == null) {
            throw new BadInputException("plan needs the files JOB and SERVERS, or --paper TASKSxARITY");
        }
        checkBudget(energyBudget);
        NamedRows serverRows = NamedRows.read(servers, "server", NO_JOB, "server", "capacity");
        NamedRows taskRows = NamedRows.read(job, "task", NO_JOB, "load_s");
        serverRows.refuseOthers(SERVER_COLUMNS, "server, capacity, rack, pod and class");
        List<String> names = serverRows.names("server");
        List<String> tasks = taskRows.has("task") ? taskRows.names("task") : numbered(taskRows.count());
        checkSize(tasks.size(), names.size());
        ParallelJob parallel = job(taskRows, serverRows, names);
        Limits limits = new PlanLimits(serverRows, names).of(rows);
        for (int i = 0; i < tasks.size(); i++) {
            if (!canRun(parallel, i, names.size())) {
                throw new BadInputException(taskRows.at(taskRows.row(i)) + "task '" + tasks.get(i)
                        + "' can run on no server: its efficiency is 0 on all " + names.size());
            }
        }
        PlanningProblem problem = new PlanningProblem(parallel, limits, energyBudget);
        if (energyBudget == 0 && !problem.isInfeasible()) {
            throw new BadInputException("--energy-budget 0.0 has no effect on tasks whose power is 0: leave the budget"
                    + " out, or give the tasks of " + job + " a power above 0");
        }
        return new PlanInput(problem, tasks, names);
    }

    private static void checkBudget(double energyBudget) {
        if (!(energyBudget >= 0)) {
            throw new BadInputException("--energy-budget " + energyBudget + " must be at least 0");
        }
        boolean small = energyBudget > 0 && energyBudget < NamedRows.LEAST;
        if (small || (energyBudget > MOST_ENERGY && energyBudget < Double.POSITIVE_INFINITY)) {
            throw new BadInputException("--energy-budget " + energyBudget + " must be from " + NamedRows.LEAST + " to "
                    + MOST_ENERGY + "; choose another unit, or leave it out");
        }
    }

    private static void checkSize(long tasks, long servers) {
        if (tasks * servers > MOST_PAIRS) {
            throw new BadInputException(String.format(
                    Locale.ROOT, "%,d tasks x %,d servers must be at most %,d pairs", tasks, servers, MOST_PAIRS));
        }
    }

    private static boolean canRun(ParallelJob job, int task, int servers) {
        for (int j = 0; j < servers; j++) {
            if (job.efficiency(task, j) > 0) {
                return true;
            }
        }
        return false;
    }

    private static ParallelJob job(NamedRows tasks, NamedRows servers, List<String> names) {
        double[] load = new double[tasks.count()];
        double[] power = new double[load.length];
        double[] efficiency = new double[load.length * names.size()];
        boolean given = hasEfficiencies(tasks, servers, names);
        Arrays.fill(efficiency, 1);
        for (int i = 0; i < load.length; i++) {
            NamedCsvRecord task = tasks.row(i);
            load[i] = tasks.positive(task, "load_s", "; leave the task out");
            power[i] = tasks.has("power") ? tasks.number(task, "power") : 1;
            for (int j = 0; given && j < names.size(); j++) {
                String column = column(tasks, names.get(j), servers.row(j));
                double value = tasks.number(task, column);
                if (value > 1 || (value != 0 && value < LEAST_EFFICIENCY)) {
                    throw new BadInputException(tasks.at(task) + "efficiency " + value + " on " + column
                            + " must be from " + LEAST_EFFICIENCY + " to 1, or 0 (cannot run)");
                }
                efficiency[i * names.size() + j] = value;
            }
        }
        return new ParallelJob(load, power, efficiency);
    }

    /** Whether there are columns of efficiencies; a column with no other meaning must be one. */
    private static boolean hasEfficiencies(NamedRows tasks, NamedRows servers, List<String> names) {
        Set<String> known = new LinkedHashSet<>(names);
        servers.all().forEach(server -> server.findField("class").ifPresent(known::add));
        for (String column : TASK_COLUMNS) {
            if (known.contains(column)) {
                throw new BadInputException(servers.file() + ": '" + column
                        + "' is a column of the job and cannot be the name of a server or class");
            }
        }
        boolean given = known.stream().anyMatch(tasks::has);
        known.addAll(TASK_COLUMNS);
        tasks.refuseOthers(known, "task, load_s, power, and servers or their classes for efficiencies");
        return given;
    }

    /** The efficiency column of a server: its own, or that of its class. */
    private static String column(NamedRows tasks, String name, NamedCsvRecord server) {
        if (tasks.has(name)) {
            return name;
        }
        String ofClass = server.findField("class").orElse("");
        if (!tasks.has(ofClass)) {
            throw new BadInputException(tasks.file() + ": no efficiency column for server '" + name + "'"
                    + (ofClass.isEmpty() ? "" : ", nor for its class '" + ofClass + "'"));
        }
        return ofClass;
    }
}
