package dev.stowage.service.api;

import org.jspecify.annotations.Nullable;

/**
 * How many requests a second a tenant may ask for; null: any number.
 *
 * @param submits most submits
 * @param releases most releases and confirmations
 * @param reads most reads of requests
 */
public record Rates(
        @Nullable Double submits,
        @Nullable Double releases,
        @Nullable Double reads) {
    /** No limits. */
    public static final Rates NONE = new Rates(null, null, null);
}
