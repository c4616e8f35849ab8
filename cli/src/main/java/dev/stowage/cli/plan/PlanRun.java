package dev.stowage.cli.plan;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.policies.parallel.Allocation;
import dev.stowage.policies.parallel.Plan;
import dev.stowage.policies.parallel.Planner;
import dev.stowage.policies.parallel.Planners;
import dev.stowage.policies.parallel.Relaxation;
import dev.stowage.report.AnswerPage;
import dev.stowage.study.planner.EnergyCurve;
import dev.stowage.study.planner.PlannerKeys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Carries out {@code stowage plan}. */
final class PlanRun {
    /** Relative; such differences of two times are those of sums in floating point. */
    private static final double ROUNDING = 1e-9;

    /**
     * A budget that is closer than this to the least energy is tight: a little more energy would shorten the job
     * considerably.
     */
    private static final double TIGHT = 0.01;

    private final PlanInput input;
    private final Console console;
    private final boolean withBound;
    private final boolean wholeTasks;
    private final ReportOption report;

    PlanRun(PlanInput input, Console console, boolean noBound, boolean wholeTasks, ReportOption report) {
        this.input = input;
        this.console = console;
        this.withBound = !noBound;
        this.wholeTasks = wholeTasks;
        this.report = report;
    }

    /**
     * The files of the pictures.
     *
     * @param plan the plan, or null
     * @param energy completion time against energy, or null
     */
    record Pictures(@Nullable Path plan, @Nullable Path energy) {}

    /** Lower bounds of the completion time. */
    private record Bounds(
            Relaxation relaxation,
            double longestTask,
            @Nullable Double wholeTasks) {
        boolean ofOneTask() {
            return longestTask > relaxation.bound();
        }

        double greatest() {
            return wholeTasks == null ? greater() : Math.max(greater(), wholeTasks);
        }

        double greater() {
            return Math.max(longestTask, relaxation.bound());
        }
    }

    /** Plans and shows; the exit code, 1 if the problem is infeasible. */
    int show(String key, String allocation, long seed, OutputFormat format, Pictures pictures) {
        Planner planner = planner(key, allocationOf(allocation));
        StatusLine status = new StatusLine(console);
        try {
            status.step("stowage: planning " + input.tasks().size() + " tasks with " + key);
            return show(planner.plan(input.problem(), seed), key, format, pictures, status);
        } finally {
            status.clear();
        }
    }

    private int show(Plan plan, String key, OutputFormat format, Pictures pictures, StatusLine status) {
        if (!plan.feasible()) {
            status.clear();
            showMissing(plan, format);
            return 1;
        }
        plan.relaxation().ifPresent(this::noteSource);
        String svg = new PlanPicture(plan, input.tasks(), input.servers()).svg();
        if (pictures.plan() != null) {
            ReportOption.write(pictures.plan(), svg, console);
        }
        boolean asked = withBound && (format != OutputFormat.CSV || report.asked());
        status.step("stowage: computing the lower bound");
        Bounds bounds = asked ? bound(plan) : null;
        Columns tasks = tasks(plan);
        AnswerParts answer = answer(plan, bounds, tasks);
        answer.onPage(new AnswerPage.Drawing("When tasks run, and the shares of servers.", svg));
        if (pictures.energy() != null) {
            status.step("stowage: computing completion time by energy budget");
            AnswerPage.Chart energy = EnergyPicture.of(plan);
            answer.onPage(energy);
            ReportOption.write(pictures.energy(), energy.svg("energy"), console);
        }
        answer.onPage(new AnswerPage.Heading("Tasks"));
        answer.onPage(tasks.part(tasks.size()));
        status.clear();
        answer.print(format, () -> Data.json(data(plan, bounds)), () -> csv(plan));
        report.write(answer, "A plan for a job of " + input.tasks().size() + " tasks", Map.of("Planner", List.of(key)));
        return 0;
    }

    private void print(String text) {
        console.out().print(text);
    }

    private void showMissing(Plan plan, OutputFormat format) {
        switch (format) {
            case TABLE -> print(console.wrapped("", missing(plan)));
            case JSON -> print(Data.json(data(plan, null)));
            case CSV -> print(csv(plan));
        }
        if (format != OutputFormat.TABLE) {
            console.warn(missing(plan));
        }
    }

