/**
 * Figures and claims of papers beside our own results. A {@link dev.stowage.report.reproduce.Paper} is a list of figures;
 * a {@link dev.stowage.report.reproduce.PaperFigure} names an experiment, the paper's claim, and a function of the result
 * rows that decides whether it holds.
 */
@NullMarked
package dev.stowage.report.reproduce;

import org.jspecify.annotations.NullMarked;
