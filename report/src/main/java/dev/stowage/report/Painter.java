package dev.stowage.report;

import java.awt.Graphics2D;

/** Draws a figure. */
@FunctionalInterface
interface Painter {
    void paint(Graphics2D canvas, int width, int height);
}
