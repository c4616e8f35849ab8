/** Commands on an OpenStack cloud. */
@NullMarked
package dev.stowage.cli.openstack;

import org.jspecify.annotations.NullMarked;
