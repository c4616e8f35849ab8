package dev.stowage.core.model;

import java.util.List;

/**
 * A block of equal servers.
 *
 * @param count how many, at least 0
 * @param capacity capacity of each, per resource
 * @param names a name for each, or none for servers without names
 * @param labels labels of each
 */
public record ServerBlock(int count, Amounts capacity, List<String> names, Labels labels) {
    /** Checks the count and that there are as many names. */
    public ServerBlock {
        if (count < 0) {
            throw new IllegalArgumentException("server count " + count + " is negative");
        }
        names = List.copyOf(names);
        if (!names.isEmpty() && names.size() != count) {
            throw new IllegalArgumentException(count + " servers have " + names.size() + " names: " + names);
        }
        names.forEach(name -> Labels.checkWord("server name", name, false));
    }

    /** Servers without names and labels. */
    public ServerBlock(int count, Amounts capacity) {
        this(count, capacity, List.of(), Labels.NONE);
    }

    /** One server with a name. */
    public static ServerBlock named(String name, Labels labels, long... capacity) {
        return new ServerBlock(1, Amounts.of(capacity), List.of(name), labels);
    }
}
