/**
 * Tables, plots and the self-contained HTML report.
 *
 * <p>{@link dev.stowage.report.ResultsReader} reads a results directory into {@link dev.stowage.report.Results}; the
 * results of one policy at one sweep point are a {@code PolicyOutcome}. {@link dev.stowage.report.SummaryTable} and
 * {@link dev.stowage.report.ReportWriter} write it. Pictures are data first ({@code Figure}), drawn by
 * {@code FigureRenderer}: so their content can be tested without looking at pixels. Everything is deterministic: the
 * same results give the same bytes on the same Java runtime and fonts.
 */
@NullMarked
package dev.stowage.report;

import org.jspecify.annotations.NullMarked;
