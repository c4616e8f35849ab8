/**
 * Runs units on other machines: Spark's and Stowage's classes are loaded by separate class loaders, away from each
 * other's libraries.
 */
@NullMarked
package dev.stowage.cli.remote;

import org.jspecify.annotations.NullMarked;
