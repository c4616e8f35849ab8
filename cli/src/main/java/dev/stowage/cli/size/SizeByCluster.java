package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.answer.Remarks;
import dev.stowage.cli.answer.SeveralAnswers;
import dev.stowage.cli.experiment.ExperimentOptions;
import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.NotEnoughException;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.report.AnswerPage;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.Problem;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.experiment.TypeChoice;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.ServerList;
import dev.stowage.study.buy.Offers;
import dev.stowage.study.load.LoadGrowth;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The same question for each cluster of a list: a table of all answers, then each. */
record SizeByCluster(Console console, StatusLine progress, SizeSettings settings, boolean policies, boolean alone) {
    private static final String CLUSTER = SeveralAnswers.CLUSTER;
    private static final String UNKNOWN = SeveralAnswers.UNKNOWN;
    private static final String NOW = "servers now";

    private static final String SPARE_SITE = "size.spare-site=true";

    /**
     * What is known of one.
     *
     * @param page name of the file; empty if none was written
     */
    private record Found(AnswerParts answer, String text, String page) {}

    /** What is said of all after the answer. */
    private record Said(
            Map<Remark, List<String>> notes, List<String> notEnough, Map<String, String> failed, Set<String> pages) {}

    private static SeveralAnswers several(Map<String, Found> all) {
        Map<String, AnswerParts> answers = new LinkedHashMap<>();
        all.forEach((name, found) -> answers.put(name, found.answer()));
        return new SeveralAnswers(answers);
    }

    /** What is said of each, with the names of the clusters that it is said of. */
    private static <T> Map<T, List<String>> byText(Map<String, Found> all, Function<Found, List<T>> said) {
        Map<T, List<String>> names = new LinkedHashMap<>();
        all.forEach((name, found) -> said.apply(found)
                .forEach(text ->
                        names.computeIfAbsent(text, any -> new ArrayList<>()).add(name)));
        return names;
    }

    /** How all were found: what is the same of several is said once. */
    private static Map<String, List<Remark>> facts(Map<String, Found> all) {
        Map<String, List<Remark>> facts = new LinkedHashMap<>();
        all.values().stream()
                .flatMap(found -> found.answer().facts().keySet().stream())
                .distinct()
                .forEach(fact -> {
                    Map<Remark, List<String>> texts =
                            byText(all, found -> found.answer().facts().getOrDefault(fact, List.of()));
                    facts.put(
                            fact,
                            texts.values().stream().allMatch(of -> of.size() == all.size())
                                    ? List.copyOf(texts.keySet())
                                    : Remarks.named(texts, all.size()));
                });
        return facts;
    }

    /** What is asked about one; why not, where it cannot be. */
    private record Asked(ExperimentSource source, @Nullable ReadExperiment read, String why) {}

    void show(ExperimentOptions.Clusters clusters, boolean usual) {
        Map<String, Found> all = new LinkedHashMap<>();
        Said said = new Said(new LinkedHashMap<>(), new ArrayList<>(), new LinkedHashMap<>(), new HashSet<>());
        List<String> differ = new ArrayList<>();
        List<String> unspared = new ArrayList<>();
        Map<String, Asked> asked = asked(clusters, unspared);
        Set<String> some = growing(asked, differ);
        asked.forEach((name, each) -> {
            progress.step(CLUSTER + " " + name);
            all.put(name, found(name, each, usual, some, said));
        });
        progress.clear();
        if (said.failed().size() == all.size() && new HashSet<>(said.failed().values()).size() == 1) {
            String why = said.failed().values().iterator().next();
            throw new BadInputException(
                    why.startsWith("--overcommit") || why.startsWith("--reserve")
                            ? why + ". It is the same for each " + clusters.column()
                                    + "; to give one its own, ask for that one alone, without --by-cluster: --columns \"only="
                                    + clusters.column() + ":NAME\" --server-columns \"only=" + clusters.column()
                                    + ":NAME\""
                            : why);
        }
        AnswerParts answer = new AnswerParts(console);
        String unanswered = clusters.without().isEmpty()
                ? ""
                : "no answer for " + String.join(", ", clusters.without()) + ": no server of the list is in "
                        + (clusters.without().size() == 1 ? "it" : "them")
                        + ". --servers with a kind alone, as in \"48 cores, 512 GiB\", says how many each needs";
        if (!unanswered.isEmpty()) {
            answer.first(Remark.warning(unanswered + ".").toString());
            answer.gap();
        }
        List<String> beside = new ArrayList<>(differ);
        if (!clusters.idle().isEmpty()) {
            beside.add(0, "Nothing runs in: " + String.join(", ", clusters.idle()) + ".");
        }
        List<String> unfound = all.keySet().stream()
                .filter(name -> said.failed().containsKey(name)
                        || (said.notEnough().contains(name)
                                && Objects.requireNonNull(all.get(name))
                                        .answer()
                                        .firstNeeded()
                                        .isEmpty()))
                .toList();
        overview(clusters, all, sites(asked), unspared, unfound, answer, beside);
        answer.print(settings.format(), () -> json(all), () -> csv(all));
        Map<String, List<String>> facts = new LinkedHashMap<>();
        facts(all).forEach((fact, notes) -> {
            notes.stream().filter(Remark::warns).map(Remark::unmarked).forEach(answer::warnOnPage);
            facts.put(fact, notes.stream().map(Remark::listed).toList());
        });
        several(all).warnings(answer);
        settings.report()
                .write(
                        answer,
                        (settings.asked().buy == null ? SizeOverview.TITLE : BuyOverview.TITLE) + "each "
                                + clusters.column(),
                        facts);
        Remarks.print(
                console,
                Remarks.alike(said.notes(), all.size()),
                settings.report().asked());
        if (settings.format() != OutputFormat.TABLE) {
            Stream.concat(unspared.stream(), beside.stream()).forEach(each -> console.note(Remark.warning(each)));
        }
        String notEnough = said.notEnough().isEmpty()
                ? ""
                : "no number of servers is enough, or some requests fit no server, in "
                        + String.join(", ", said.notEnough());
        if (!said.failed().isEmpty()) {
            throw new BadInputException("no answer for "
                    + String.join(", ", said.failed().keySet()) + (notEnough.isEmpty() ? "" : "; " + notEnough)
                    + (unanswered.isEmpty() ? "" : "; " + unanswered));
        }
        String open = notEnough + (notEnough.isEmpty() || unanswered.isEmpty() ? "" : "; ") + unanswered;
        if (!open.isEmpty()) {
            throw new NotEnoughException(open);
        }
    }

