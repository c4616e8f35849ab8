package dev.stowage.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.List;

/**
 * Colours, fonts and sizes of all figures. The first seven line colours are those of Okabe and Ito (Color Universal
 * Design, 2008), without its yellow, which cannot be seen on white; the last three are from Paul Tol's muted scheme.
 * The report's style sheet finds {@link #INK}, {@link #GRID}, {@link #PAPER} and {@link #BLACK} by value to invert them
 * in dark mode.
 */
final class Theme {
    static final int WIDTH = 560;
    static final int HEIGHT = 380;

    static final Color PAPER = Color.WHITE;
    static final Color INK = new Color(0x2b2f36);
    static final Color GRID = new Color(0xe4e7eb);
    static final Color MARK = new Color(0x8a9099);
    static final Color BLACK = new Color(0x010101);

    static final List<Color> LINES = List.of(
            new Color(0x0072B2),
            new Color(0xD55E00),
            new Color(0x009E73),
            new Color(0xCC79A7),
            new Color(0xE69F00),
            new Color(0x56B4E9),
            BLACK,
            new Color(0x999933),
            new Color(0x882255),
            new Color(0x8A8F98));

    static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 14);
    static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 16);

    static final BasicStroke GRID_STROKE = new BasicStroke(1f);
    static final BasicStroke LINE_STROKE = new BasicStroke(1.8f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
    static final BasicStroke DASHED_STROKE =
            new BasicStroke(1.6f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10f, new float[] {7f, 5f}, 0f);
    /** Line styles in addition to colour (solid, dashes, dots, dashes and dots) as lengths of strokes and gaps. */
    static final List<List<Integer>> DASHES = List.of(List.of(), List.of(11, 4), List.of(2, 4), List.of(11, 4, 2, 4));

    static final BasicStroke ERROR_STROKE = new BasicStroke(1.4f);
    static final BasicStroke MARK_STROKE =
            new BasicStroke(1.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10f, new float[] {5f, 4f}, 0f);

    private Theme() {}

    /** The dashes of a line. */
    static List<Integer> dashes(int index) {
        return DASHES.get(index % DASHES.size());
    }

    /** The stroke of a line. */
    static BasicStroke stroke(int index) {
        List<Integer> dashes = dashes(index);
        if (dashes.isEmpty()) {
            return LINE_STROKE;
        }
        float[] lengths = new float[dashes.size()];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = dashes.get(i);
        }
        return new BasicStroke(1.8f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10f, lengths, 0f);
    }

    static Color line(int index) {
        return LINES.get(index % LINES.size());
    }
}
