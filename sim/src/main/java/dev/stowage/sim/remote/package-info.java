/**
 * The interface between Stowage and a foreign cluster engine such as Apache Spark. The two are loaded by separate class
 * loaders, so that neither sees the other's libraries; only types of the JDK and of this package pass between them.
 */
@NullMarked
package dev.stowage.sim.remote;

import org.jspecify.annotations.NullMarked;
