/** Backups of a service, and repair of the directories of nodes that cannot go on. */
@NullMarked
package dev.stowage.cli.salvage;

import org.jspecify.annotations.NullMarked;
