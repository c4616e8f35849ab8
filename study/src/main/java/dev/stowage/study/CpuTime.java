package dev.stowage.study;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time of the calling thread: unlike wall-clock time it does not include other work of the machine. */
public final class CpuTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final boolean SUPPORTED = THREADS.isCurrentThreadCpuTimeSupported();

    private CpuTime() {}

    /** Nanoseconds since an arbitrary origin; wall-clock time if the Java runtime has no processor times. */
    public static long nanos() {
        return SUPPORTED ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }
}
