/** The Java client of the service: retries failed calls with the same id, and follows the leader. */
@NullMarked
package dev.stowage.service.client;

import org.jspecify.annotations.NullMarked;
