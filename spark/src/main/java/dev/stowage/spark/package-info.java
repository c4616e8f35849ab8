/**
 * Tasks on Apache Spark: RDDs only. The classes here are loaded together with Spark's, and see only {@code sim.remote}
 * of Stowage; the code that runs on executors is loaded there by a separate class loader, with Stowage's libraries.
 */
@NullMarked
package dev.stowage.spark;

import org.jspecify.annotations.NullMarked;
