package dev.stowage.study.planner;

import dev.stowage.policies.parallel.Allocation;
import dev.stowage.policies.parallel.FatTree;
import dev.stowage.policies.parallel.PaperProblems;
import dev.stowage.policies.parallel.Planner;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.ExperimentTree;
import dev.stowage.sim.experiment.Problem;
import dev.stowage.sim.experiment.YamlFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a study of planners from YAML; docs/experiments.md describes its keys. */
public final class PlannerStudyReader {
    private static final int MOST_PROBLEMS = 100_000;
    private static final int MOST_TASKS = 1 << 21;
    private static final int LARGEST_ARITY = 256;

    private final List<Problem> problems = new ArrayList<>();

    private PlannerStudyReader() {}

    /**
     * Reads a study.
     *
     * @param source name of the file, for messages
     * @throws ExperimentException with all mistakes
     */
    public static PlannerStudy read(String source, ExperimentTree tree) {
        return new PlannerStudyReader().study(source, tree);
    }

    private PlannerStudy study(String source, ExperimentTree tree) {
        Map<Map<String, String>, PaperProblems> sizes = new LinkedHashMap<>();
        Map<String, Planner> planners = Map.of();
        String name = "";
        int count = 0;
        for (ExperimentTree.Point point : tree.points()) {
            YamlFields root = new YamlFields(point.tree(), "", problems);
            name = name(root.at("name"));
            root.at("title").text("");
            root.at("description").text("");
            root.at("sweep");
            YamlFields planning = root.at("planning");
            if (planning.isObject("{tasks: 100, servers: 128, problems: 50, planners: [tapra, gsa]}")) {
                count = (int) planning.at("problems").whole(PlannerStudy.PROBLEMS, 1, MOST_PROBLEMS);
                int tasks = (int) planning.at("tasks").whole(100, 1, MOST_TASKS);
                int arity = arity(planning.at("servers"));
                planners = planners(planning.at("planners"));
                planning.rejectUnknown();
                sizes.put(point.values(), PaperProblems.of(tasks, arity));
            }
            root.rejectUnknown();
        }
        if (!problems.isEmpty()) {
            throw new ExperimentException(
                    source, tree.written(), problems.stream().distinct().toList());
        }
        return new PlannerStudy(name, tree.hash(), tree.resolvedYaml(), count, sizes, planners);
    }

    private static String name(YamlFields at) {
        String name = at.text("planners");
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            at.problem("'" + name + "' must consist of letters, digits, '.', '_' and '-': it names a directory");
        }
        return name;
    }

    /** Arity of the fat tree with that many servers. */
    private static int arity(YamlFields at) {
        long servers = at.whole(128, 2, Integer.MAX_VALUE);
        for (int arity = 2; arity <= LARGEST_ARITY; arity += 2) {
            if (new FatTree(arity).servers() == servers) {
                return arity;
            }
        }
        at.problem(servers + " must be the servers of a fat tree, y^3/4 with y even: 16, 54, 128, 250, 432, 686, 1024");
        return 2;
    }

    private static Map<String, Planner> planners(YamlFields at) {
        Map<String, Planner> planners = new LinkedHashMap<>();
        if (at.elements().isEmpty()) {
            at.problem("is missing: at least one of " + PlannerKeys.PLANNERS);
        }
        for (YamlFields element : at.elements()) {
            boolean object = element.node().isObject();
            String key = (object ? element.at("planner") : element).requiredText("a planner's key");
            YamlFields allocationAt = object ? element.at("allocation") : element;
            try {
                Allocation allocation =
                        PlannerKeys.allocation(object ? allocationAt.text("equation-16") : "equation-16");
                if (planners.put(PlannerKeys.label(key, allocation), PlannerKeys.planner(key, allocation)) != null) {
                    element.problem("is listed twice");
                }
            } catch (IllegalArgumentException e) {
                element.problem(String.valueOf(e.getMessage()));
            }
            if (object) {
                element.rejectUnknown();
            }
        }
        return planners;
    }
}
