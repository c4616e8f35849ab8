/** The replicated log: the state on every node of a Raft group (Apache Ratis), and the leader's way into it. */
@NullMarked
package dev.stowage.service.raft;

import org.jspecify.annotations.NullMarked;
