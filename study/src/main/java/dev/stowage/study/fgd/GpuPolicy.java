package dev.stowage.study.fgd;

/** Says how well a request suits a server where it fits; the greatest score wins. */
interface GpuPolicy {
    /** How well the request suits the server, from both alone. */
    double score(GpuServer server, GpuRequest request);

    /** The GPU of the server that a part goes to. */
    default int gpuFor(GpuServer server, GpuRequest request) {
        return server.fullestFor(request.gpuMilli());
    }

    /** A request has arrived, which will be placed next. */
    default void arrived(GpuRequest request) {}

    /** Changes when scores of before no longer hold. */
    default int version() {
        return 0;
    }
}
