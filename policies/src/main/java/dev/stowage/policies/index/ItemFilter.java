package dev.stowage.policies.index;

/** A condition on items that an index cannot represent. Items at one point all meet it or all fail it. */
@FunctionalInterface
public interface ItemFilter {
    /** Whether the item qualifies. */
    boolean accepts(int item);
}
