package dev.stowage.optimize.lp;

import com.google.ortools.Loader;

/**
 * The available solvers; see docs/internals/decisions/016-linear-programs.md. Native code is loaded at the first use,
 * not before.
 */
public enum LinearSolvers {
    /**
     * GLOP of Google OR-Tools: a revised simplex in native code, fast, and it starts warm from one solve to the next.
     */
    GLOP {
        @Override
        public boolean available() {
            return Native.LOADED;
        }

        @Override
        LinearSolver make(LinearProgram program) {
            return new GlopSolver(program);
        }
    },
    /** ojAlgo: pure Java, on every platform; each solve starts cold. */
    OJALGO {
        @Override
        public boolean available() {
            return true;
        }

        @Override
        LinearSolver make(LinearProgram program) {
            return new OjAlgoSolver(program);
        }
    };

    /** The fastest that works on this machine. */
    public static LinearSolvers best() {
        return GLOP.available() ? GLOP : OJALGO;
    }

    /** Whether it works on this machine. */
    public abstract boolean available();

    /**
     * A solver for a program.
     *
     * @throws IllegalStateException if it does not work on this machine
     */
    public LinearSolver open(LinearProgram program) {
        if (!available()) {
            throw new IllegalStateException(this + " has no native code for this platform; use OJALGO");
        }
        return make(program);
    }

    abstract LinearSolver make(LinearProgram program);

    /** Loads the native code of OR-Tools once, where there is any for this platform. */
    private static final class Native {
        static final boolean LOADED = load();

        private static boolean load() {
            try {
                Loader.loadNativeLibraries();
                return true;
            } catch (RuntimeException | LinkageError e) {
                // No library for this platform, or one that does not link here: ojAlgo is used instead.
                return false;
            }
        }
    }
}
