package dev.stowage.report;

import java.awt.Color;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.HorizontalBarChart;
import org.knowm.xchart.HorizontalBarSeries;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Figures as XChart charts, all in one {@link Theme}. */
final class Charts {
    private static final Marker[] MARKERS = {
        SeriesMarkers.CIRCLE,
        SeriesMarkers.SQUARE,
        SeriesMarkers.TRIANGLE_UP,
        SeriesMarkers.DIAMOND,
        SeriesMarkers.TRIANGLE_DOWN
    };
    /** Approximate width of a letter. */
    private static final int LETTER_WIDTH = 9;

    /** Degrees. */
    private static final int ASLANT = 60;

    /**
     * Approximate width that axis titles and labels leave for the plot; a third more or less does no harm.
     */
    private static final int PLOT_WIDTH = 430;

    private Charts() {}

    static Painter of(Figure figure) {
        if (figure instanceof HeatFigure heat) {
            return new HeatPainter(heat);
        }
        if (figure instanceof MatrixFigure matrix) {
            return new MatrixPainter(matrix);
        }
        if (figure instanceof LineFigure lines) {
            XYChart chart = lines(lines);
            Legend legend = Legend.of(lines.lines());
            List<Marker> markers = lines.points() ? List.of(MARKERS) : List.of();
            return (canvas, width, height) -> {
                chart.paint(canvas, width, height - legend.height());
                legend.paint(canvas, width, height - legend.height(), markers);
            };
        }
        return bars((BarFigure) figure)::paint;
    }

    private static XYChart lines(LineFigure figure) {
        XYChart chart = new XYChart(Theme.WIDTH, height(figure));
        chart.setTitle(figure.title());
        chart.setXAxisTitle(figure.x().title());
        chart.setYAxisTitle(figure.y().title());
        AxesChartStyler style = chart.getStyler();
        dress(style);
        scale(style, figure);
        style.setLegendVisible(false);
        for (Line line : figure.lines()) {
            addErrorBars(chart, line, figure.x());
        }
        for (int k = 0; k < figure.lines().size(); k++) {
            Line line = figure.lines().get(k);
            addLine(chart, line, line.label().isEmpty() ? "line " + k : line.label(), figure);
        }
        for (double mark : figure.marks()) {
            chart.addAnnotation(new AnnotationLine(mark, true, false));
        }
        return chart;
    }

    private static void addLine(XYChart chart, Line line, String name, LineFigure figure) {
        double[] y = Arrays.stream(line.y()).map(figure.y()::shown).toArray();
        XYSeries series = chart.addSeries(name, line.x(), y);
        Color color = Theme.line(line.colour());
        series.setLineColor(color).setLineStyle(Legend.stroke(line));
        series.setMarkerColor(color);
        series.setMarker(figure.points() ? MARKERS[line.colour() % MARKERS.length] : SeriesMarkers.NONE);
    }

    /** XChart's own error bars are symmetric, which a logarithmic axis cannot show; these are lines with gaps. */
    private static void addErrorBars(XYChart chart, Line line, Axis axis) {
        double @Nullable [] low = line.low();
        double @Nullable [] high = line.high();
        if (low == null || high == null) {
            return;
        }
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        double cap = (axis.max() - axis.min()) / 120;
        for (int i = 0; i < low.length; i++) {
            if (low[i] < high[i]) {
                double at = line.x()[i];
                Collections.addAll(x, at - cap, at + cap, at, at, at - cap, at + cap, at);
                Collections.addAll(y, low[i], low[i], low[i], high[i], high[i], high[i], Double.NaN);
            }
        }
        if (!x.isEmpty()) {
            XYSeries bars = chart.addSeries(line.label() + " (interval)", x, y);
            bars.setLineColor(Theme.line(line.colour())).setLineStyle(Theme.ERROR_STROKE);
            bars.setMarker(SeriesMarkers.NONE);
        }
    }

