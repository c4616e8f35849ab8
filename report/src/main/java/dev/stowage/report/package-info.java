/** Tables, plots and the self-contained HTML report. */
@NullMarked
package dev.stowage.report;

import org.jspecify.annotations.NullMarked;
