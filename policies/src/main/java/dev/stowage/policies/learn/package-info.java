/** What policies learn from what they see. */
@NullMarked
package dev.stowage.policies.learn;

import org.jspecify.annotations.NullMarked;
