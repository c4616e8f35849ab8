/** Linear programs: the problem, solvers behind one interface, and the check of what a solver says. */
@NullMarked
package dev.stowage.optimize.lp;

import org.jspecify.annotations.NullMarked;
