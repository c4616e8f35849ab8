/** The model: resources, request types, sites and their servers. */
@NullMarked
package dev.stowage.core.model;

import org.jspecify.annotations.NullMarked;
