package dev.stowage.report;

import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Draws a {@link HeatFigure}. */
final class HeatPainter implements Painter {
    private static final double LONGEST_LABEL = 230;
    private static final int LINE_HEIGHT = 15;
    private static final int ROW_GAP = 4;
    private static final int BESIDE_WIDTH = 56;
    private static final int BESIDE_GAP = 14;
    /** Left edge of labels: left-aligned text stays aligned in any font that the reader has. */
    private static final int LEFT = 14;

    private static final int RIGHT = 24;
    private static final int TOP = CellStyle.TITLE_HEIGHT + 22;
    /** Below the rows: ticks, the axis's title, the key. */
    private static final int BOTTOM = 104;

    private static final int KEY_WIDTH = 200;
    private static final int KEY_HEIGHT = 12;

    private final HeatFigure figure;
    private final double largest;
    private final List<List<String>> labels;
    private final double left;

    HeatPainter(HeatFigure figure) {
        this.figure = figure;
        largest = figure.top() > 0
                ? figure.top()
                : Stream.concat(Arrays.stream(figure.values()), Stream.of(figure.expected()))
                        .flatMapToDouble(Arrays::stream)
                        .max()
                        .orElse(0);
        labels = figure.rows().stream()
                .map(row -> CellStyle.lines(row, CellStyle.SMALL, LONGEST_LABEL))
                .toList();
        left = LEFT
                + 8
                + labels.stream()
                        .flatMap(List::stream)
                        .mapToDouble(line -> CellStyle.width(line, CellStyle.SMALL))
                        .max()
                        .orElse(0);
    }

    int height() {
        return TOP + rowsHeight() + BOTTOM;
    }

    private int rowsHeight() {
        return labels.stream().mapToInt(HeatPainter::rowHeight).sum();
    }

    private static int rowHeight(List<String> label) {
        return label.size() * LINE_HEIGHT + ROW_GAP;
    }

    @Override
    public void paint(Graphics2D canvas, int width, int height) {
        CellStyle.begin(canvas, figure.title(), width, height);
        boolean hasExpected = figure.expected().length > 0;
        double right = width - RIGHT - (hasExpected ? BESIDE_WIDTH + BESIDE_GAP : 0);
        canvas.setFont(CellStyle.SMALL);
        rowLabels(canvas);
        Path2D.Double[] shades = new Path2D.Double[CellStyle.SHADES + 1];
        Arrays.setAll(shades, shade -> new Path2D.Double());
        cells(shades, right);
        if (hasExpected) {
            expected(shades, right + BESIDE_GAP);
            canvas.setColor(Theme.INK);
            CellStyle.centred(canvas, figure.beside(), right + BESIDE_GAP + BESIDE_WIDTH / 2.0, TOP - 7.0);
        }
        for (int shade = 1; shade < shades.length; shade++) {
            if (shades[shade].getCurrentPoint() != null) {
                canvas.setColor(CellStyle.colour(shade));
                canvas.fill(shades[shade]);
            }
        }
        frames(canvas, right, hasExpected);
        ticks(canvas, right);
        key(canvas, width, height);
    }

    private void rowLabels(Graphics2D canvas) {
        canvas.setColor(Theme.INK);
        int y = TOP;
        for (List<String> label : labels) {
            for (int k = 0; k < label.size(); k++) {
                canvas.drawString(label.get(k), LEFT, y + ROW_GAP / 2 + (k + 1) * LINE_HEIGHT - 3);
            }
            y += rowHeight(label);
        }
    }

    private double x(double time, double right) {
        double part = (time - figure.time().min())
                / (figure.time().max() - figure.time().min());
        return Math.rint(left + Math.min(1, part) * (right - left));
    }

    private int shade(double value) {
        return largest > 0 ? CellStyle.shade(value / largest) : 0;
    }

    /** Neighbouring cells of one shade become one rectangle. */
    private void cells(Path2D.Double[] shades, double right) {
        int y = TOP;
        for (int row = 0; row < labels.size(); row++) {
            double[] values = figure.values()[row];
            int from = 0;
            for (int i = 1; i <= values.length; i++) {
                if (i == values.length || shade(values[i]) != shade(values[from])) {
                    double start = x(figure.edges()[from], right);
                    double width = x(figure.edges()[i], right) - start;
                    add(shades[shade(values[from])], start, y, width, rowHeight(labels.get(row)) - 1);
                    from = i;
                }
            }
            y += rowHeight(labels.get(row));
        }
    }

    private void expected(Path2D.Double[] shades, double x) {
        int y = TOP;
        for (int row = 0; row < labels.size(); row++) {
            add(shades[shade(figure.expected()[row])], Math.rint(x), y, BESIDE_WIDTH, rowHeight(labels.get(row)) - 1);
            y += rowHeight(labels.get(row));
        }
    }

    private static void add(Path2D.Double path, double x, double y, double width, double height) {
        if (width > 0) {
            path.append(new Rectangle2D.Double(x, y, width, height), false);
        }
    }

    private void frames(Graphics2D canvas, double right, boolean hasExpected) {
        canvas.setColor(Theme.MARK);
        canvas.setStroke(Theme.GRID_STROKE);
        canvas.draw(new Rectangle2D.Double(Math.rint(left), TOP - 1, Math.rint(right - left), rowsHeight() + 1));
        if (hasExpected) {
            canvas.draw(new Rectangle2D.Double(Math.rint(right + BESIDE_GAP), TOP - 1, BESIDE_WIDTH, rowsHeight() + 1));
        }
    }

    /** Ticks at round numbers, as many as there is room for. */
    private void ticks(Graphics2D canvas, double right) {
        double most = figure.time().max();
        double step = Math.pow(10, Math.ceil(Math.log10(most)));
        int fit = (int) Math.max(1, (right - left) / 60);
        for (double finer : new double[] {step / 2, step / 4, step / 5, step / 10, step / 20}) {
            step = most / finer <= fit ? finer : step;
        }
        double bottom = TOP + rowsHeight();
        for (int k = 0; k * step <= most * (1 + 1e-9); k++) {
            double x = x(k * step, right);
            canvas.setColor(Theme.MARK);
            canvas.draw(new Line2D.Double(x, bottom, x, bottom + 4));
            canvas.setColor(Theme.INK);
            CellStyle.centred(canvas, figure.time().label().apply(k * step), x, bottom + 18);
        }
        canvas.setColor(Theme.INK);
        CellStyle.centred(canvas, figure.time().title(), (left + right) / 2, bottom + 38);
    }

    private void key(Graphics2D canvas, int width, int height) {
        double x = (width - KEY_WIDTH) / 2.0;
        double y = height - 40;
        double each = (double) KEY_WIDTH / CellStyle.SHADES;
        for (int shade = 1; shade <= CellStyle.SHADES; shade++) {
            canvas.setColor(CellStyle.colour(shade));
            canvas.fill(new Rectangle2D.Double(x + (shade - 1) * each, y, each, KEY_HEIGHT));
        }
        canvas.setColor(Theme.INK);
        CellStyle.rightAligned(canvas, "0 %", x - 8, y + KEY_HEIGHT - 1);
        canvas.drawString(
                percent(largest) + " " + figure.of(), (float) (x + KEY_WIDTH + 8), (float) y + KEY_HEIGHT - 1);
    }

    private static String percent(double part) {
        return Numbers.plain(Math.rint(part * 1000) / 10) + " %";
    }
}
