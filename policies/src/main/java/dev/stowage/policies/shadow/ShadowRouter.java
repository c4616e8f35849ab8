package dev.stowage.policies.shadow;

/** A router to blocks that also tells how much each configuration should be used there. */
interface ShadowRouter extends Router {
    /** A number proportional to the usage fraction of a configuration of a block, 0 if it was never used. */
    double share(int block, int configuration);

    @Override
    default int destination(Block block) {
        return block.number;
    }
}
