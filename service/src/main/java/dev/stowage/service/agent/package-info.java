/** An example of an agent: what a server does that is placed on. */
@NullMarked
package dev.stowage.service.agent;

import org.jspecify.annotations.NullMarked;
