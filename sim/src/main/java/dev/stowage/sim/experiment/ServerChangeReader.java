package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.sim.driver.ScheduledChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The part {@code server-changes} of an experiment: {@code {at: 6 h, drain: {site: east, fraction: 50 %}}}. */
public final class ServerChangeReader {
    /** What changes need so that they are not refused; without a full stop. */
    public static final String NEEDS = "'remove' needs a server on which nothing runs (drain it first, or use 'lose'),"
            + " 'drain' one that is up, 'return' one that is not, 'lose' one that is there";

    private static final String EXAMPLE = "{at: 6 h, drain: {site: east, fraction: 50 %}}";
    private static final List<String> VERBS = List.of("add", "drain", "return", "remove", "lose");

    private final Cluster cluster;
    private final List<String> resources;
    private final PromisedCapacity promised;
    private final long slotNanos;

    /** For a cluster, and the fields that it was read from: what is promised of its servers is so of added ones. */
    ServerChangeReader(Cluster cluster, YamlFields its, long slotNanos) {
        this.cluster = cluster;
        resources = cluster.resources().stream().map(Resource::name).toList();
        promised = new PromisedCapacity(its, resources);
        this.slotNanos = slotNanos;
    }

    /** The changes in order of time, those of equal times in the order given. */
    List<ScheduledChange> read(YamlFields changes) {
        List<ScheduledChange> all = new ArrayList<>();
        for (YamlFields change : changes.elements()) {
            if (change.isObject(EXAMPLE)) {
                long at = change.at("at").parsed(0L, text -> Units.durationNanos(text, slotNanos));
                List<String> verbs = VERBS.stream().filter(change::has).toList();
                if (verbs.size() == 1) {
                    all.add(change(at, verbs.get(0), change.at(verbs.get(0))));
                } else {
                    change.problem("must have exactly one of " + VERBS + ", not " + verbs + "; e.g. " + EXAMPLE);
                }
                change.rejectUnknown();
            }
        }
        all.sort(Comparator.comparingLong(ScheduledChange::atNanos));
        return all;
    }

    private ScheduledChange change(long at, String verb, YamlFields what) {
        ScheduledChange.Kind kind = ScheduledChange.Kind.valueOf(verb.toUpperCase(Locale.ROOT));
        if (!what.isObject("{site: east, fraction: 50 %}")) {
            return ScheduledChange.of(at, kind, 0, 0);
        }
        int site = site(what.at("site"));
        ScheduledChange change =
                kind == ScheduledChange.Kind.ADD ? added(at, site, what) : selected(at, kind, site, what);
        what.rejectUnknown();
        return change;
    }

    private ScheduledChange added(long at, int site, YamlFields what) {
        long[] capacity = promised.of(ResourceKeys.amounts(what, resources, List.of("site", "count")));
        for (int r = 0; r < capacity.length; r++) {
            String wrong = cluster.resources().get(r).wrongCapacity(capacity[r]);
            if (!wrong.isEmpty()) {
                what.problem(wrong);
            }
        }
        int count = (int) what.at("count").whole(1, 1, 10_000_000);
        return new ScheduledChange(at, ScheduledChange.Kind.ADD, -1, count, site, capacity);
    }

    /** The first servers of the site: a count, a fraction (rounded), or all. */
    private ScheduledChange selected(long at, ScheduledChange.Kind kind, int site, YamlFields what) {
        int size = servers(cluster.sites().get(site));
        int first = cluster.sites().subList(0, site).stream()
                .mapToInt(ServerChangeReader::servers)
                .sum();
        boolean byCount = what.has("count");
        if (byCount && what.has("fraction")) {
            what.problem("has both count and fraction; give one");
        }
        int skip = (int) what.at("from").whole(0, 0, size);
        int count = byCount
                ? (int) what.at("count").whole(1, 1, (long) size - skip)
                : (int) Math.round(what.at("fraction").number(1, 0, 1) * size);
        return ScheduledChange.of(at, kind, first + skip, Math.min(count, size - skip));
    }

    private int site(YamlFields at) {
        List<String> names = cluster.sites().stream().map(Site::name).toList();
        String name = at.text(names.get(0));
        int site = names.indexOf(name);
        if (site < 0) {
            at.problem("'" + name + "' is not a site; " + NearestName.among(name, names));
        }
        return Math.max(0, site);
    }

    private static int servers(Site site) {
        return site.servers().stream().mapToInt(ServerBlock::count).sum();
    }
}
