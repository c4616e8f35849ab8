/**
 * The APIs of a cloud: its address and credentials out of clouds.yaml, a token and the catalog of Keystone v3, and
 * calls.
 */
@NullMarked
package dev.stowage.openstack.api;

import org.jspecify.annotations.NullMarked;
