package dev.stowage.sim.trace;

import java.util.List;

/** The registry of trace formats. The first that recognises a file reads it, so the most particular come first. */
public final class TraceFormats {
    private static final List<TraceFormat> ALL = List.of(
            new AzurePackingFormat(),
            new SwfFormat(),
            new Azure2017Format(),
            new IntervalJobsFormat(),
            new OpenbRequestsFormat(),
            new OpenbPodsFormat(),
            new SurfFormat(),
            new GoogleSampleFormat(),
            new GoogleTaskEventsFormat(),
            AzureVmTableFormat.of2019(),
            AzureVmTableFormat.of2017(),
            new AlibabaContainersFormat(),
            new AlibabaBatchFormat(),
            new CanonicalFormat(),
            new OwnFormat());

    private TraceFormats() {}

    /** All formats, in the order in which they are tried. */
    public static List<TraceFormat> all() {
        return ALL;
    }
}
