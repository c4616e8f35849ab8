/** Linear programs: the problem, solvers behind one interface, and the check of a solver's answer. */
@NullMarked
package dev.stowage.optimize.lp;

import org.jspecify.annotations.NullMarked;
