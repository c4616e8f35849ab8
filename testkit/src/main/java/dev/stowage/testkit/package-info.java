/**
 * The laws every policy must keep ({@link dev.stowage.testkit.Law}), and the means to try to break them.
 *
 * <p>A policy's test has three lines: {@code Fuzz.of(getClass(), Policies::create, spec).run()} for random logs, {@link
 * dev.stowage.testkit.Exhaustive#check} for all short ones, and
 * {@code LawDigests.check(getClass(), List.of(fuzz.digest(20)))} to pin its decisions.
 * {@link dev.stowage.testkit.Laws#check} checks logs written by hand.
 *
 * <p>{@link dev.stowage.testkit.MarkovChain} is for theory: the stationary distribution of a small system under a
 * policy.
 */
@NullMarked
package dev.stowage.testkit;

import org.jspecify.annotations.NullMarked;
