/** How many servers a policy needs to meet a target, and how many any policy needs. */
@NullMarked
package dev.stowage.study.size;

import org.jspecify.annotations.NullMarked;
