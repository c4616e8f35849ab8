package dev.stowage.cli.size;

import dev.stowage.study.size.Sizing;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a schedule says that knows all requests. */
final class HindsightText {
    private HindsightText() {}

    /**
     * Which of both is loose, the bound or the policy: what no policy and no bound can do better than a schedule that
     * knows all requests. Empty where none is sought, or nothing lies between policy and bound.
     */
    static String of(List<SizeOverview.Sized> all, boolean inventory, RealHosts hosts) {
        Sizing.Schedule found = all.get(0).hindsight();
        long bound = all.get(0).boundBy().get(0);
        Optional<Long> needed = least(all);
        if (found == null || needed.isEmpty() || bound == 0 || needed.get() <= bound) {
            return "";
        }
        long schedule = found.servers();
        String which = found.kinds().size() == 1 ? "" : " (" + hosts.of(found.kinds()) + ")";
        if (inventory) {
            return schedule >= needed.get()
                    ? ""
                    : String.format(
                                    Locale.ROOT,
                                    "%,d%s suffice if everything may be moved, by one plan for all requests: the policy"
                                            + " places one after the other, the largest first. So the minimum"
                                            + " is ",
                                    schedule,
                                    which)
                            + SizeOverview.range(List.of(bound, schedule)) + ".";
        }
        long unknown = schedule - bound;
        long blind = needed.get() - schedule;
        String suffice = String.format(
                        Locale.ROOT,
                        "In hindsight %,d%s suffice, by a schedule that knows all requests, so the minimum is ",
                        schedule,
                        which)
                + SizeOverview.range(List.of(bound, schedule)) + ". ";
        if (unknown == 0) {
            return suffice
                    + String.format(
                            Locale.ROOT,
                            "The bound is not loose: %s that the best policy needs beyond it %s due to deciding without"
                                    + " knowing the future.",
                            blind == 1 ? "the one" : String.format(Locale.ROOT, "all %,d", blind),
                            blind == 1 ? "is" : "are");
        }
        if (blind == 0) {
            return suffice + "The best policy needs no more than that schedule.";
        }
        return suffice
                + String.format(
                        Locale.ROOT,
                        "Of the %,d that the best policy needs beyond the bound, at least %,d %s due to deciding"
                                + " without knowing the future; whether the other %s due to that or to a loose"
                                + " bound is not known.",
                        unknown + blind,
                        blind,
                        blind == 1 ? "is" : "are",
                        unknown == 1 ? "is" : String.format(Locale.ROOT, "%,d are", unknown));
    }

    /** What the policy needs that needs least in the first replication. */
    static Optional<Long> least(List<SizeOverview.Sized> all) {
        return all.stream()
                .filter(one -> one.servers() != null)
                .map(one -> one.byReplication().get(0))
                .min(Comparator.naturalOrder());
    }
}
