/** Backups of a service, and what to do with the directories of nodes that cannot go on. */
@NullMarked
package dev.stowage.cli.salvage;

import org.jspecify.annotations.NullMarked;
