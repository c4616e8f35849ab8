package dev.stowage.sim.trace;

/** Names that were meant to be others. */
final class Spelling {
    private Spelling() {}

    /** Whether one letter was left out, added, changed, or two neighbours swapped. */
    static boolean isNear(String given, String known) {
        int first = 0;
        while (first < Math.min(given.length(), known.length()) && given.charAt(first) == known.charAt(first)) {
            first++;
        }
        String a = given.substring(first);
        String b = known.substring(first);
        return switch (given.length() - known.length()) {
            case 1 -> a.substring(1).equals(b);
            case -1 -> b.substring(1).equals(a);
            case 0 ->
                a.isEmpty()
                        || a.substring(1).equals(b.substring(1))
                        || (a.length() > 1
                                && a.charAt(0) == b.charAt(1)
                                && a.charAt(1) == b.charAt(0)
                                && a.substring(2).equals(b.substring(2)));
            default -> false;
        };
    }
}