    /** The relaxation; the planner's if it solved one. */
    private Bounds bound(Plan plan) {
        Relaxation known = plan.relaxation().orElseGet(() -> {
            Relaxation relaxation = Planners.relax(plan.problem(), LinearSolvers.best());
            noteSource(relaxation);
            return relaxation;
        });
        return new Bounds(
                known,
                Planners.longestTaskBound(plan.problem()),
                wholeTasks
                        ? Planners.wholeTaskBound(plan.problem(), known, plan.completion(), LinearSolvers.best())
                        : null);
    }

    /** Reports that a solver gave up, its message, and what was done instead. */
    private void noteSource(Relaxation relaxation) {
        if (relaxation.source() != Relaxation.PriceSource.SOLVER) {
            console.note("relaxed program: " + relaxation.givenUp() + "; instead: " + from(relaxation));
        }
    }

    private static String from(Relaxation relaxation) {
        return switch (relaxation.source()) {
            case SOLVER -> "relaxed program";
            case OJALGO -> "relaxed program, solved by ojAlgo";
            case LAST_ROUND -> "relaxed program, the best bound before the solvers gave up";
            case CLOSED_FORM -> "closed form, without a linear program";
        };
    }

    private static Planner planner(String key, Allocation allocation) {
        try {
            return PlannerKeys.planner(key, allocation);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(
                    "--planner " + (String.valueOf(e.getMessage()).startsWith("'") ? "" : key + ": ") + e.getMessage(),
                    e);
        }
    }

    /** Whether a planner uses its seed. */
    static boolean draws(String key) {
        return !Set.of("tapra", "tapra-fast", "min-min").contains(key);
    }

    private static Allocation allocationOf(String key) {
        return BadInputException.saying("--allocation ", () -> PlannerKeys.allocation(key));
    }

    private static String missing(Plan plan) {
        return format(
                "INFEASIBLE: the least energy is %s, which is %s more than the budget, %s",
                number(plan.energy(), 2),
                number(plan.missingEnergy(), 2),
                number(plan.problem().energyBudget(), 2));
    }

    private Columns tasks(Plan plan) {
        Columns columns = new Columns("task", "load (s)", "server", "efficiency", "amount", "time (s)", "energy");
        for (int i = 0; i < input.tasks().size(); i++) {
            columns.row(
                    input.tasks().get(i),
                    number(plan.problem().job().load(i), 2),
                    input.servers().get(plan.server(i)),
                    format("%.3f", plan.problem().job().efficiency(i, plan.server(i))),
                    number(plan.amount(i), 4),
                    number(plan.time(i), 3),
                    number(plan.problem().job().energy(i, plan.server(i)), 2));
        }
        return columns;
    }

    /** The answer without pictures; the tasks, of which there may be many, are on the page below these. */
    private AnswerParts answer(Plan plan, @Nullable Bounds bounds, Columns tasks) {
        double budget = plan.problem().energyBudget();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Completion time", number(plan.completion(), 4) + " s");
        facts.put(
                "Energy",
                number(plan.energy(), 2) + (Double.isInfinite(budget) ? "" : " of at most " + number(budget, 2)));
        facts.put("Resource held", number(plan.totalAmount(), 4));
        facts.put("Tight budget", tightBudget(plan));
        if (bounds != null) {
            String divided = bound(
                    plan, bounds.greater(), bounds.ofOneTask() ? "the longest task alone" : from(bounds.relaxation()));
            Double whole = bounds.wholeTasks();
            String undivided = whole == null ? "" : bound(plan, whole, "tasks not divided");
            boolean isWhole = whole != null && whole > bounds.greater();
            facts.put("Lower bound", isWhole ? undivided : divided);
            facts.put("A weaker bound", isWhole ? divided : undivided);
        }
        AnswerParts answer = new AnswerParts(console);
        answer.firstOfPage("The job is complete after " + facts.get("Completion time") + "."
                + (bounds == null ? "" : noEarlier(plan, bounds.greatest())));
        answer.onConsole(tasks.text(console.style()));
        answer.gap();
        List<String> lines = new ArrayList<>();
        facts.forEach((name, value) -> {
            if (!value.isEmpty()) {
                answer.onConsole(console.wrapped(format("%-17s", name), value));
                lines.add(name + ": " + value);
            }
        });
        answer.onPage(new AnswerPage.Points(lines));
        return answer;
    }

