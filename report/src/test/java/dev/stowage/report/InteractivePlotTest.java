package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class InteractivePlotTest {
    private static final double[] X = {1, 2, 3};

    private static LineFigure figure(Axis y, Line... lines) {
        Axis x = new Axis("load", false, 0, 4, Numbers::plain);
        return new LineFigure("name", "Title </script>", "Caption.", x, y, List.of(lines), List.of(1.5), true);
    }

    private static JsonNode json(LineFigure figure) throws JsonProcessingException {
        String element = InteractivePlot.element(figure);
        String script = "<script type=\"application/json\" class=\"plot\">";
        assertThat(element).startsWith("<div class=\"live\"").contains("Title &lt;/script&gt;", script);
        assertThat(element.split("</script>", -1))
                .as("a title cannot end the element")
                .hasSize(2);
        return new ObjectMapper()
                .readTree(
                        element.substring(element.indexOf(script) + script.length(), element.lastIndexOf("</script>")));
    }

    @Test
    void aFigureIsItsNumbers() throws JsonProcessingException {
        Line line = new Line("a", 0, X, new double[] {0.1, Double.NaN, 1.0 / 3}, new double[] {0, 0, 0}, X);
        JsonNode plot = json(figure(Axis.share("used"), line));
        assertThat(plot.path("title").asText()).isEqualTo("Title </script>");
        assertThat(plot.at("/lines/0/y").toString()).isEqualTo("[0.1,null,0.333333]");
        assertThat(plot.at("/lines/0/high").toString()).isEqualTo("[1,2,3]");
        assertThat(plot.at("/lines/0/colour").asText()).isEqualTo("#0072b2");
        assertThat(plot.at("/marks/0").asDouble()).isEqualTo(1.5);
        assertThat(plot.at("/y/factor").asDouble()).isEqualTo(100);
        assertThat(plot.at("/y/suffix").asText()).isEqualTo(" %");
        assertThat(plot.at("/x/factor").asDouble()).isEqualTo(1);
    }

    @Test
    void axesOfNamesAndOfTimes() throws JsonProcessingException {
        Axis names = new Axis("policy", false, -0.5, 1.5, i -> i == 0 ? "first" : "second", true);
        assertThat(json(figure(names)).at("/y/names").toString()).contains("\"first\",\"second\"");
        Axis times = new Axis("wait", true, 1, 1e5, Quantity.TIME::plain);
        assertThat(json(figure(times)).at("/y/time").asBoolean()).isTrue();
    }

    /** On an axis from 0 to 100 a distance of 0.3 cannot be seen, one of 3 can. */
    @Test
    void linesThatCoverEachOtherAreSaid() throws JsonProcessingException {
        Axis y = new Axis("n", false, 0, 100, Numbers::plain);
        LineFigure figure = figure(
                y,
                Line.plain("first-fit", 0, X, new double[] {10, 20, 30}),
                Line.plain("best-fit", 1, X, new double[] {10.3, 20, 30}),
                Line.plain("bf-js", 2, X, new double[] {13, 20, 30}));
        assertThat(InteractivePlot.coinciding(figure)).isEqualTo(" Coinciding lines: first-fit and best-fit.");
        JsonNode lines = json(figure).path("lines");
        assertThat(lines.get(0).path("covers").asBoolean()).isFalse();
        assertThat(lines.get(1).path("covers").asBoolean()).isTrue();
        assertThat(lines.get(2).path("covers").asBoolean()).isFalse();
    }

    @Test
    void theLibraryIsThere() {
        assertThat(InteractivePlot.script()).contains("uPlot").contains("script.plot");
        assertThat(InteractivePlot.style()).contains(".u-legend");
    }
}
