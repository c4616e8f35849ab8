package dev.stowage.policies.shadow;

/** A router to blocks that also says how much each configuration is to be used there. */
interface ShadowRouter extends Router {
    /** What is proportional to the usage fraction of a configuration of a block, 0 if it was never used. */
    double share(int block, int configuration);

    @Override
    default int destination(Block block) {
        return block.number;
    }
}
