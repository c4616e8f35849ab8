package dev.stowage.cli.experiment;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Failures;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.policies.Policies;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.report.ResultsReader;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.experiment.ExperimentTree;
import dev.stowage.sim.experiment.PolicyNeeds;
import dev.stowage.sim.experiment.Problem;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.MissingFile;
import dev.stowage.sim.trace.SaidColumns;
import dev.stowage.sim.trace.ServerListReader;
import dev.stowage.sim.trace.TraceReader;
import dev.stowage.study.load.Chance;
import dev.stowage.study.planner.PlannerStudy;
import dev.stowage.study.planner.PlannerStudyReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An experiment before it is read.
 *
 * @param name for messages: a file, or the name of a built-in one
 * @param text YAML
 * @param base directory against which the files it names are resolved
 * @param overrides {@code path=value}
 * @param usualPolicies its policies if none were asked for: those that cannot place its requests are left out
 * @param serversOption the option that gives its servers
 * @param said of its requests, where they are not those of the files that it names
 */
public record ExperimentSource(
        String name,
        String text,
        Path base,
        List<String> overrides,
        List<String> usualPolicies,
        String serversOption,
        List<Remark> said) {
    private static final String SERVERS = "--servers";
    /** The option whose kinds are the servers where none is there. */
    static final String OFFERS = "--buy";

    private static final Path HERE = Path.of("");
    private static final int MOST_NAMED = 3;
    private static final Pattern YAML = Pattern.compile(".*\\.ya?ml", Pattern.CASE_INSENSITIVE);
    private static final Pattern TABLE =
            Pattern.compile(".*\\.(csv|tsv|tab|txt|psv|xlsx|swf|parquet|sqlite)(\\.gz)?", Pattern.CASE_INSENSITIVE);

    /** With policies that were asked for. */
    public ExperimentSource(String name, String text, Path base, List<String> overrides) {
        this(name, text, base, overrides, List.of(), SERVERS, List.of());
    }

    /** An experiment of options alone. */
    static ExperimentSource ofOptions() {
        return new ExperimentSource("options", "{}", HERE, List.of());
    }

    /** A file, or a built-in experiment. */
    public static ExperimentSource find(String experiment) {
        Path file = Path.of(PipedFile.of(experiment));
        if (!Files.exists(file) && BuiltInExperiments.all().contains(experiment)) {
            return builtIn(experiment);
        }
        if (isTable(experiment)) {
            throw new BadInputException(
                    experiment + ": is a table, not an experiment (YAML); see what is in it with: stowage trace guess "
                            + experiment);
        }
        Path directory = PipedFile.isCopy(file) ? null : file.getParent();
        return new ExperimentSource(experiment, read(file), directory == null ? HERE : directory, List.of());
    }

    /** Whether this is a file with rows, and not an experiment: by its name, else if a format recognises it. */
    static boolean isTable(String experiment) {
        Path file = Path.of(experiment);
        return Files.isRegularFile(file)
                && !YAML.matcher(experiment).matches()
                && (TABLE.matcher(experiment).matches()
                        || TraceReader.isKubernetes(file)
                        || TraceReader.recognises(file));
    }

    static ExperimentSource builtIn(String experiment) {
        return new ExperimentSource(experiment, BuiltInExperiments.text(experiment), HERE, List.of());
    }

    /** The same with overrides. */
    public ExperimentSource with(List<String> more) {
        more.stream().filter(each -> each.indexOf('=') < 1).findFirst().ifPresent(each -> {
            throw new BadInputException("--set '" + each + "' must be PATH=VALUE, as in workload.azure-like.days=5");
        });
        return new ExperimentSource(name, text, base, more, usualPolicies, serversOption, said);
    }

    /** The same without an override; itself if it has no such. */
    public ExperimentSource without(String override) {
        return new ExperimentSource(
                name,
                text,
                base,
                overrides.stream().filter(each -> !each.equals(override)).toList(),
                usualPolicies,
                serversOption,
                said);
    }

    /** The same, of whose policies those that cannot place its requests are left out. */
    ExperimentSource withUsual(List<String> policies) {
        return new ExperimentSource(name, text, base, overrides, policies, serversOption, said);
    }

    /** The same, of whose requests this is said. */
    ExperimentSource saying(List<Remark> remarks) {
        return new ExperimentSource(name, text, base, overrides, usualPolicies, serversOption, remarks);
    }

    /** The same, in whose mistakes this option gives the servers. */
    ExperimentSource withServersOf(String option) {
        return new ExperimentSource(name, text, base, overrides, usualPolicies, option, said);
    }

    /**
     * The same, of whose tables only the rows are read that have a value in a column.
     *
     * @param column of the requests
     * @param ofServers that of the servers; empty if these are no table
     */
    ExperimentSource withOnly(String column, String ofServers, String value) {
        List<String> others = new ArrayList<>(overrides);
        others.add(Overrides.OWN_FORMAT);
        others.add(Overrides.ROWS + "in=" + Overrides.text(column));
        others.add(Overrides.ROWS + "with=" + Overrides.text(value));
        if (!ofServers.isEmpty()) {
            others.add(Overrides.SERVER_ROWS + "in=" + Overrides.text(ofServers));
            others.add(Overrides.SERVER_ROWS + "with=" + Overrides.text(value));
        }
        return new ExperimentSource(name, text, base, others, usualPolicies, serversOption, said);
    }

    /** The same with the kinds of servers that an option gives, in words or as a file, in place of its own. */
    public ExperimentSource withKinds(String option, String servers) {
        List<String> others = new ArrayList<>();
        others.add("cluster=" + Overrides.cluster(option, servers, true, base));
        // Of a list that is the servers, too, what is said of its columns holds. Of another, that it has no column that
        // says how long these take to be delivered, and which says the site, if it has that.
        String columns = option.equals(serversOption)
                ? serverColumns()
                : SaidColumns.items(serverColumns()).stream()
                        .map(String::strip)
                        .filter(each -> each.equals("lead=")
                                || (each.matches("site\\s*=.+")
                                        && Files.exists(Path.of(servers))
                                        && ServerListReader.hasColumn(
                                                Path.of(servers),
                                                each.substring(each.indexOf('=') + 1)
                                                        .strip())))
                        .collect(Collectors.joining(","));
        if (!columns.isEmpty()) {
            others.add(Overrides.SERVER_COLUMNS + "=" + Overrides.text(columns));
        }
        overrides.stream()
                .filter(each -> !each.startsWith("cluster=") && !each.startsWith("cluster.server-"))
                .forEach(others::add);
        others.add("size.spare-site=false");
        return with(others).withServersOf(option);
    }

    /** The same, of whose list of servers no column says at which site they are. */
    public ExperimentSource withoutSites() {
        String path = Overrides.SERVER_COLUMNS + "=";
        return new ExperimentSource(
                name,
                text,
                base,
                overrides.stream()
                        .map(each -> each.startsWith(path)
                                ? path + Overrides.text(withoutSite(Overrides.textOf(each.substring(path.length()))))
                                : each)
                        .toList(),
                usualPolicies,
                serversOption,
                said);
    }

    private static String withoutSite(String columns) {
        return Stream.of(columns.split(",", -1))
                .filter(each -> !each.strip().matches("site\\s*=.*"))
                .collect(Collectors.joining(","));
    }

    /** What is said of the columns of a list of servers; empty if nothing is. */
    public String serverColumns() {
        String path = Overrides.SERVER_COLUMNS + "=";
        return overrides.stream()
                .filter(each -> each.startsWith(path))
                .map(each -> Overrides.textOf(each.substring(path.length())))
                .reduce("", (before, last) -> last);
    }

    /** The same, with servers that are not overcommitted and of which no part is kept free; itself if none are. */
    public ExperimentSource withWholeServers() {
        ExperimentTree tree = tree();
        String whole = tree.withWholeServers();
        String places = text.lines()
                .takeWhile(line -> line.startsWith("#"))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
        return whole.equals(tree.resolvedYaml())
                ? this
                : new ExperimentSource(name, places + whole, base, List.of()).saying(said);
    }

    /** The same, with a line on the console while its requests are read. */
    public ReadExperiment experiment(Console console) {
        return StatusLine.during(console, "stowage: reading " + name, this::experiment);
    }

    /** The experiment, read and checked. */
    public ReadExperiment experiment() {
        try {
            ReadExperiment read = read().noting(said);
            boolean seeded = overrides.stream().anyMatch(each -> each.startsWith("seed="));
            return seeded && read.points().stream().noneMatch(Chance::in)
                    ? read.noting(List.of(Remark.plain(
                            "--seed changes nothing here: the requests are given, and no policy draws anything at"
                                    + " random. Only 'size --resample' would")))
                    : read;
        } catch (ExperimentException e) {
            throw new ExperimentException(
                    name,
                    e.problems().stream().map(this::asTyped).map(this::orBeside).toList());
        }
    }

    private ReadExperiment read() {
        try {
            return ExperimentReader.read(name, text, base, overrides, new Policies());
        } catch (ExperimentException e) {
            Map<String, Set<String>> left = new LinkedHashMap<>();
            for (Problem each : hasUsualPolicies() ? e.problems() : List.<Problem>of()) {
                PolicyNeeds.Unmet why = each.unmet();
                if (why == null) {
                    throw e;
                }
                left.computeIfAbsent(why.what(), any -> new LinkedHashSet<>()).add(why.policy());
            }
            List<String> able = new ArrayList<>(usualPolicies);
            left.values().forEach(able::removeAll);
            if (able.isEmpty() || left.isEmpty()) {
                throw e;
            }
            List<String> others = new ArrayList<>(overrides);
            others.replaceAll(each -> each.startsWith("policies=") ? Overrides.policies(able) : each);
            ReadExperiment read = ExperimentReader.read(name, text, base, others, new Policies());
            for (Map.Entry<String, Set<String>> each : left.entrySet()) {
                read = read.noting(List.of(Remark.plain("of the default policies not compared, as they do not "
                        + each.getKey() + ": " + String.join(", ", each.getValue()))));
            }
            return read;
        }
    }

    /** Whether no override says of policies anything but the usual ones. */
    private boolean hasUsualPolicies() {
        return !usualPolicies.isEmpty()
                && overrides.stream()
                        .filter(each -> each.matches("policies[=.\\[].*"))
                        .toList()
                        .equals(List.of(Overrides.policies(usualPolicies)));
    }

    /** Of an experiment beside results: where its files may be. */
    private Problem orBeside(Problem problem) {
        return problem.fileMissing() && Files.exists(Path.of(name).resolveSibling(ResultsReader.RESULTS))
                ? problem.saying(problem.message() + (problem.message().endsWith("?") ? " It" : "; it")
                        + " may also be beside " + Path.of(name).getFileName())
                : problem;
    }

    /** The option where the mistake was typed, in place of what it sets in the experiment. */
    private Problem asTyped(Problem said) {
        Problem worded = said.saying(PipedFile.named(said.message()));
        // What was typed has no line of the file: the same place, one that it is in, or whatever is swept.
        boolean overridden = overrides.stream()
                .map(override -> override.substring(0, override.indexOf('=')))
                .anyMatch(path -> path.startsWith("sweep")
                        || (said.path() + ".").startsWith(path + ".")
                        || said.path().startsWith(path + "["));
        Problem problem = overridden ? worded.at(worded.path()) : worded;
        if (serversOption.equals(OFFERS)) {
            String sites =
                    "no server is there yet, so the list of " + OFFERS + " must say which sites there are: give it a"
                            + " column for the site, with a row for each kind at each site, and name it:"
                            + " --spare-site=COLUMN";
            if (problem.path().equals("size.spare-site")) {
                return problem.at("--spare-site").saying(sites);
            }
            if (problem.message().startsWith("--server-columns 'site=")) {
                return problem.at("").saying(problem.message() + "; " + sites);
            }
        }
        if (problem.message().startsWith("--")) {
            return problem.at("");
        }
        String exact = Overrides.OPTIONS.get(problem.path());
        String nearest = "";
        for (String override : overrides) {
            String path = override.substring(0, override.indexOf('='));
            String option = Overrides.OPTIONS.get(path);
            String value = override.substring(path.length() + 1).replaceAll("^[\"']|[\"']$", "");
            boolean quoted = !value.isEmpty() && problem.message().contains("'" + value + "'");
            if (path.equals("cluster") && problem.path().equals("cluster.server-list")) {
                return problem.at(serversOption + ofList(value, problem.message()));
            }
            if (option != null && quoted && path.startsWith(problem.path())) {
                return problem.at(ofServers(option));
            }
            String rest = problem.path().startsWith(path) ? problem.path().substring(path.length()) : "-";
            if (option != null && rest.matches("([.\\[].*)?") && path.length() >= nearest.length()) {
                nearest = path;
            }
        }
        String its = nearest + "=";
        // In YAML it was typed with --set; options write JSON.
        boolean set = nearest.equals("policies")
                && overrides.stream()
                        .filter(each -> each.startsWith(its))
                        .reduce("", (first, last) -> last)
                        .matches("(?s)policies=(?!\\[\\{\"policy\":\").*");
        return nearest.isEmpty() || set
                ? problem
                : namesTable(problem.message())
                        ? problem.at("")
                        : problem.at(ofServers(exact == null ? Overrides.OPTIONS.getOrDefault(nearest, "") : exact));
    }

    /** Whether a message begins with the table of what runs, which may have been given without an option. */
    private boolean namesTable(String message) {
        String file = message.replaceFirst("(?s): .*", "");
        return overrides.stream().anyMatch(each -> each.startsWith("workload={") && each.contains("\"" + file + "\""));
    }

    private String ofServers(String option) {
        return option.equals(SERVERS) ? serversOption : option;
    }

    /** The file of a list of servers, where a message does not name it; else empty. */
    private static String ofList(String cluster, String message) {
        String file = Overrides.listOf(cluster);
        String name = file.isEmpty() ? "" : PipedFile.named(file);
        return name.isEmpty() || message.contains(Path.of(name).getFileName().toString()) ? "" : " " + name;
    }

    /** Its text as a tree: name, labels, needed files. */
    public ExperimentTree tree() {
        return new ExperimentTree(name, text, overrides);
    }

    /** The study of planners in it, read and checked. */
    public PlannerStudy study() {
        return PlannerStudyReader.read(name, tree());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            String meant = Suggestion.of(file.toString(), List.of(BuiltInExperiments.LIST.split(", ", -1)));
            throw new BadInputException(
                    file + ": "
                            + (meant.isEmpty()
                                    ? MissingFile.why(file) + " ('stowage experiments' lists those that are built in)"
                                    : "no such file" + meant),
                    e);
        } catch (MalformedInputException e) {
            throw new BadInputException(file + ": is not UTF-8 text; an experiment is a YAML file", e);
        } catch (IOException e) {
            String why = !Files.isDirectory(file)
                    ? Failures.why(e)
                    : Files.exists(file.resolve(ResultsReader.RESULTS))
                            ? "is a directory of results; to run its experiment again give "
                                    + file.resolve(ResultsReader.EXPERIMENT)
                                    + ", to see the results use 'stowage report "
                                    + file + "'"
                            : "is a directory; give a file in it" + inside(file);
            throw new BadInputException(file + ": " + why, e);
        }
    }

    /** The first of the files in a directory that may be meant. */
    private static String inside(Path directory) {
        try (Stream<Path> all = Files.list(directory)) {
            String names = all.map(each -> String.valueOf(each.getFileName()))
                    .filter(name -> name.matches("(?i).+\\.(csv|xlsx|json|ya?ml)"))
                    .sorted()
                    .limit(MOST_NAMED)
                    .collect(Collectors.joining(", "));
            return names.isEmpty() ? "" : ", such as " + names;
        } catch (IOException e) {
            return "";
        }
    }
}
