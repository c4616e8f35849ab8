/** Configurations of a server: how many requests of each type it can hold at once. */
@NullMarked
package dev.stowage.optimize.configuration;

import org.jspecify.annotations.NullMarked;
