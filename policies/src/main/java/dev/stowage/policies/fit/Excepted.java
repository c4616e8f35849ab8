package dev.stowage.policies.fit;

import java.util.Arrays;

/** Servers that are taken out of an index temporarily, because the constraints of a request exclude them. */
final class Excepted {
    private int[] servers = new int[16];
    private int size;

    void add(int server) {
        if (size == servers.length) {
            servers = Arrays.copyOf(servers, 2 * size);
        }
        servers[size++] = server;
    }

    int size() {
        return size;
    }

    int removeLast() {
        return servers[--size];
    }
}
