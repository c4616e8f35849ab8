/** The API described for programs: an OpenAPI document made from the protocol. */
@NullMarked
package dev.stowage.service.openapi;

import org.jspecify.annotations.NullMarked;