    /**
     * Reads all before any is answered. Where a cluster has one site alone, or nothing says the site of any server, it
     * is not asked for the loss of that; where all are so, that is a mistake.
     *
     * @param unspared receives for which no site is spared, as sentences
     */
    private Map<String, Asked> asked(ExperimentOptions.Clusters clusters, List<String> unspared) {
        Map<String, Asked> asked = new LinkedHashMap<>();
        List<String> oneSite = new ArrayList<>();
        List<String> noSite = new ArrayList<>();
        Set<String> sites = new HashSet<>();
        clusters.each().forEach((cluster, source) -> {
            String name = cluster.isEmpty() ? "(none)" : cluster;
            progress.step("reading " + CLUSTER + " " + name);
            Asked its = read(source);
            ExperimentSource whole = source.without(SPARE_SITE);
            if (its.read() == null && !whole.equals(source)) {
                Asked other = read(whole);
                ReadExperiment read = other.read();
                List<Site> all = read == null
                        ? List.of()
                        : read.points().get(0).cluster().sites();
                if (its.why().contains(ServerList.NO_SITES)) {
                    noSite.add(name);
                    its = read(whole.withoutSites());
                } else if (all.size() == 1) {
                    oneSite.add(name);
                    sites.add(all.get(0).name());
                    its = other;
                }
            }
            asked.put(name, its);
        });
        progress.clear();
        if (noSite.size() == asked.size() || (oneSite.size() == asked.size() && sites.size() == 1)) {
            throw new BadInputException(
                    read(clusters.each().values().iterator().next()).why());
        }
        if (!oneSite.isEmpty()) {
            unspared.add("No site is spared for " + String.join(", ", oneSite) + ": all servers of "
                    + (oneSite.size() == 1 ? "it" : "each") + " are at one."
                    + (sites.size() == 1
                            ? ""
                            : " Whether one site takes over what runs at another: ask without --by-cluster"
                                    + " (docs/planning-hosts.md, Sites)."));
        }
        if (!noSite.isEmpty()) {
            unspared.add("No site is spared for " + String.join(", ", noSite)
                    + ": nothing says at which site the servers are.");
        }
        return asked;
    }

    private static Asked read(ExperimentSource source) {
        try {
            return new Asked(source, source.experiment(), "");
        } catch (ExperimentException e) {
            return new Asked(
                    source, null, e.problems().stream().map(Problem::toString).collect(Collectors.joining("; ")));
        }
    }

