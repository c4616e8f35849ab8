/** Which servers to buy beside those that are there, by year. */
@NullMarked
package dev.stowage.study.buy;

import org.jspecify.annotations.NullMarked;
