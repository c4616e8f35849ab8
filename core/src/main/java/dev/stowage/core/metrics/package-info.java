/** Metrics as monitoring reads them, for the drivers; the engine and the policies have none. */
@NullMarked
package dev.stowage.core.metrics;

import org.jspecify.annotations.NullMarked;
