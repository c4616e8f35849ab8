/**
 * A node's data directory: which group it belongs to, how far its log was applied, and how it is read, checked, backed
 * up and repaired without a running node.
 */
@NullMarked
package dev.stowage.service.directory;

import org.jspecify.annotations.NullMarked;
