/** The API: gRPC and JSON over HTTP on one port. */
@NullMarked
package dev.stowage.service.api;

import org.jspecify.annotations.NullMarked;
