package dev.stowage.study.advise;

import java.util.List;

/**
 * A rule on which jobs may share a domain of servers, checked when a job is placed. Jobs name the rules that bind them
 * and the rules that count them ({@link ClusterJob}); a job does not count itself.
 *
 * @param text words about a server that the rule forbids, as in "holds another job of group db"
 * @param domain per server the number of its domain, from 0; -1 for none
 * @param limit a domain with this many counted jobs takes no further bound job; 0 for a rule of skew
 * @param maxSkew how many more counted jobs the domain that gets a job may have than the eligible domain with the
 *     fewest, this job included if it counts; 0 for a limit
 * @param eligible numbers of the domains that the skew compares; empty for a limit
 * @param missing the words about a server without a domain, which takes no job that is bound; empty if it takes any
 */
public record NeighbourRule(String text, int[] domain, int limit, int maxSkew, List<Integer> eligible, String missing) {
    /**
     * Takes copies.
     *
     * @throws IllegalArgumentException unless exactly one of limit and skew is above 0
     */
    public NeighbourRule {
        domain = domain.clone();
        eligible = List.copyOf(eligible);
        if (limit < 0 || maxSkew < 0 || (limit > 0) == (maxSkew > 0)) {
            throw new IllegalArgumentException(
                    "rule '" + text + "': limit " + limit + " and skew " + maxSkew + ", of which one must be above 0");
        }
    }

    /** A limit: a domain with this many counted jobs takes no further bound job; a server without one takes any. */
    public static NeighbourRule limit(String text, int[] domain, int limit) {
        return limit(text, domain, limit, "");
    }

    /** The same where a server without a domain takes no job that is bound, with these words about it. */
    public static NeighbourRule limit(String text, int[] domain, int limit, String missing) {
        return new NeighbourRule(text, domain, limit, 0, List.of(), missing);
    }

    /** A skew over eligible domains. */
    public static NeighbourRule skew(String text, int[] domain, int maxSkew, List<Integer> eligible, String missing) {
        return new NeighbourRule(text, domain, 0, maxSkew, eligible, missing);
    }

    /** The words about a server that it forbids. */
    String text(int server) {
        return domain[server] < 0 ? missing : text;
    }

    /** Number of domains. */
    public int domains() {
        int most = -1;
        for (int one : domain) {
            most = Math.max(most, one);
        }
        return most + 1;
    }

    /** Whether every domain is a single server. */
    public boolean perServer() {
        boolean[] seen = new boolean[domains()];
        for (int one : domain) {
            if (one < 0 || seen[one]) {
                return false;
            }
            seen[one] = true;
        }
        return true;
    }

    @Override
    public int[] domain() {
        return domain.clone();
    }
}
