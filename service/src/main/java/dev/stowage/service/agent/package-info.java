/** An example of an agent, which starts and stops requests on one server. */
@NullMarked
package dev.stowage.service.agent;

import org.jspecify.annotations.NullMarked;
