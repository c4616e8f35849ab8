/**
 * Tasks on Apache Spark: RDDs only. The classes here are loaded where Spark's are, and see nothing of Stowage but
 * {@code sim.remote}; what runs on executors is loaded there by a class loader of its own, with Stowage's libraries.
 */
@NullMarked
package dev.stowage.spark;

import org.jspecify.annotations.NullMarked;
