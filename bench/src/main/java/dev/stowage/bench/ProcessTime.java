package dev.stowage.bench;

import java.time.Duration;

/** Processor time of this process, all threads, the JVM's own included. */
final class ProcessTime {
    private ProcessTime() {}

    /** Nanoseconds; on Linux in steps of 10 ms. */
    static long nanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElseThrow(
                        () -> new IllegalStateException("this system does not tell the processor time of a process"));
    }
}
