/** What is added to result rows beside what was measured. */
@NullMarked
package dev.stowage.study.row;

import org.jspecify.annotations.NullMarked;
