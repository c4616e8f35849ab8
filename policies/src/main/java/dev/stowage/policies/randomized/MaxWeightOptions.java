package dev.stowage.policies.randomized;

/**
 * The kinds of max-weight.
 *
 * @param global whether configurations are renewed only when all servers are empty, instead of each server on its own
 * @param distributed whether there is a queue per type and server, joined when shortest, instead of one per type
 * @param refill whether a slot that becomes free is filled again before the next refresh
 */
record MaxWeightOptions(boolean global, boolean distributed, boolean refill) {}
