/** Real processes of {@code stowage serve} that are killed, stopped, and find their files damaged, under load. */
@NullMarked
package dev.stowage.service.faults;

import org.jspecify.annotations.NullMarked;
