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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;

/** The same question for each cluster of a list: a table of all answers, then each. */
record SizeByCluster(Console console, StatusLine progress, SizeSettings settings, boolean policies, boolean alone) {
    private static final String CLUSTER = "cluster";

    /** What is known of one. */
    private record Found(Map<String, String> summary, String text) {}

    void show(ExperimentOptions.Clusters clusters, boolean usual) {
        Map<String, Found> all = new LinkedHashMap<>();
        Set<String> notes = new LinkedHashSet<>();
        List<String> enough = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        clusters.each().forEach((cluster, source) -> {
            String name = cluster.isEmpty() ? "(none)" : cluster;
            progress.step(CLUSTER + " " + name);
            all.put(name, found(name, source, usual, notes, enough, failed));
        });
        progress.clear();
        AnswerParts answer = new AnswerParts(console);
        overview(clusters, all, answer);
        answer.print(settings.format(), () -> json(all), () -> csv(all));
        settings.report().write(answer, "How many servers: each " + clusters.column(), Map.of());
        notes.forEach(console::note);
        if (!failed.isEmpty() && failed.size() == all.size()) {
            throw new BadInputException(failed.get(0));
        }
        if (!enough.isEmpty()) {
            throw new NotEnoughException(
                    "no number of servers is enough, or some requests fit no server, in " + String.join(", ", enough));
        }
    }

    private Found found(
            String name,
            ExperimentSource source,
            boolean usual,
            Set<String> notes,
            List<String> notEnough,
            List<String> failed) {
        StringWriter text = new StringWriter();
        Console its = console.writing(new PrintWriter(text));
        AnswerParts answer = new AnswerParts(its);
        List<String> own = new ArrayList<>();
        try {
            new SizeAsked(its, progress, settings.of(name), policies, alone).show(source, usual, answer, own);
        } catch (NotEnoughException e) {
            notEnough.add(name);
        } catch (BadInputException | ExperimentException e) {
            failed.add(String.valueOf(e.getMessage()));
            its.out()
                    .print(
                            settings.format() == OutputFormat.TABLE
                                    ? its.wrapped("", "No answer: " + e.getMessage())
                                    : "");
        }
        its.out().flush();
        String begin = Matcher.quoteReplacement("warning: " + name + ": ");
        own.forEach(note -> notes.add(note.replaceFirst("^warning: ", begin)));
        return new Found(answer.summary(), text.toString());
    }

    private void overview(ExperimentOptions.Clusters clusters, Map<String, Found> all, AnswerParts answer) {
        Set<String> names = new LinkedHashSet<>();
        all.values().forEach(each -> names.addAll(each.summary().keySet()));
        List<String> header = new ArrayList<>(List.of(CLUSTER));
        header.addAll(names);
        Columns columns = new Columns(header);
        Map<String, Long> sums = new LinkedHashMap<>();
        all.forEach((cluster, found) -> {
            List<String> row = new ArrayList<>(List.of(cluster));
            for (String name : names) {
                String value = found.summary().getOrDefault(name, "-");
                row.add(value);
                if (value.matches("[\\d,]+")) {
                    sums.merge(name, Long.parseLong(value.replace(",", "")), Long::sum);
                }
            }
            columns.row(row);
        });
        if (all.size() > 1 && !settings.grow()) {
            List<String> row = new ArrayList<>(List.of("together"));
            names.forEach(
                    name -> row.add(sums.containsKey(name) ? String.format(Locale.ROOT, "%,d", sums.get(name)) : ""));
            columns.row(row);
        }
        answer.first("Each " + clusters.column() + " for itself: what runs in it, on its own servers.");
        answer.gap();
        answer.table(columns);
        List<String> beside = new ArrayList<>();
        if (!clusters.without().isEmpty()) {
            beside.add("Not answered, as no server of the list is in it: " + String.join(", ", clusters.without())
                    + " (rows). --servers with a kind alone, as in \"48 cores, 512 GiB\", says how many each needs.");
        }
        if (!clusters.idle().isEmpty()) {
            beside.add("Nothing runs in: " + String.join(", ", clusters.idle()) + " (servers).");
        }
        beside.forEach(answer::say);
        all.forEach((cluster, found) -> answer.onConsole("\n== " + clusters.column() + " " + cluster + " ==\n"
                + found.text().stripTrailing() + "\n"));
        if (settings.report().asked()) {
            answer.onPage(new AnswerPage.Sentence("The page of each is beside this one."));
        }
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
