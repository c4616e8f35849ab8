package dev.stowage.service.state;

import dev.stowage.core.random.KeyedRandom;

/** Hashes that are the same on every node. */
final class Hash {
    private Hash() {}

    /** Continues a hash with a text. */
    static long of(long start, String text) {
        long hash = KeyedRandom.mix(start + text.length());
        for (int i = 0; i < text.length(); i++) {
            hash = KeyedRandom.mix(hash + text.charAt(i));
        }
        return hash;
    }

    /** Of what names a request. */
    static long ofName(String tenant, String id) {
        return of(of(0, tenant), id);
    }
}
