package dev.stowage.report;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.Locale;

/** Draws a {@link MatrixFigure}. */
final class MatrixPainter implements Painter {
    private static final double LONGEST_LABEL = 190;
    private static final double LONGEST_HEADING = 130;
    private static final int WIDEST_CELL = 90;
    private static final int CELL_HEIGHT = 38;
    private static final int RIGHT = 20;
    /** Height of the legend below the rows. */
    private static final int BOTTOM = 44;

    private static final Font TINY = Theme.TEXT.deriveFont(10f);

    private final MatrixFigure figure;
    /** Left edge of labels: left-aligned text stays aligned in any font that the reader has. */
    private final double labels;

    private final double left;

    private final double cell;
    private final boolean upright;
    private final double top;

    MatrixPainter(MatrixFigure figure) {
        this.figure = figure;
        int columns = Math.max(1, figure.columns().size());
        double label = 22 + Math.min(LONGEST_LABEL, widest(figure.rows()));
        cell = Math.floor(Math.min(WIDEST_CELL, (Theme.WIDTH - label - RIGHT) / columns));
        left = Math.max(label, (Theme.WIDTH + label - RIGHT - columns * cell) / 2);
        labels = left - label + 14;
        upright = widest(figure.columns()) > cell - 6;
        top = CellStyle.TITLE_HEIGHT + (upright ? Math.min(LONGEST_HEADING, widest(figure.columns())) + 8 : 20);
    }

    private static double widest(List<String> texts) {
        return texts.stream()
                .mapToDouble(text -> CellStyle.width(text, CellStyle.SMALL))
                .max()
                .orElse(0);
    }

    int height() {
        return (int) Math.ceil(top) + figure.rows().size() * CELL_HEIGHT + BOTTOM;
    }

    @Override
    public void paint(Graphics2D canvas, int width, int height) {
        CellStyle.begin(canvas, figure.title(), width, height);
        canvas.setFont(CellStyle.SMALL);
        headings(canvas);
        for (int row = 0; row < figure.rows().size(); row++) {
            double y = Math.ceil(top) + row * CELL_HEIGHT;
            canvas.setFont(CellStyle.SMALL);
            canvas.setColor(Theme.INK);
            String label = CellStyle.fitted(figure.rows().get(row), CellStyle.SMALL, LONGEST_LABEL);
            canvas.drawString(label, (float) labels, (float) (y + CELL_HEIGHT / 2.0 + 4));
            for (int column = 0; column < figure.columns().size(); column++) {
                cell(canvas, row, column, Math.ceil(left) + column * cell, y);
            }
        }
        if (figure.expected().length > 0) {
            canvas.setFont(CellStyle.SMALL);
            canvas.setColor(Theme.INK);
            CellStyle.centred(canvas, "above: the policy, below: an optimum", width / 2.0, height - 14.0);
        }
    }

    private void headings(Graphics2D canvas) {
        for (int column = 0; column < figure.columns().size(); column++) {
            double middle = Math.ceil(left) + (column + 0.5) * cell;
            String heading = CellStyle.fitted(figure.columns().get(column), CellStyle.SMALL, LONGEST_HEADING);
            canvas.setColor(Theme.INK);
            if (upright) {
                AffineTransform before = canvas.getTransform();
                canvas.translate(middle + 4, top - 6);
                canvas.rotate(-Math.PI / 2);
                canvas.drawString(heading, 0, 0);
                canvas.setTransform(before);
            } else {
                CellStyle.centred(canvas, heading, middle, top - 7);
            }
        }
    }

    private void cell(Graphics2D canvas, int row, int column, double x, double y) {
        double value = figure.values()[row][column];
        int shade = Double.isNaN(value) ? 0 : CellStyle.shade(value);
        Rectangle2D box = new Rectangle2D.Double(x, y, cell - 1, CELL_HEIGHT - 1);
        canvas.setColor(CellStyle.colour(shade));
        if (shade > 0) {
            canvas.fill(box);
        }
        canvas.setColor(Theme.GRID);
        canvas.setStroke(Theme.GRID_STROKE);
        canvas.draw(box);
        canvas.setColor(CellStyle.text(shade));
        boolean both = figure.expected().length > 0;
        double middle = x + (cell - 1) / 2;
        canvas.setFont(cell < 40 ? TINY : CellStyle.SMALL);
        if (!Double.isNaN(value)) {
            CellStyle.centred(canvas, number(value), middle, y + (both ? 17 : 24));
        }
        if (both && !Double.isNaN(figure.expected()[row][column])) {
            canvas.setFont(TINY);
            CellStyle.centred(canvas, number(figure.expected()[row][column]), middle, y + 31);
        }
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
