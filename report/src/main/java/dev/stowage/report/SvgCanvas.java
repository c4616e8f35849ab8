package dev.stowage.report;

import java.awt.Color;
import java.awt.Shape;
import java.awt.Stroke;
import java.awt.geom.AffineTransform;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jspecify.annotations.Nullable;

/**
 * Draws into SVG, with runs of single line segments of one colour and stroke joined into one path. XChart draws a curve
 * segment by segment; without joining, a figure of ten policies would take megabytes.
 */
final class SvgCanvas extends SVGGraphics2D {
    private Path2D.@Nullable Double run;
    private @Nullable Color runColor;
    private @Nullable Stroke runStroke;

    SvgCanvas(SVGGeneratorContext context) {
        super(context, false);
    }

    @Override
    public void draw(Shape shape) {
        if (shape instanceof Line2D line) {
            join(line);
        } else {
            finishRun();
            super.draw(shape);
        }
    }

    private void join(Line2D line) {
        Path2D.Double path = run;
        if (path == null || !getColor().equals(runColor) || !getStroke().equals(runStroke)) {
            finishRun();
            path = new Path2D.Double();
            run = path;
            runColor = getColor();
            runStroke = getStroke();
        }
        if (path.getCurrentPoint() == null || !path.getCurrentPoint().equals(line.getP1())) {
            path.moveTo(line.getX1(), line.getY1());
        }
        path.lineTo(line.getX2(), line.getY2());
    }

    /** Writes what has been joined so far. Called before anything else is drawn, and once at the end. */
    void finishRun() {
        Path2D.Double path = run;
        if (path == null) {
            return;
        }
        run = null;
        Color color = getColor();
        Stroke stroke = getStroke();
        setColor(runColor);
        setStroke(runStroke);
        super.draw(path);
        setColor(color);
        setStroke(stroke);
    }

    @Override
    public void fill(Shape shape) {
        finishRun();
        super.fill(shape);
    }

    @Override
    public void transform(AffineTransform change) {
        finishRun();
        super.transform(change);
    }

    @Override
    public void setTransform(AffineTransform transform) {
        finishRun();
        super.setTransform(transform);
    }

    @Override
    public void setClip(Shape clip) {
        finishRun();
        super.setClip(clip);
    }
}
