/** A cloud at one moment, read from its APIs or from files of its command-line client. */
@NullMarked
package dev.stowage.openstack.snapshot;

import org.jspecify.annotations.NullMarked;
