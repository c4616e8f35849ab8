package dev.stowage.study.fgd;

/**
 * What a request asks for.
 *
 * @param name its name in the list
 * @param cpuMilli thousandths of a processor
 * @param memoryMib memory, MiB
 * @param gpus how many GPUs, 0 for none
 * @param gpuMilli thousandths of each of them; below 1000 only with one GPU
 * @param models the names of the models that it may use, separated by '|'; empty for any
 * @param modelSet the same as bits, by {@link GpuLists}' numbers of models
 * @param shape number of what it asks for but memory; equal requests of a list have one
 */
record GpuRequest(
        String name, int cpuMilli, long memoryMib, int gpus, int gpuMilli, String models, long modelSet, int shape) {
    /** Thousandths of all its GPUs together. */
    int milli() {
        return gpus * gpuMilli;
    }

    /** Whether it asks for a part of one GPU. */
    boolean isPart() {
        return gpus == 1 && gpuMilli < GpuServer.WHOLE;
    }

    /** Whether it may use GPUs of the model. */
    boolean mayUse(int model) {
        return (modelSet >> model & 1) == 1;
    }
}
