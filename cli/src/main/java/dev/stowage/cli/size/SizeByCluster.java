package dev.stowage.cli.size;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.experiment.ExperimentOptions;
import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.NotEnoughException;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.report.AnswerPage;
import dev.stowage.sim.experiment.ExperimentException;
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
import java.util.Set;

/** The same question for each cluster of a list: a table of all answers, then each. */
record SizeByCluster(Console console, StatusLine progress, SizeSettings settings, boolean policies, boolean alone) {
    private static final String CLUSTER = "cluster";
    private static final String WARNING = "warning: ";

    /** What is known of one. */
    private record Found(Map<String, AnswerParts.Summed> summary, String text) {}

    /** What is said of all after the answer. */
    private record Said(List<String> notes, List<String> notEnough, List<String> failed, Set<String> pages) {}

    void show(ExperimentOptions.Clusters clusters, boolean usual) {
        Map<String, Found> all = new LinkedHashMap<>();
        Said said = new Said(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new HashSet<>());
        clusters.each().forEach((cluster, source) -> {
            String name = cluster.isEmpty() ? "(none)" : cluster;
            progress.step(CLUSTER + " " + name);
            all.put(name, found(name, source, usual, said));
        });
        progress.clear();
        AnswerParts answer = new AnswerParts(console);
        List<String> beside = beside(clusters);
        overview(clusters, all, answer, beside);
        answer.print(settings.format(), () -> json(all), () -> csv(all));
        settings.report().write(answer, "How many servers for each " + clusters.column(), Map.of());
        said.notes().forEach(console::note);
        if (settings.format() != OutputFormat.TABLE) {
            beside.forEach(each -> console.note(WARNING + each));
        }
        String notEnough = said.notEnough().isEmpty()
                ? ""
                : "no number of servers is enough, or some requests fit no server, in "
                        + String.join(", ", said.notEnough());
        if (!said.failed().isEmpty()) {
            throw new BadInputException("no answer for " + String.join(", ", said.failed())
                    + (notEnough.isEmpty() ? "" : "; " + notEnough));
        }
        if (!notEnough.isEmpty()) {
            throw new NotEnoughException(notEnough);
        }
    }

    private Found found(String name, ExperimentSource source, boolean usual, Said said) {
        StringWriter text = new StringWriter();
        Console its = console.writing(new PrintWriter(text));
        AnswerParts answer = new AnswerParts(its);
        List<String> own = new ArrayList<>();
        try {
            new SizeAsked(its, progress, settings.of(name, said.pages()), policies, alone)
                    .show(source, usual, answer, own);
        } catch (NotEnoughException e) {
            said.notEnough().add(name);
        } catch (BadInputException | ExperimentException e) {
            String why = Objects.requireNonNullElse(e.getMessage(), "");
            said.failed().add(name);
            own.add(WARNING + "no answer: " + why);
            its.out()
                    .print(
                            switch (settings.format()) {
                                case TABLE -> its.wrapped("", "No answer: " + why);
                                case JSON -> Data.json(Map.of("problem", why));
                                case CSV -> "";
                            });
        }
        its.out().flush();
        for (String note : own) {
            boolean warns = note.startsWith(WARNING);
            said.notes().add((warns ? WARNING : "") + name + ": " + (warns ? note.substring(WARNING.length()) : note));
        }
        return new Found(answer.summary(), text.toString());
    }

    private void overview(
            ExperimentOptions.Clusters clusters, Map<String, Found> all, AnswerParts answer, List<String> beside) {
        Set<String> names = new LinkedHashSet<>();
        all.values().forEach(each -> names.addAll(each.summary().keySet()));
        List<String> header = new ArrayList<>(List.of(CLUSTER));
        header.addAll(names);
        Columns columns = new Columns(header);
        all.forEach((cluster, found) -> {
            List<String> row = new ArrayList<>(List.of(cluster));
            for (String name : names) {
                AnswerParts.Summed figure = found.summary().get(name);
                row.add(figure == null ? "-" : figure.text());
            }
            columns.row(row);
        });
        List<String> sums =
                names.stream().map(name -> together(name, all.values())).toList();
        if (all.size() > 1 && sums.stream().anyMatch(sum -> !sum.isEmpty())) {
            List<String> row = new ArrayList<>(List.of("together"));
            row.addAll(sums);
            columns.row(row);
        }
        answer.first("Each " + clusters.column() + " for itself: what runs in it, on its own servers.");
        answer.gap();
        answer.table(columns);
        beside.forEach(answer::say);
        all.forEach((cluster, found) -> answer.onConsole("\n== " + clusters.column() + " " + cluster + " ==\n"
                + found.text().stripTrailing() + "\n"));
        if (settings.report().asked()) {
            answer.onPage(new AnswerPage.Sentence("The page of each is beside this one."));
        }
    }

    /** The sum, which nobody knows where one is not known; empty for words. */
    private static String together(String name, Collection<Found> all) {
        double sum = 0;
        for (Found found : all) {
            AnswerParts.Summed figure = found.summary().get(name);
            if (figure != null && figure.number() == null) {
                return "";
            }
            sum += figure == null || figure.number() == null ? Double.NaN : figure.number();
        }
        return Double.isNaN(sum) ? "-" : KindsText.money(sum);
    }

    private static List<String> beside(ExperimentOptions.Clusters clusters) {
        List<String> beside = new ArrayList<>();
        if (!clusters.without().isEmpty()) {
            beside.add("Not answered, as no server of the list is in it: " + String.join(", ", clusters.without())
                    + " (rows). --servers with a kind alone, as in \"48 cores, 512 GiB\", says how many each needs.");
        }
        if (!clusters.idle().isEmpty()) {
            beside.add("Nothing runs in: " + String.join(", ", clusters.idle()) + " (rows of the server list).");
        }
        return beside;
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
