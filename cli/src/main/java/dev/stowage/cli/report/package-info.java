/** What runs that are over say: their report, and a page that goes through them step by step. */
@NullMarked
package dev.stowage.cli.report;

import org.jspecify.annotations.NullMarked;
