/** How units reach machines elsewhere: Spark's classes and Stowage's, each loaded apart from the other's libraries. */
@NullMarked
package dev.stowage.cli.remote;

import org.jspecify.annotations.NullMarked;
