package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class FigureRendererTest {

    private static LineFigure lines(int lines, int points) {
        List<Line> all = IntStream.range(0, lines)
                .mapToObj(i -> Line.plain(
                        "policy <" + i + "> & co",
                        i,
                        IntStream.range(0, points).mapToDouble(k -> k).toArray(),
                        IntStream.range(0, points)
                                .mapToDouble(k -> Math.abs(Math.sin(k + i)))
                                .toArray()))
                .toList();
        return new LineFigure(
                "name",
                "Title <b> & \"quotes\"",
                "Caption.",
                new Axis("x", false, 0, Math.max(1, points - 1), Numbers::plain),
                Axis.fromZero("y", 1, Numbers::plain),
                all,
                List.of(0.5),
                false);
    }

    private static Element parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement();
    }

    @Test
    void twiceTheSameBytes() {
        Figure figure = lines(3, 200);
        assertThat(FigureRenderer.svg(figure)).isEqualTo(FigureRenderer.svg(figure));
        assertThat(FigureRenderer.png(figure)).isEqualTo(FigureRenderer.png(figure));
    }

    @Test
    void svgIsWellFormedAndScales() throws Exception {
        Element svg = parse(FigureRenderer.file(FigureRenderer.svg(lines(2, 10))));
        assertThat(svg.getTagName()).isEqualTo("svg");
        assertThat(svg.getAttribute("viewBox")).isEqualTo("0 0 560 " + Charts.height(lines(2, 10)));
        assertThat(svg.hasAttribute("width")).isFalse();
        assertThat(svg.getAttribute("aria-label")).startsWith("Title <b> & \"quotes\". Caption.");
    }

    @Test
    void idsCarryTheNameOfTheFigure() {
        assertThat(FigureRenderer.svg(lines(1, 5))).contains("id=\"name-").doesNotContain("id=\"clipPath");
    }

    /** Ten lines of 500 points are ten paths, not 5000 segments. */
    @Test
    void joinsSegmentsIntoPaths() {
        String svg = FigureRenderer.svg(lines(10, 500));
        assertThat(svg).doesNotContain("<line");
        assertThat(svg.length()).isLessThan(250_000);
        long curves = Arrays.stream(svg.split("<path"))
                .filter(path -> path.startsWith(" clip-path") && path.length() > 3000)
                .count();
        assertThat(curves).isEqualTo(10);
    }

    @Test
    void pngHasTwoPixelsPerUnit() throws Exception {
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(FigureRenderer.png(lines(1, 5))));
        assertThat(image.getWidth()).isEqualTo(2 * Theme.WIDTH);
        assertThat(image.getHeight()).isEqualTo(2 * Theme.HEIGHT);
        int paper = image.getRGB(0, 0);
        long inked = IntStream.range(0, image.getWidth() * image.getHeight())
                .filter(i -> image.getRGB(i % image.getWidth(), i / image.getWidth()) != paper)
                .count();
        assertThat(inked).isGreaterThan(5000);
    }

    /** Letters below the base line move no entry, and rows have one height. */
    @Test
    void entriesOfTheLegendShareABaseLine() throws Exception {
        List<Picture.Curve> curves = Stream.of(
                        "acme", "jqpy", "AbC", "first-fit", "a much longer name of a policy", "gy", "x", "Q")
                .map(name -> new Picture.Curve(name, new double[] {0, 1}, new double[] {0, 1}, false))
                .toList();
        Figure figure = Picture.lines("name", new AnswerPage.Chart("Title", "Caption.", "x", "y", curves));
        NodeList texts = parse(FigureRenderer.file(FigureRenderer.svg(figure))).getElementsByTagName("text");
        List<Integer> heights = IntStream.range(0, texts.getLength())
                .mapToObj(i -> (Element) texts.item(i))
                .filter(text -> curves.stream()
                        .anyMatch(curve ->
                                curve.label().equals(text.getTextContent().strip())))
                .filter(text -> !text.getTextContent().strip().equals("x"))
                .map(text -> Integer.valueOf(text.getAttribute("y")))
                .toList();
        assertThat(heights).hasSize(7).isSorted();
        assertThat(heights.stream().distinct()).hasSize(2);
        assertThat(heights.get(6) - heights.get(0)).isEqualTo(24);
    }

    /** Of 5 to 7 servers there is no half, on pages and in files; of more or of parts there are other numbers. */
    /** Of 80 to 90 the difference is shown, unless they are totals. */
    @Test
    void totalsBeginAtZero() {
        assertThat(Picture.lines("n", new AnswerPage.Chart("T", "C.", "years", "cost", curve(80.5, 90)))
                        .y()
                        .min())
                .isBetween(79.0, 80.0);
        assertThat(Picture.lines("n", new AnswerPage.Chart("T", "C.", "years", "cost", curve(80.5, 90), true))
                        .y()
                        .min())
                .isZero();
    }

    @Test
    void ticksOfWholeNumbersAreWhole() throws Exception {
        Figure whole = Picture.lines("n", new AnswerPage.Chart("T", "C.", "years", "servers", curve(5, 5, 6, 7)));
        assertThat(levels(whole)).isEqualTo(3);
        assertThat(InteractivePlot.element((LineFigure) whole)).contains("\"names\":[\"0\",\"1\"");
        Figure parts = Picture.lines("n", new AnswerPage.Chart("T", "C.", "years", "servers", curve(5, 5.5, 6, 7)));
        assertThat(levels(parts)).isGreaterThan(3);
        assertThat(Axis.showing("servers", 5, 40, Numbers::plain)
                        .ofWhole(DoubleStream.of(5, 40))
                        .whole())
                .isFalse();
        Figure many = Picture.lines(
                "n", new AnswerPage.Chart("T", "C.", "years", "servers", curve(1_000_001, 1_000_002, 1_000_003)));
        assertThat(InteractivePlot.element((LineFigure) many)).doesNotContain("\"names\"");
    }

    /** Marks of the upright axis: level lines, three wide. */
    private static long levels(Figure figure) {
        return Pattern.compile("M([\\d.]+) ([\\d.]+) L([\\d.]+) \\2 ")
                .matcher(FigureRenderer.file(FigureRenderer.svg(figure)))
                .results()
                .filter(line ->
                        Math.abs(Double.parseDouble(line.group(3)) - Double.parseDouble(line.group(1)) - 3) < 0.1)
                .count();
    }

    private static List<Picture.Curve> curve(double... values) {
        double[] years =
                IntStream.range(0, values.length).mapToDouble(i -> 0.3 * i).toArray();
        return List.of(new Picture.Curve("needed", years, values, false));
    }

    @Test
    void longNamesStandBelowThePlot() {
        assertThat(Charts.height(lines(1, 5))).isEqualTo(Theme.HEIGHT);
        assertThat(Charts.height(lines(5, 5))).isGreaterThan(Theme.HEIGHT);
    }

    @Test
    void axesRefuseWhatCannotBeDrawn() {
        assertThatThrownBy(() -> new Axis("wait", true, 0, 1, Numbers::plain)).hasMessageContaining("0 < min < max");
        assertThatThrownBy(() -> new Axis("wait", false, 1, 1, Numbers::plain)).hasMessageContaining("needs min < max");
        assertThatThrownBy(() -> new Axis("wait", false, 0, Double.NaN, Numbers::plain))
                .hasMessageContaining("NaN");
    }

    /** Random figures of any size and scale are drawn, with error bars, gaps and both kinds of axis. */
    @RepeatedTest(30)
    void drawsAnything(RepetitionInfo repetition) throws Exception {
        long seed = repetition.getCurrentRepetition();
        Random random = new Random(seed);
        boolean log = random.nextBoolean();
        double scale = Math.pow(10, random.nextInt(12) - 5);
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(10); i++) {
            int n = 1 + random.nextInt(40);
            double[] x = random.doubles(n, 0.01 * scale, scale).sorted().toArray();
            double[] y = random.doubles(n, 0.01 * scale, scale).toArray();
            if (random.nextInt(3) == 0) {
                y[random.nextInt(n)] = Double.NaN;
            }
            double[] low = Arrays.stream(y).map(v -> v * 0.9).toArray();
            double[] high = Arrays.stream(y).map(v -> v * 1.1).toArray();
            lines.add(new Line("p".repeat(1 + random.nextInt(30)) + i, i, x, y, low, high));
        }
        Figure figure = new LineFigure(
                "any",
                "seed " + seed,
                "",
                new Axis("x", log, 0.005 * scale, scale, Numbers::plain),
                new Axis("y", random.nextBoolean(), 0.005 * scale, 1.2 * scale, Numbers::plain),
                lines,
                List.of(),
                random.nextBoolean());
        assertThat(parse(FigureRenderer.file(FigureRenderer.svg(figure))).getTagName())
                .as("seed " + seed)
                .isEqualTo("svg");
        assertThat(FigureRenderer.png(figure)).as("seed " + seed).isNotEmpty();
    }
}
