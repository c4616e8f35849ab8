package dev.stowage.study.load;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.optimize.bound.ServerClass;
import dev.stowage.sim.driver.ScheduledChange;
import dev.stowage.sim.experiment.Experiment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How many servers of each block (servers of one capacity at a site) are up, as the changes of an experiment are
 * applied.
 */
public final class ServersUp {
    /**
     * Servers of one capacity at a site.
     *
     * @param site index of the site
     * @param capacity capacity of each
     */
    public record Block(int site, long[] capacity) {}

    private final List<Block> blocks = new ArrayList<>();
    private final List<Integer> blockOf = new ArrayList<>();
    private final List<Boolean> isUp = new ArrayList<>();

    /** As they are at the start. */
    public ServersUp(Cluster cluster) {
        for (int site = 0; site < cluster.sites().size(); site++) {
            Site each = cluster.sites().get(site);
            for (ServerBlock block : each.servers()) {
                add(site, block.capacity().toArray(), block.count());
            }
        }
    }

    private void add(int site, long[] capacity, int count) {
        int block = 0;
        while (block < blocks.size()
                && !(blocks.get(block).site == site && Arrays.equals(blocks.get(block).capacity, capacity))) {
            block++;
        }
        if (block == blocks.size() && count > 0) {
            blocks.add(new Block(site, capacity));
        }
        for (int i = 0; i < count; i++) {
            blockOf.add(block);
            isUp.add(true);
        }
    }

    /** Applies a change: servers are drained or lost, returned, removed or added. */
    public void apply(ScheduledChange change) {
        if (change.kind() == ScheduledChange.Kind.ADD) {
            add(change.site(), change.capacity(), change.count());
            return;
        }
        if (change.kind() == ScheduledChange.Kind.LABEL) {
            return;
        }
        boolean up = change.kind() == ScheduledChange.Kind.RETURN;
        for (int server = change.from(); server < change.from() + change.count(); server++) {
            isUp.set(server, up);
        }
    }

    /** Whether fewer, more or other servers are up after the changes of an experiment than before. */
    public static boolean changeForGood(Experiment experiment) {
        ServersUp servers = new ServersUp(experiment.cluster());
        int[] start = servers.counts();
        experiment.changes().stream()
                .filter(change -> change.atNanos() < experiment.end().atNanos())
                .forEach(servers::apply);
        return !Arrays.equals(start, servers.counts());
    }

    /**
     * Servers of one capacity at a site are a class; in order of appearance, as in policies that work by sites.
     */
    public static List<ServerClass> bySite(Cluster cluster) {
        ServersUp up = new ServersUp(cluster);
        int[] counts = up.counts();
        List<ServerClass> classes = new ArrayList<>();
        for (int block = 0; block < counts.length; block++) {
            classes.add(new ServerClass(counts[block], up.blocks.get(block).capacity));
        }
        return classes;
    }

    /** Blocks in order of appearance; some may have no server that is up. */
    public List<Block> blocks() {
        return blocks;
    }

    /** Servers that are up, by block. */
    public int[] counts() {
        int[] counts = new int[blocks.size()];
        for (int server = 0; server < isUp.size(); server++) {
            counts[blockOf.get(server)] += isUp.get(server) ? 1 : 0;
        }
        return counts;
    }
}