    /**
     * The names of types that grow at their own rate.
     *
     * @param differ receives those that are not of each cluster
     */
    private Set<String> growing(Map<String, Asked> asked, List<String> differ) {
        Set<String> names = GrowthOption.of(settings.growth()).perYear().ofSome().stream()
                .map(LoadGrowth.OfTypes::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        Map<String, List<String>> types = new LinkedHashMap<>();
        asked.forEach((cluster, its) -> {
            ReadExperiment read = its.read();
            if (read != null) {
                types.put(cluster, read.points().get(0).workload().types());
            }
        });
        List<String> all =
                types.values().stream().flatMap(List::stream).distinct().toList();
        for (String name : names) {
            if (!TypeChoice.isNamed(name, all) && !types.isEmpty()) {
                settings.checkType(name, all);
            }
            List<String> without = types.entrySet().stream()
                    .filter(each -> !TypeChoice.isNamed(name, each.getValue()))
                    .map(Map.Entry::getKey)
                    .toList();
            if (!without.isEmpty() && without.size() < types.size()) {
                differ.add("The growth of " + name + " does not concern " + String.join(", ", without)
                        + ", where no row has that name.");
            }
        }
        return names;
    }

    private Found found(String name, Asked asked, boolean usual, Set<String> some, Said said) {
        StringWriter text = new StringWriter();
        Console its = console.writing(new PrintWriter(text));
        AnswerParts answer = new AnswerParts(its);
        List<Remark> own = new ArrayList<>();
        SizeSettings asks = settings.of(name, said.pages(), some);
        try {
            ReadExperiment read = asked.read();
            if (read == null) {
                throw new BadInputException(asked.why());
            }
            new SizeAsked(its, progress, asks, policies, alone).show(asked.source(), read, usual, answer, own);
        } catch (NotEnoughException e) {
            said.notEnough().add(name);
        } catch (BadInputException | ExperimentException e) {
            String why = Objects.requireNonNullElse(e.getMessage(), "");
            said.failed().put(name, why);
            own.add(Remark.warning("no answer: " + why));
            ReadExperiment read = asked.read();
            if (read != null && !answer.summary().containsKey(NOW)) {
                long now = alone
                        ? 0
                        : Offers.blocks(read.points().get(0)).stream()
                                .mapToLong(ServerBlock::count)
                                .sum();
                answer.sum(NOW, SizeText.number(now), now);
            }
            its.out()
                    .print(
                            switch (settings.format()) {
                                case TABLE -> its.wrapped("", "No answer: " + why);
                                case JSON -> Data.json(Map.of("problem", why));
                                case CSV -> "";
                            });
        }
        its.out().flush();
        for (Remark note : own) {
            said.notes().computeIfAbsent(note, any -> new ArrayList<>()).add(name);
        }
        return new Found(answer, text.toString(), asks.report().written());
    }

    /** The sites of all; empty where there is one, which then is all there is. */
    private static List<String> sites(Map<String, Asked> asked) {
        List<String> all = asked.values().stream()
                .flatMap(each -> Stream.ofNullable(each.read()))
                .flatMap(read -> read.points().get(0).cluster().sites().stream())
                .map(Site::name)
                .filter(site -> !site.equals(ServerList.DEFAULT_SITE))
                .distinct()
                .sorted()
                .toList();
        return all.size() > 1 ? all : List.of();
    }

    private void overview(
            ExperimentOptions.Clusters clusters,
            Map<String, Found> all,
            List<String> sites,
            List<String> unspared,
            List<String> unfound,
            AnswerParts answer,
            List<String> beside) {
        Set<String> names = new LinkedHashSet<>();
        all.values().forEach(each -> names.addAll(each.answer().summary().keySet()));
        List<String> header = new ArrayList<>(List.of(CLUSTER));
        header.addAll(names);
        Columns columns = new Columns(header);
        all.forEach((cluster, found) -> {
            List<String> row = new ArrayList<>(List.of(cluster));
            for (String name : names) {
                AnswerParts.Summed figure = found.answer().summary().get(name);
                row.add(figure == null ? UNKNOWN : figure.text());
            }
            columns.row(row);
        });
        List<String> sums =
                names.stream().map(name -> together(name, all.values())).toList();
        boolean summed = all.size() > 1 && sums.stream().anyMatch(sum -> !sum.isEmpty() && !sum.equals(UNKNOWN));
        if (summed) {
            List<String> row = new ArrayList<>(List.of("together"));
            row.addAll(sums);
            columns.row(row);
            List<String> costs = names.stream()
                    .map(name -> sum(name, all.values(), AnswerParts.Summed::cost))
                    .toList();
            if (costs.stream().anyMatch(cost -> !cost.isEmpty())) {
                row = new ArrayList<>(List.of("cost of these"));
                row.addAll(costs);
                columns.row(row);
            }
        }
        Map<Remark, List<String>> targets =
                byText(all, found -> found.answer().facts().getOrDefault("Target", List.of()));
        SeveralAnswers page = several(all);
        answer.first("Each " + clusters.column() + " for itself: what runs in it, on its own servers"
                + targets.entrySet().stream()
                        .map(each -> ", for " + each.getKey().text()
                                + (targets.size() == 1 ? "" : " (" + String.join(", ", each.getValue()) + ")"))
                        .collect(Collectors.joining())
                + "." + unspared.stream().map(each -> " " + each).collect(Collectors.joining()) + firstNeeded(all)
                + (unfound.isEmpty() ? "" : " No answer was found for " + String.join(", ", unfound) + ".")
                + page.proven(name -> together(name, all.values())));
        page.asked(
                settings.growth() == null
                        ? ""
                        : "growth \"" + settings.growth() + "\" for " + SizeText.inWords(settings.years()),
                answer);
        answer.gap();
        answer.table(columns);
        if (summed && !sites.isEmpty()) {
            answer.say("Each row counts all sites of its " + CLUSTER + "; together counts those of all: "
                    + String.join(", ", sites) + ".");
        }
        beside.forEach(answer::say);
        page.failures(InventoryText.FAILURES, InventoryText.ALL, InventoryText.ANEW, answer);
        List<Remark> ofAll = Remarks.named(
                byText(
                        all,
                        found -> found.answer().ofAll().stream()
                                .map(Remark::plain)
                                .toList()),
                all.size());
        if (!ofAll.isEmpty()) {
            answer.onPage(
                    new AnswerPage.Points(ofAll.stream().map(Remark::toString).toList()));
        }
        all.forEach((cluster, found) -> answer.onConsole("\n== " + clusters.column() + " " + cluster + " ==\n"
                + found.text().stripTrailing() + "\n"));
        if (settings.report().asked()) {
            Map<String, String> pages = new LinkedHashMap<>();
            all.forEach((cluster, found) -> {
                if (!found.page().isEmpty()) {
                    pages.put(cluster, found.page());
                }
            });
            answer.onPage(new AnswerPage.Links("The page of each:", pages));
        }
    }

    /** When the first servers of all must be bought, and where; empty if none must. */
    private static String firstNeeded(Map<String, Found> all) {
        OptionalDouble first = all.values().stream()
                .flatMapToDouble(found -> found.answer().firstNeeded().stream())
                .min();
        List<String> orders = all.values().stream()
                .filter(found -> found.answer().firstNeeded().isPresent()
                        && found.answer().firstNeeded().equals(first))
                .map(found -> found.answer().order())
                .distinct()
                .toList();
        return first.isEmpty()
                ? ""
                : " The first servers to buy are needed " + SizeText.within(first.getAsDouble()) + ", for "
                        + all.entrySet().stream()
                                .filter(each ->
                                        each.getValue().answer().firstNeeded().equals(first))
                                .map(Map.Entry::getKey)
                                .collect(Collectors.joining(", "))
                        + (orders.size() == 1 ? orders.get(0) : "")
                        + ".";
    }

    /** The sum, which nobody knows where one is not known; empty for words. */
    private static String together(String name, Collection<Found> all) {
        String sum = sum(name, all, AnswerParts.Summed::number);
        Map<String, Long> kinds = KindsText.together(all.stream()
                .flatMap(found -> Stream.ofNullable(found.answer().summary().get(name)))
                .flatMap(figure -> figure.kinds().entrySet().stream()));
        return sum.isEmpty() || sum.equals(UNKNOWN) || kinds.isEmpty() ? sum : BuyOverview.bought(kinds);
    }

    private static String sum(String name, Collection<Found> all, Function<AnswerParts.Summed, @Nullable Double> of) {
        double sum = 0;
        for (Found found : all) {
            AnswerParts.Summed figure = found.answer().summary().get(name);
            Double its = figure == null ? Double.valueOf(Double.NaN) : of.apply(figure);
            if (its == null) {
                return "";
            }
            sum += its;
        }
        return Double.isNaN(sum) ? UNKNOWN : KindsText.money(sum);
    }

    private static String json(Map<String, Found> all) {
        Map<String, Object> answers = new LinkedHashMap<>();
        all.forEach((cluster, found) -> answers.put(cluster, Data.tree(found.text())));
        return Data.json(answers);
    }

    private static String csv(Map<String, Found> all) {
        StringBuilder out = new StringBuilder();
        all.forEach((cluster, found) -> {
            List<String> lines = found.text().lines().toList();
            if (out.isEmpty() && !lines.isEmpty()) {
                out.append(CLUSTER).append(',').append(lines.get(0)).append('\n');
            }
            String cell = new Data.Csv(cluster).text().stripTrailing();
            lines.stream()
                    .skip(1)
                    .forEach(line -> out.append(cell).append(',').append(line).append('\n'));
        });
        return out.toString();
    }
}
