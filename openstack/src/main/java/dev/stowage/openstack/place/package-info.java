/**
 * One engine per cloud, which decides on which host a server goes: it answers Nova's scheduler, or holds requests in
 * the policy's queue. Placement stays the truth: what it says replaces what the engine assumed.
 */
@NullMarked
package dev.stowage.openstack.place;

import org.jspecify.annotations.NullMarked;
