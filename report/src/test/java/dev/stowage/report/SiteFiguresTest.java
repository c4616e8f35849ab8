package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Eight hours at two sites, the first of them warm-up; servers change after four hours. */
class SiteFiguresTest {
    private static final double HOUR = 3600;

    private final ResultSample sample = new ResultSample();
    private final List<ResultRow> rows = new ArrayList<>();
    private final Map<String, Estimate> metrics = new TreeMap<>();

    private SeriesRow row(String name, double[] time, double... values) {
        return new SeriesRow(sample.origin("shadow", Map.of()), 0, name, "fraction", time, values, values, values);
    }

    private void hourly(String name, double... values) {
        double[] time =
                IntStream.range(0, values.length).mapToDouble(i -> i * HOUR).toArray();
        rows.add(row(name, time, values));
    }

    private void steps(String name, double first, double second) {
        rows.add(row(name, new double[] {0, 4 * HOUR}, first, second));
    }

    private void placed(String site, String type, double part) {
        metrics.put(
                "placed_fraction{site=" + site + ",type=" + type + "}",
                new Estimate(part, null, 0.95, "single-run", 1));
    }

    private void measured() {
        hourly("servers_in_use{site=east}", .1, .2, .3, .4, .5, .6, .7, .8);
        hourly("servers_in_use{site=west}", .8, .7, .6, .5, .4, .3, .2, .1);
        hourly("configuration_use{site=east,holds=2 x small + 1 x large}", .1, .1, .2, .2, .3, .3, .4, .4);
        hourly("configuration_use{site=east,holds=others}", 0, 0, 0, 0, .1, .1, .1, .1);
        placed("east", "small", 0.25);
        placed("west", "small", 0.75);
    }

    private void optimum() {
        steps("servers_in_use_optimum{site=east}", .5, .7);
        steps("servers_in_use_optimum{site=west}", .5, 1.2);
        steps("configuration_use_optimum{site=east,holds=8 x small}", .5, .7);
        steps("running_optimum{site=east,type=small}", 10, 17);
        steps("running_optimum{site=west,type=small}", 30, 23);
    }

    private List<Figure> figures() {
        List<ResultRow> all = new ArrayList<>(rows);
        all.add(new RunRow(sample.origin("shadow", Map.of()), 0, 1, "00", HOUR, 8 * HOUR, Map.of()));
        all.add(new SummaryRow(
                sample.origin("shadow", Map.of()), 1, "given", new Stability("stable", 0.0, 0.1), metrics));
        return ReportFigures.of(new Results(all, null, List.of())).stream()
                .filter(section -> section.heading().equals("Sites"))
                .flatMap(section -> section.figures().stream())
                .toList();
    }

    private static <T extends Figure> T only(List<Figure> figures, Class<T> kind) {
        return figures.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow();
    }

    /**
     * The optimum differs between the sites: a dashed line for each, with a step at 4 h, on an axis that goes beyond 1.
     */
    @Test
    void optimumInSteps() {
        measured();
        optimum();
        LineFigure figure = only(figures(), LineFigure.class);
        assertThat(figure.lines().stream().map(Line::label))
                .containsExactly("east", "west", "east, optimum", "west, optimum");
        Line west = figure.lines().get(3);
        assertThat(west.dashed()).isTrue();
        assertThat(west.colour()).isEqualTo(figure.lines().get(1).colour());
        assertThat(west.x()).containsExactly(0, 4, 4, 8);
        assertThat(west.y()).containsExactly(.5, .5, 1.2, 1.2);
        assertThat(figure.y().min()).isZero();
        assertThat(figure.y().max()).isGreaterThan(1.2);
        assertThat(figure.marks()).containsExactly(1.0);
        assertThat(figure.caption())
                .endsWith("Where it is above 100 %, no routing can run the load on the servers that" + " are up then.");
    }

