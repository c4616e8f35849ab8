package dev.stowage.study.size;

import dev.stowage.core.model.Site;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Servers that are all alike, at several sites of which any may be lost: the first are those of a list, each time one
 * of the site that has fewest so far; when all of these are there, more come where there are fewest. No other way to
 * divide as many, of which those of the list come first, leaves more when the site with most is lost. A site without
 * servers gets none.
 *
 * @param list how many the list has, by block
 * @param order block of each server of the list
 * @param site of each block
 */
record EvenSites(long[] list, int[] order, int[] site) {
    /** Of so many servers, how many of each block. */
    long[] counts(long servers) {
        long[] counts = new long[list.length];
        long[] sites = bySite(servers);
        for (int s = 0; s < sites.length; s++) {
            int of = s;
            int[] its = Arrays.stream(order).filter(b -> site[b] == of).toArray();
            if (its.length == 0) {
                continue;
            }
            for (int b = 0; b < list.length; b++) {
                counts[b] += site[b] == s ? list[b] * (sites[s] / its.length) : 0;
            }
            for (int n = 0; n < sites[s] % its.length; n++) {
                counts[its[n]]++;
            }
        }
        return counts;
    }

    private long[] bySite(long servers) {
        long[] have = new long[site[site.length - 1] + 1];
        for (int b = 0; b < list.length; b++) {
            have[site[b]] += list[b];
        }
        boolean more = servers > order.length;
        LongUnaryOperator all = level -> Arrays.stream(have)
                .map(its -> more && its > 0 ? Math.max(its, level) : Math.min(its, level))
                .sum();
        long level = 0;
        long above = servers + 1;
        while (above - level > 1) {
            long middle = (level + above) / 2;
            if (all.applyAsLong(middle) <= servers) {
                level = middle;
            } else {
                above = middle;
            }
        }
        long filled = level;
        long[] sites = Arrays.stream(have)
                .map(its -> more && its > 0 ? Math.max(its, filled) : Math.min(its, filled))
                .toArray();
        IntStream.range(0, have.length)
                .filter(s -> more ? have[s] > 0 && have[s] <= filled : have[s] > filled)
                .limit(servers - Arrays.stream(sites).sum())
                .forEach(s -> sites[s]++);
        return sites;
    }

    /**
     * A list of servers of which the first n have of each site its part: the next is always one of the site with the
     * smallest part of its own so far.
     *
     * @param bySize blocks, the largest servers first
     */
    static int[] inRatio(List<Site> all, List<Integer> bySize, long[] list) {
        List<int[]> ofSite = new ArrayList<>();
        int begin = 0;
        for (Site site : all) {
            int end = begin + site.servers().size();
            int from = begin;
            ofSite.add(bySize.stream()
                    .filter(b -> b >= from && b < end)
                    .flatMap(b -> Stream.generate(() -> b).limit(list[b]))
                    .mapToInt(Integer::intValue)
                    .toArray());
            begin = end;
        }
        int[] order = new int[Math.toIntExact(Arrays.stream(list).sum())];
        int[] taken = new int[ofSite.size()];
        for (int n = 0; n < order.length; n++) {
            int next = -1;
            for (int s = 0; s < taken.length; s++) {
                int of = ofSite.get(s).length;
                if (taken[s] < of
                        && (next < 0 || (taken[s] + 1L) * ofSite.get(next).length < (taken[next] + 1L) * of)) {
                    next = s;
                }
            }
            order[n] = ofSite.get(next)[taken[next]++];
        }
        return order;
    }
}
