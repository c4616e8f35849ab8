/** What is worked out around runs, without printing anything. */
@NullMarked
package dev.stowage.study;

import org.jspecify.annotations.NullMarked;
