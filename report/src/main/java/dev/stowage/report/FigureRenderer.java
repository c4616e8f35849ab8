package dev.stowage.report;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.font.FontRenderContext;
import java.awt.font.TextLayout;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGIDGenerator;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Turns a {@link Figure} into SVG or PNG. The same figure gives the same bytes every time. */
final class FigureRenderer {
    private static final String SVG_NAMESPACE = "http://www.w3.org/2000/svg";
    private static final Pattern EMPTY_DEFINITIONS = Pattern.compile("<defs id=\"genericDefs\"\\s*/>");
    private static final int PNG_SCALE = 2;

    static {
        // Reports are also written without a screen; with a broken DISPLAY, AWT would try to connect to one.
        if (System.getProperty("java.awt.headless") == null) {
            System.setProperty("java.awt.headless", "true");
        }
    }

    private FigureRenderer() {}

    /**
     * Why this Java runtime cannot draw, or null if it can. A runtime without fonts, as in small containers, fails on
     * the first text.
     */
    static @Nullable String problem() {
        try {
            new TextLayout("0", Theme.TEXT, new FontRenderContext(null, true, false)).getBounds();
            return null;
        } catch (RuntimeException | LinkageError | InternalError e) {
            return "Figures were not drawn: this Java runtime finds no fonts (" + e
                    + "). Install fontconfig and a font,"
                    + " for example the packages fontconfig and fonts-dejavu-core, and write the report again.";
        }
    }

    /** How a colour is written in the SVG of a figure. */
    static String colourName(Color colour) {
        return colour.equals(Color.WHITE)
                ? "white"
                : "rgb(" + colour.getRed() + "," + colour.getGreen() + "," + colour.getBlue() + ")";
    }

    /** An {@code <svg>} element that scales with its container, suitable for HTML. */
    static String svg(Figure figure) {
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(emptyDocument());
        context.setComment("");
        context.setPrecision(1);
        context.setIDGenerator(new PrefixedIds(figure.name()));
        SvgCanvas canvas = new SvgCanvas(context);
        Charts.of(figure).paint(canvas, Theme.WIDTH, Charts.height(figure));
        canvas.finishRun();
        Element root = canvas.getRoot();
        root.setAttributeNS(null, "viewBox", "0 0 " + Theme.WIDTH + " " + Charts.height(figure));
        root.setAttributeNS(null, "role", "img");
        root.setAttributeNS(null, "aria-label", figure.title() + ". " + figure.caption());
        try {
            StringWriter out = new StringWriter();
            canvas.stream(root, out, false, false);
            String text = out.toString();
            // The empty element has the same id in every figure, and ids must be unique within the report.
            return EMPTY_DEFINITIONS
                    .matcher(text.substring(text.indexOf("<svg")).strip())
                    .replaceFirst("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Document emptyDocument() {
        try {
            return DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument(SVG_NAMESPACE, "svg", null);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("the Java runtime has no XML parser", e);
        }
    }

    /** The element as a file of its own. */
    static String file(String svg) {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg + "\n";
    }

    /** A PNG file, two pixels per unit. */
    static byte[] png(Figure figure) {
        int height = Charts.height(figure);
        BufferedImage image =
                new BufferedImage(Theme.WIDTH * PNG_SCALE, height * PNG_SCALE, BufferedImage.TYPE_INT_RGB);
        Graphics2D canvas = image.createGraphics();
        canvas.scale(PNG_SCALE, PNG_SCALE);
        canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        canvas.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        Charts.of(figure).paint(canvas, Theme.WIDTH, height);
        canvas.dispose();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ImageOutputStream out = new MemoryCacheImageOutputStream(file)) {
            ImageIO.write(image, "png", out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file.toByteArray();
    }

    /** Makes ids that do not collide when several figures are in one HTML file. */
    private static final class PrefixedIds extends SVGIDGenerator {
        private final String figure;
        private int next;

        PrefixedIds(String figure) {
            this.figure = figure;
        }

        @Override
        public String generateID(String prefix) {
            return figure + "-" + prefix + next++;
        }
    }
}
