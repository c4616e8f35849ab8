package dev.stowage.policies.bestfit;

import dev.stowage.policies.fit.Score;

/**
 * Options of VQS and VQS-BF.
 *
 * @param levels how J is chosen
 * @param stalling fraction of the largest weight below which a configuration stalls its server; 0: never
 * @param score how the best request is chosen with several resources
 */
record VirtualQueueOptions(Levels.Rule levels, double stalling, Score score) {}
