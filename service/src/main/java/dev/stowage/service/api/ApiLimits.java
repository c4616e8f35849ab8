package dev.stowage.service.api;

/**
 * How much the API takes at once.
 *
 * @param messageBytes longest message
 * @param batch most requests in a batch
 * @param connections most connections
 * @param streams most calls under way on a connection
 */
public record ApiLimits(int messageBytes, int batch, int connections, int streams) {
    /** Unless the file says otherwise. */
    public static final ApiLimits USUAL = new ApiLimits(4 << 20, 1000, 4096, 4096);
}
