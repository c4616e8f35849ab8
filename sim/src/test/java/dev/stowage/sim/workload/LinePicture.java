package dev.stowage.sim.workload;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.w3c.dom.Document;

/** A line chart as an SVG file. */
final class LinePicture {
    /** Okabe and Ito's palette, safe for colour-blind readers. */
    private static final Color[] COLOURS = {
        new Color(0x000000), new Color(0xD55E00), new Color(0x56B4E9), new Color(0x009E73)
    };

    private static final int WIDTH = 860;
    private static final int HEIGHT = 420;

    /** Decimals of coordinates: letters are drawn as outlines, which make the file large. */
    private static final int DECIMALS = 2;

    private final XYChart chart;

    LinePicture(String title, String xTitle, String yTitle) {
        chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(xTitle)
                .yAxisTitle(yTitle)
                .build();
        var style = chart.getStyler();
        style.setChartBackgroundColor(Color.WHITE);
        style.setPlotGridLinesColor(new Color(0xDDDDDD));
        style.setPlotBorderVisible(false);
        style.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
        style.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        style.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        style.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        style.setLegendPosition(LegendPosition.OutsideS);
        style.setLegendLayout(LegendLayout.Horizontal);
        style.setLegendBorderColor(Color.WHITE);
        style.setSeriesColors(COLOURS);
        style.setYAxisMin(0.0);
        style.setYAxisDecimalPattern("#,##0.##");
        style.setYAxisTickMarkSpacingHint(50);
        style.setXAxisTickMarkSpacingHint(100);
    }

    /** Percentages over a logarithmic axis. */
    LinePicture percentages() {
        chart.getStyler().setXAxisLogarithmic(true);
        chart.getStyler().setYAxisMax(100.0);
        return this;
    }

    LinePicture line(String name, double[] x, double[] y) {
        var series = chart.addSeries(name, x, y);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineStyle(new BasicStroke(1.6f));
        return this;
    }

    void write(Path file) throws IOException {
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document());
        context.setPrecision(DECIMALS);
        SVGGraphics2D graphics = new SVGGraphics2D(context, false);
        graphics.setSVGCanvasSize(new Dimension(WIDTH, HEIGHT));
        chart.paint(graphics, WIDTH, HEIGHT);
        try (Writer writer = Files.newBufferedWriter(file)) {
            graphics.stream(writer, true);
        }
    }

    private static Document document() {
        try {
            return DocumentBuilderFactory.newDefaultNSInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument("http://www.w3.org/2000/svg", "svg", null);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }
}