    private static String bound(Plan plan, double bound, String from) {
        return format("%s s (%s); gap %.2f %%", number(bound, 4), from, gap(plan, bound));
    }

    /** Percent; a plan that attains the bound may be below it in the last bit. */
    private static double gap(Plan plan, double bound) {
        return Math.max(0, 100 * (plan.completion() / bound - 1));
    }

    private static String noEarlier(Plan plan, double bound) {
        return plan.completion() <= bound * (1 + ROUNDING)
                ? " No plan completes it earlier."
                : " No plan completes it before " + number(bound, 4) + " s: this one takes at most "
                        + format("%.2f", Math.ceil(100 * gap(plan, bound)) / 100) + " % longer than the best.";
    }

    /** The gain from one percent more energy if the budget is close to the least; else empty. */
    private static String tightBudget(Plan plan) {
        double least = plan.problem().minimumEnergy();
        double budget = plan.problem().energyBudget();
        if (budget >= least * (1 + TIGHT)) {
            return "";
        }
        double completion =
                EnergyCurve.thrifty(plan.problem(), budget * (1 + TIGHT)).completion();
        return format(
                "%.2g %% above the least energy, %s; with 1 %% more, planner thrifty completes the job after %s s",
                100 * (budget / least - 1), number(least, 2), number(completion, 4));
    }

    private Map<String, Object> data(Plan plan, @Nullable Bounds bounds) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("status", plan.feasible() ? "feasible" : "infeasible");
        data.put("energy", plan.energy());
        if (!Double.isInfinite(plan.problem().energyBudget())) {
            data.put("energy_budget", plan.problem().energyBudget());
        }
        if (!plan.feasible()) {
            data.put("missing_energy", plan.missingEnergy());
            return data;
        }
        data.put("completion_s", plan.completion());
        if (bounds != null) {
            Relaxation relaxation = bounds.relaxation();
            data.put("bound_s", bounds.greater());
            data.put("gap", plan.completion() / bounds.greater() - 1);
            data.put(
                    "bound_from",
                    bounds.ofOneTask()
                            ? "longest_task"
                            : relaxation.source().name().toLowerCase(Locale.ROOT));
            if (bounds.wholeTasks() != null) {
                data.put("whole_task_bound_s", bounds.wholeTasks());
            }
        }
        data.put("amount_total", plan.totalAmount());
        List<Map<String, Object>> tasks = new ArrayList<>();
        for (int i = 0; i < input.tasks().size(); i++) {
            Map<String, Object> task = new LinkedHashMap<>();
            task.put("task", input.tasks().get(i));
            task.put("server", input.servers().get(plan.server(i)));
            task.put("amount", plan.amount(i));
            task.put("time_s", plan.time(i));
            task.put("energy", plan.problem().job().energy(i, plan.server(i)));
            tasks.add(task);
        }
        data.put("tasks", tasks);
        return data;
    }

    private String csv(Plan plan) {
        Data.Csv csv = new Data.Csv("task", "server", "amount", "time_s", "energy");
        for (int i = 0; plan.feasible() && i < input.tasks().size(); i++) {
            csv.row(
                    input.tasks().get(i),
                    input.servers().get(plan.server(i)),
                    Double.toString(plan.amount(i)),
                    Double.toString(plan.time(i)),
                    Double.toString(plan.problem().job().energy(i, plan.server(i))));
        }
        return csv.text();
    }

    /** With this many decimals, or more if a small number would look like 0. */
    private static String number(double value, int places) {
        boolean small = value != 0 && Math.abs(value) < StrictMath.pow(10, -places);
        return small ? format("%.3g", value) : format("%,." + places + "f", value);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values).replace("\r\n", "\n");
    }
}
