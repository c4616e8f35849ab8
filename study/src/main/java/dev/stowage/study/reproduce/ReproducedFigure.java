package dev.stowage.study.reproduce;

import dev.stowage.report.Picture;
import dev.stowage.report.Results;
import dev.stowage.report.SummaryTable;
import dev.stowage.sim.experiment.ExperimentTree;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A figure with our results.
 *
 * @param results of its experiment
 * @param finding the verdict on the claim
 * @param options by which only a part of it was run, as they were given; empty for all of it
 */
public record ReproducedFigure(Paper paper, PaperFigure figure, Results results, Finding finding, String options) {

    /**
     * Judges results.
     *
     * @param options by which only a part of it was run, as they were given; a part is not judged
     */
    public static ReproducedFigure of(Paper paper, PaperFigure figure, Results results, String options) {
        Finding finding = options.isEmpty()
                ? figure.judge().judge(Measured.of(results))
                : new Finding(Verdict.NOT_JUDGED, List.of("Only a part of it was run: `" + options + "`."));
        return new ReproducedFigure(paper, figure, results, finding, options);
    }

    /** Its pictures; their names begin with the paper's and the figure's. */
    public List<Picture> pictures() {
        List<Picture> drawn = switch (figure.metric()) {
            case PaperFigure.QUEUE_OVER_TIME -> Picture.queueOverTime(results);
            case PaperFigure.REWARD_OVER_TIME -> Picture.rewardOverTime(results);
            case PaperFigure.SERVERS_BY_SITE -> Picture.serversBySite(results, figure.optimum());
            case PaperFigure.COMPLETION_BY_ORDER ->
                Picture.byFirstWord(results, "order", "job_completion_mean_s", "job_completion_bound_s");
            case PaperFigure.SCHEDULER_TIME -> Picture.byFirstWord(results, "order", figure.metric(), "");
            case PaperFigure.NO_PICTURE -> List.<Picture>of();
            default -> Picture.sweep(results, figure.metric());
        };
        List<Picture> named = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            String number = i == 0 ? "" : "-" + (i + 1);
            Picture picture = drawn.get(i);
            named.add(new Picture(paper.key() + "-" + figure.key() + number, picture.caption(), picture.svg()));
        }
        return named;
    }

    /**
     * Its section of the page, Markdown.
     *
     * @param pictureFolder where the pictures are, relative to the page
     * @param tables by experiment, the figure of the page whose table has its rows already
     */
    String section(String pictureFolder, Map<String, String> tables) {
        StringBuilder out = new StringBuilder();
        out.append("## ")
                .append(figure.key())
                .append(": ")
                .append(figure.title())
                .append("\n\n");
        out.append("Verdict: **").append(finding.verdict()).append("**\n\n");
        finding.evidence().forEach(line -> out.append("- ").append(line).append('\n'));
        for (Picture picture : pictures()) {
            out.append("\n![")
                    .append(figure.title())
                    .append("](")
                    .append(pictureFolder)
                    .append('/')
                    .append(picture.name())
                    .append(".svg)\n\n")
                    .append(picture.caption())
                    .append('\n');
        }
        out.append('\n').append(table(tables)).append('\n');
        out.append(provenance());
        return out.toString();
    }

    /** Rows that a table of the page has already are not repeated. */
    private String table(Map<String, String> tables) {
        List<String> others = figure.experiments().stream()
                .flatMap(name -> Stream.ofNullable(tables.get(name)))
                .distinct()
                .toList();
        if (others.isEmpty()) {
            return SummaryTable.of(results).markdown(metrics());
        }
        String where = "This figure uses the rows in the table" + (others.size() == 1 ? " of " : "s of ")
                + String.join(", ", others) + ".\n";
        if (tables.keySet().containsAll(figure.experiments())) {
            return where;
        }
        List<ResultRow> rest = results.rows().stream()
                .filter(row -> !tables.containsKey(row.origin().point().get(Results.EXPERIMENT)))
                .toList();
        return where + "\n"
                + SummaryTable.of(new Results(rest, null, List.of())).markdown(metrics());
    }

    /** What the pictures of the paper's figures show of these experiments. */
    private List<String> metrics() {
        return paper.figures().stream()
                .filter(other -> other.experiments().stream().anyMatch(figure.experiments()::contains))
                .map(PaperFigure::metric)
                .map(metric -> switch (metric) {
                    case PaperFigure.QUEUE_OVER_TIME -> "queue_length_mean";
                    case PaperFigure.COMPLETION_BY_ORDER -> "job_completion_mean_s";
                    default -> metric;
                })
                .toList();
    }

    private String provenance() {
        List<RunRow> runs = results.rows().stream()
                .filter(RunRow.class::isInstance)
                .map(RunRow.class::cast)
                .toList();
        List<Long> seeds = runs.stream().map(RunRow::seed).distinct().toList();
        double horizon = runs.stream().mapToDouble(RunRow::horizonSeconds).max().orElse(0);
        String version = results.rows().stream()
                .map(ResultRow::origin)
                .map(origin -> origin.version())
                .findFirst()
                .orElse("");
        String files = "experiments/paper/" + String.join(".yaml, experiments/paper/", figure.experiments()) + ".yaml";
        String what = isStudy()
                ? String.format(Locale.ROOT, "%s, %d plans", files, runs.size())
                : String.format(
                        Locale.ROOT, "%s, %d runs, up to %,.0f s of simulated time", files, runs.size(), horizon);
        return String.format(
                Locale.ROOT,
                "`./stowage reproduce %s %s%s`: %s, seeds %s, version %s.%s%n",
                paper.key(),
                figure.key(),
                option(),
                what,
                isStudy()
                        ? seeds.stream().sorted().findFirst().orElse(0L) + " to "
                                + seeds.stream().sorted().reduce(0L, (a, b) -> b)
                                + " except those of infeasible problems"
                        : String.join(", ", seeds.stream().map(String::valueOf).toList()),
                version,
                timed() ? " Processor times are of one machine; only their ratios are to be compared." : "");
    }

    /** What the command that made it had besides the figure, after a blank. */
    String option() {
        return options.isEmpty() ? "" : " " + options;
    }

    /** Whether planners were compared, and nothing simulated. */
    private boolean isStudy() {
        String text = results.experiment();
        return text != null && new ExperimentTree("results", text, List.of()).isPlanning();
    }

    private boolean timed() {
        return figure.metric().contains("_cpu_");
    }
}
