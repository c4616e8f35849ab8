package dev.stowage.report;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;

/** Shades and text of the figures that consist of cells. */
final class CellStyle {
    static final Font SMALL = Theme.TEXT.deriveFont(12f);
    static final int TITLE_HEIGHT = 40;

    /**
     * Number of shades: opacity has one decimal in the SVG, and neighbouring cells of one shade are one shape.
     */
    static final int SHADES = 10;
    /** On darker cells the text is white; not quite white, because dark mode inverts the white of the paper. */
    private static final double DARK = 0.75;

    private static final Color ON_DARK = new Color(0xfdfdfd);
    private static final FontRenderContext MEASURE = new FontRenderContext(null, true, true);
    private static final String MORE = "…";

    private CellStyle() {}

    /** The shade for a fraction of the largest value; 0 for none. */
    static int shade(double part) {
        return part > 0 ? (int) Math.max(1, Math.min(SHADES, Math.round(part * SHADES))) : 0;
    }

    /** A transparent colour: right on any paper. */
    static Color colour(int shade) {
        Color full = Theme.line(0);
        return new Color(full.getRed(), full.getGreen(), full.getBlue(), 255 * shade / SHADES);
    }

    /** The colour of text on a shade. */
    static Color text(int shade) {
        return shade > DARK * SHADES ? ON_DARK : Theme.INK;
    }

    static double width(String text, Font font) {
        return font.getStringBounds(text, MEASURE).getWidth();
    }

    /** Paper, and the title in the middle of the top, smaller if it is long. */
    static void begin(Graphics2D canvas, String title, int width, int height) {
        canvas.setColor(Theme.PAPER);
        canvas.fill(new Rectangle2D.Double(0, 0, width, height));
        canvas.setColor(Theme.INK);
        Font font = Theme.TITLE;
        while (font.getSize2D() > 10 && width(title, font) > width - 20) {
            font = font.deriveFont(font.getSize2D() - 1);
        }
        canvas.setFont(font);
        centred(canvas, fitted(title, font, width - 10), width / 2.0, 26);
    }

    /** Text with its middle at x. */
    static void centred(Graphics2D canvas, String text, double x, double baseline) {
        canvas.drawString(text, (float) (x - width(text, canvas.getFont()) / 2), (float) baseline);
    }

    /** Text that ends at x. */
    static void rightAligned(Graphics2D canvas, String text, double x, double baseline) {
        canvas.drawString(text, (float) (x - width(text, canvas.getFont())), (float) baseline);
    }

    /** The text, cut off if it is too wide. */
    static String fitted(String text, Font font, double most) {
        if (width(text, font) <= most) {
            return text;
        }
        int end = text.length();
        while (end > 1 && width(text.substring(0, end) + MORE, font) > most) {
            end--;
        }
        return text.substring(0, end) + MORE;
    }

    /** The text in lines that are no wider, broken after a plus; a single part that is too long is cut off. */
    static List<String> lines(String text, Font font, double most) {
        List<String> lines = new ArrayList<>();
        String line = "";
        String[] parts = text.split("(?<= \\+) ", -1);
        for (String part : parts) {
            String longer = line.isEmpty() ? part : line + " " + part;
            if (!line.isEmpty() && width(longer, font) > most) {
                lines.add(fitted(line, font, most));
                longer = part;
            }
            line = longer;
        }
        lines.add(fitted(line, font, most));
        return lines;
    }
}
