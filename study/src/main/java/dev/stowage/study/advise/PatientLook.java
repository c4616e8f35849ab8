package dev.stowage.study.advise;

import java.util.function.Supplier;

/** Looks at a cluster whose API may be gone for a while. */
public final class PatientLook {
    private static final long AGAIN_NANOS = 1_000_000_000L;

    private PatientLook() {}

    /** Asks again for as long as a step is tried; then, or when it is to stop, what went wrong is thrown. */
    public static <T> T of(
            Supplier<T> look, Class<? extends RuntimeException> silence, ConsolidationSettings settings, Pace pace) {
        long since = pace.now();
        while (true) {
            try {
                return look.get();
            } catch (RuntimeException e) {
                if (!silence.isInstance(e) || pace.now() - since > settings.patienceNanos() || pace.stopped()) {
                    throw e;
                }
                boolean unused = pace.pause(AGAIN_NANOS);
            }
        }
    }
}
