/**
 * What Stowage and an engine of others that has machines say to each other. The two are loaded apart, so that neither
 * sees the other's libraries; nothing but the JDK's types and those of this package pass between them.
 */
@NullMarked
package dev.stowage.sim.remote;

import org.jspecify.annotations.NullMarked;
