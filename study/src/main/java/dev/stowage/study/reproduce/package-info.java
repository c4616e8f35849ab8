/**
 * Figures and claims of papers beside our own results. A {@link dev.stowage.study.reproduce.Paper} is a list of
 * figures; a {@link dev.stowage.study.reproduce.PaperFigure} names an experiment, the paper's claim, and a function of
 * the result rows that decides whether it holds.
 */
@NullMarked
package dev.stowage.study.reproduce;

import org.jspecify.annotations.NullMarked;
