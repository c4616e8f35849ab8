package dev.stowage.report;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * A picture as a PNG file (W3C, PNG Specification, third edition): eight bits of red, green and blue, rows unfiltered.
 * {@code ImageIO} tries five filters on every row, which takes as long as drawing. A chart, mostly of one colour, is
 * about as small without.
 */
final class PngFile {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final int CHANNELS = 3;
    private static final byte TRUE_COLOUR = 2;

    private PngFile() {}

    /** The bytes of a file. The image must be of {@link BufferedImage#TYPE_INT_RGB}. */
    static byte[] of(BufferedImage image) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(SIGNATURE);
        byte[] header = ByteBuffer.allocate(13)
                .putInt(image.getWidth())
                .putInt(image.getHeight())
                .put((byte) Byte.SIZE)
                .put(TRUE_COLOUR)
                .array();
        chunk(file, "IHDR", header, header.length);
        byte[] rows = rows(image);
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(rows);
            deflater.finish();
            byte[] deflated = new byte[rows.length / 2 + 1024];
            int length = 0;
            while (!deflater.finished()) {
                if (length == deflated.length) {
                    deflated = Arrays.copyOf(deflated, 2 * length);
                }
                length += deflater.deflate(deflated, length, deflated.length - length);
            }
            chunk(file, "IDAT", deflated, length);
        } finally {
            deflater.end();
        }
        chunk(file, "IEND", new byte[0], 0);
        return file.toByteArray();
    }

    /** Each row: a zero, for no filter, then red, green and blue of each pixel. */
    private static byte[] rows(BufferedImage image) {
        int width = image.getWidth();
        int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
        byte[] rows = new byte[image.getHeight() * (1 + CHANNELS * width)];
        int to = 0;
        for (int i = 0; i < pixels.length; i++) {
            if (i % width == 0) {
                to++;
            }
            int pixel = pixels[i];
            rows[to++] = (byte) (pixel >> 16);
            rows[to++] = (byte) (pixel >> 8);
            rows[to++] = (byte) pixel;
        }
        return rows;
    }

    private static void chunk(ByteArrayOutputStream file, String type, byte[] content, int length) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 check = new CRC32();
        check.update(name);
        check.update(content, 0, length);
        file.writeBytes(ByteBuffer.allocate(4).putInt(length).array());
        file.writeBytes(name);
        file.write(content, 0, length);
        file.writeBytes(ByteBuffer.allocate(4).putInt((int) check.getValue()).array());
    }
}