    private static void scale(AxesChartStyler style, LineFigure figure) {
        style.setXAxisMin(figure.x().min() - margin(figure.x()))
                .setXAxisMax(figure.x().max() + margin(figure.x()));
        style.setYAxisMin(figure.y().min() - margin(figure.y()))
                .setYAxisMax(figure.y().max() + margin(figure.y()));
        style.setXAxisLogarithmic(figure.x().logarithmic());
        style.setYAxisLogarithmic(figure.y().logarithmic());
        style.setXAxisLogarithmicDecadeOnly(decades(figure.x()));
        style.setYAxisLogarithmicDecadeOnly(decades(figure.y()));
        if (figure.x().whole()) {
            name(style, figure.x());
        }
        if (figure.y().whole()) {
            // As high as the picture for each number, so that XChart finds no room for a half.
            style.setYAxisTickMarkSpacingHint((int)
                    Math.ceil(Theme.HEIGHT / (figure.y().max() - figure.y().min())));
        }
        style.setXAxisTickLabelsFormattingFunction(figure.x().label()::apply);
        style.setYAxisTickLabelsFormattingFunction(figure.y().label()::apply);
    }

    /** A tick for every name; XChart leaves out every other one if they do not fit, so long ones are rotated. */
    private static void name(AxesChartStyler style, Axis axis) {
        int room = Math.max(1, (int) (PLOT_WIDTH / (axis.max() - axis.min())));
        int widest = IntStream.rangeClosed((int) axis.min(), (int) axis.max())
                .map(at -> axis.label().apply(at).length() * LETTER_WIDTH)
                .max()
                .orElse(0);
        style.setXAxisTickMarkSpacingHint(room).setXAxisLabelRotation(widest > room ? ASLANT : 0);
    }

    /** XChart leaves out ticks at the very end of an axis, so this moves the ends outwards by an invisible amount. */
    private static double margin(Axis axis) {
        return axis.logarithmic() ? 0 : (axis.max() - axis.min()) * 0.002;
    }

    private static boolean decades(Axis axis) {
        return axis.logarithmic() && axis.max() / axis.min() >= 20;
    }

    /** Height of the chart: more rows of names below the plot make it higher, so that the plot keeps its size. */
    static int height(Figure figure) {
        if (figure instanceof HeatFigure heat) {
            return new HeatPainter(heat).height();
        }
        if (figure instanceof MatrixFigure matrix) {
            return new MatrixPainter(matrix).height();
        }
        return figure instanceof LineFigure lines
                ? Theme.HEIGHT + Legend.of(lines.lines()).more()
                : Theme.HEIGHT;
    }

    private static HorizontalBarChart bars(BarFigure figure) {
        HorizontalBarChart chart = new HorizontalBarChart(Theme.WIDTH, Theme.HEIGHT);
        chart.setTitle(figure.title());
        chart.setXAxisTitle(figure.axis().title());
        AxesChartStyler style = chart.getStyler();
        dress(style);
        style.setLegendVisible(false).setPlotContentSize(0.96);
        style.setPlotGridHorizontalLinesVisible(false)
                .setXAxisMaxLabelCount(Math.max(2, figure.labels().size()));
        style.setXAxisMin(figure.axis().min()).setXAxisMax(figure.axis().max() + margin(figure.axis()));
        style.setXAxisTickLabelsFormattingFunction(figure.axis().label()::apply);
        List<Double> values = Arrays.stream(figure.values()).boxed().toList();
        HorizontalBarSeries series = chart.addSeries(figure.title(), values, figure.labels());
        series.setFillColor(Theme.line(0));
        return chart;
    }

    private static void dress(AxesChartStyler style) {
        style.setBaseFont(Theme.TEXT)
                .setChartTitleFont(Theme.TITLE)
                .setChartFontColor(Theme.INK)
                .setChartBackgroundColor(Theme.PAPER)
                .setPlotBackgroundColor(Theme.PAPER)
                .setPlotBorderVisible(false)
                .setChartTitleBoxVisible(false)
                .setChartTitlePadding(8)
                .setChartPadding(22)
                .setPlotContentSize(1.0)
                .setAntiAlias(true)
                .setAnnotationLineColor(Theme.MARK)
                .setAnnotationLineStroke(Theme.MARK_STROKE)
                .setMarkerSize(7);
        style.setAxisTitleFont(Theme.TEXT)
                .setAxisTickLabelsFont(Theme.TEXT)
                .setAxisTickLabelsColor(Theme.INK)
                .setAxisTickMarksColor(Theme.MARK)
                .setPlotGridLinesColor(Theme.GRID)
                .setPlotGridLinesStroke(Theme.GRID_STROKE)
                .setPlotMargin(0)
                .setYAxisLabelAlignment(AxesChartStyler.TextAlignment.Right)
                .setXAxisTickMarkSpacingHint(60)
                .setYAxisTickMarkSpacingHint(44);
    }
}
