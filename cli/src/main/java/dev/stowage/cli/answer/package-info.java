/** An answer as text and as a page. */
@NullMarked
package dev.stowage.cli.answer;

import org.jspecify.annotations.NullMarked;
