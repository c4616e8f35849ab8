package dev.stowage.report;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.Stroke;
import java.awt.font.FontRenderContext;
import java.awt.geom.Line2D;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.style.markers.Marker;

/**
 * The names of lines below a plot, in rows of one height that share a base line for all their entries. XChart's own
 * places each name by the outline of its letters, so that those with a descender stand lower.
 *
 * @param rows entries of each row
 */
record Legend(List<List<Line>> rows) {
    private static final int ROW = 24;
    private static final int MARGIN = 12;
    private static final int SAMPLE = 28;
    private static final int GAP = 7;
    private static final int BETWEEN = 18;
    private static final int MARKER = 7;

    /** Of those lines that have a name; none where there is only one. */
    static Legend of(List<Line> lines) {
        List<Line> named =
                lines.stream().filter(line -> !line.label().isEmpty()).toList();
        List<List<Line>> rows = new ArrayList<>();
        int room = 0;
        for (Line line : named.size() > 1 ? named : List.<Line>of()) {
            int width = width(line) + BETWEEN;
            if (rows.isEmpty() || width > room) {
                rows.add(new ArrayList<>());
                room = Theme.WIDTH - 2 * MARGIN + BETWEEN;
            }
            rows.get(rows.size() - 1).add(line);
            room -= width;
        }
        return new Legend(rows);
    }

    private static int width(Line line) {
        FontRenderContext unscaled = new FontRenderContext(null, true, true);
        return SAMPLE
                + GAP
                + (int) Math.ceil(
                        Theme.TEXT.getStringBounds(line.label(), unscaled).getWidth());
    }

    private static int width(List<Line> entries) {
        return entries.stream().mapToInt(line -> width(line) + BETWEEN).sum() - BETWEEN;
    }

    /** Units that it takes below the plot. */
    int height() {
        return rows.isEmpty() ? 0 : rows.size() * ROW + MARGIN;
    }

    /** How much higher a figure is than one with a legend of one row. */
    int more() {
        return Math.max(0, rows.size() - 1) * ROW;
    }

    /** Draws it, from this height downwards; markers by colour, or none. */
    void paint(Graphics2D canvas, int width, int top, List<Marker> markers) {
        canvas.setColor(Theme.PAPER);
        canvas.fillRect(0, top, width, height());
        for (int row = 0; row < rows.size(); row++) {
            List<Line> entries = rows.get(row);
            int x = Math.max(MARGIN, (width - width(entries)) / 2);
            int middle = top + row * ROW + ROW / 2;
            for (Line line : entries) {
                paint(canvas, line, x, middle, markers);
                x += width(line) + BETWEEN;
            }
        }
    }

    private static void paint(Graphics2D canvas, Line line, int x, int middle, List<Marker> markers) {
        Stroke before = canvas.getStroke();
        canvas.setColor(Theme.line(line.colour()));
        canvas.setStroke(stroke(line));
        canvas.draw(new Line2D.Double(x, middle, x + SAMPLE, middle));
        canvas.setStroke(before);
        if (!markers.isEmpty()) {
            markers.get(line.colour() % markers.size()).paint(canvas, x + SAMPLE / 2.0, middle, MARKER);
        }
        canvas.setColor(Theme.INK);
        canvas.setFont(Theme.TEXT);
        canvas.drawString(line.label(), x + SAMPLE + GAP, middle + Theme.TEXT.getSize() / 3);
    }

    /** As the line of the plot. */
    static BasicStroke stroke(Line line) {
        return line.dashed() ? Theme.DASHED_STROKE : Theme.stroke(line.colour());
    }
}