    /**
     * After the warm-up, 3 h of .5 and 4 h of .7; configurations that only the optimum uses stand before the others.
     */
    @Test
    void configurationsBesideTheOptimum() {
        measured();
        optimum();
        HeatFigure figure = only(figures(), HeatFigure.class);
        assertThat(figure.rows()).containsExactly("2 x small + 1 x large", "8 x small", "others");
        assertThat(figure.values()[0]).containsExactly(.1, .1, .2, .2, .3, .3, .4, .4);
        assertThat(figure.values()[1]).containsOnly(0);
        assertThat(figure.edges()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(figure.expected()[0]).isZero();
        assertThat(figure.expected()[1]).isCloseTo((3 * .5 + 4 * .7) / 7, within(1e-12));
    }

    /** After the warm-up 10 for 3 h and 17 for 4 h run in the east, mean 14, of 40: 0.35. */
    @Test
    void routingBesideTheOptimum() {
        measured();
        optimum();
        MatrixFigure figure = only(figures(), MatrixFigure.class);
        assertThat(figure.rows()).containsExactly("small");
        assertThat(figure.columns()).containsExactly("east", "west");
        assertThat(figure.values()[0]).containsExactly(.25, .75);
        assertThat(figure.expected()[0][0]).isCloseTo(.35, within(1e-12));
        assertThat(figure.expected()[0][1]).isCloseTo(.65, within(1e-12));
        String svg = FigureRenderer.svg(figure);
        assertThat(svg).contains(">0.25<", ">0.75<", ">0.35<", ">0.65<", ">small<", ">east<", ">west<");
    }

    /** If all sites have the same optimum it is one line. */
    @Test
    void oneLineForOneOptimum() {
        measured();
        steps("servers_in_use_optimum{site=east}", .5, .7);
        steps("servers_in_use_optimum{site=west}", .5, .7);
        assertThat(only(figures(), LineFigure.class).lines().stream().map(Line::label))
                .containsExactly("east", "west", "optimum");
    }

    @Test
    void withoutAnOptimumTheCaptionsSayWhy() {
        measured();
        rows.add(row("no_optimum{reason=many-types}", new double[0]));
        assertThat(figures())
                .hasSize(3)
                .allSatisfy(figure -> assertThat(figure.caption())
                        .contains("there is no optimum: there are more than 16 types (see 'stowage bound')."));
        assertThat(only(figures(), MatrixFigure.class).expected()).isEmpty();
        assertThat(only(figures(), HeatFigure.class).expected()).isEmpty();
    }

    @Test
    void aSingleSiteHasNoSection() {
        hourly("idealised_servers{site=0}", 1, 2);
        hourly("up_servers{site=0}", 3, 3);
        assertThat(figures()).isEmpty();
    }

    /**
     * Long names and many rows and columns are drawn within the picture, the same bytes each time, in colours that dark
     * mode keeps.
     */
    @Test
    void drawnWithinThePicture() {
        int sites = 16;
        int types = 20;
        double[][] parts = new double[types][sites];
        for (double[] row : parts) {
            java.util.Arrays.fill(row, 1.0 / sites);
        }
        List<String> names = IntStream.range(0, sites)
                .mapToObj(i -> "a site with quite a long name " + i)
                .toList();
        List<String> rows = IntStream.range(0, types)
                .mapToObj(i -> "12 of a type with a long name + 3 of another long name + 1 type " + i)
                .toList();
        Figure matrix = new MatrixFigure("matrix", "Routing", "Parts.", rows, names, parts, parts);
        double[] edges = IntStream.rangeClosed(0, sites).mapToDouble(i -> i).toArray();
        Figure heat = new HeatFigure(
                "heat",
                "Configurations",
                "Parts.",
                rows,
                parts,
                edges,
                new TimeAxis(3600, "hours").axis(sites * HOUR),
                0,
                "of the servers",
                "optimum",
                new double[types]);
        for (Figure figure : List.of(matrix, heat)) {
            assertThat(FigureRenderer.svg(figure)).isEqualTo(FigureRenderer.svg(figure));
            assertThat(FigureRenderer.png(figure)).isEqualTo(FigureRenderer.png(figure));
            assertThat(FigureRenderer.svg(figure)).contains("fill-opacity").doesNotContain("x=\"-");
        }
        for (String line : CellStyle.lines(rows.get(0), CellStyle.SMALL, 230)) {
            assertThat(CellStyle.width(line, CellStyle.SMALL)).isLessThanOrEqualTo(230);
        }
    }
}
