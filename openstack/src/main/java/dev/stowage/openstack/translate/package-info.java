/**
 * What Nova and Placement say of hosts, flavors, servers and groups, and which hosts a flavor may use. No input or
 * output.
 */
@NullMarked
package dev.stowage.openstack.translate;

import org.jspecify.annotations.NullMarked;
