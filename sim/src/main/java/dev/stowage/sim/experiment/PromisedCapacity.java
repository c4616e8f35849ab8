package dev.stowage.sim.experiment;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.sim.result.Remark;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What requests may have of the capacity of each server: what is left of it after a reserve, times its overcommitment.
 * Of all that, amounts are rounded down once.
 */
final class PromisedCapacity {
    static final String OVERCOMMIT = "overcommit";
    static final String RESERVE = "reserve";
    private static final String SPARE = "spare";
    private static final String SPARE_SITE = "spare-site";
    /** Servers that may fail. */
    static final List<String> SPARES = List.of(SPARE, SPARE_SITE);

    private static final double MOST_OVERCOMMIT = 1000;
    private static final double MILLIONTH = 1e6;

    private final List<String> resources;
    private final BigDecimal[] overcommit;
    private final long[] reservedPerMillion;
    private final long[] reserved;
    private final List<String> said = new ArrayList<>();

    /** As the keys {@code overcommit} and {@code reserve} of a cluster say. */
    PromisedCapacity(YamlFields cluster, List<String> resources) {
        this(cluster.at(RESERVE), cluster.at(OVERCOMMIT), resources);
    }

    private PromisedCapacity(YamlFields reserve, YamlFields overcommits, List<String> resources) {
        this.resources = resources;
        overcommit = new BigDecimal[resources.size()];
        Arrays.fill(overcommit, BigDecimal.ONE);
        reservedPerMillion = new long[resources.size()];
        reserved = new long[resources.size()];
        each(reserve, "{cpu: 10 %, memory: 8 GiB}", this::reserve);
        each(overcommits, "{cpu: 4}", this::overcommit);
    }

    /** Of servers that say one of these keys, or both: the other is that of their cluster. */
    static PromisedCapacity ofBlock(YamlFields block, YamlFields cluster, List<String> resources) {
        YamlFields reserve = block.at(RESERVE);
        YamlFields overcommits = block.at(OVERCOMMIT);
        boolean says = reserve.present() || overcommits.present();
        return new PromisedCapacity(
                reserve.present() || !says ? reserve : cluster.at(RESERVE),
                overcommits.present() || !says ? overcommits : cluster.at(OVERCOMMIT),
                resources);
    }

    private interface Reader {
        void read(YamlFields value, String key, int resource);
    }

    private void each(YamlFields fields, String example, Reader reader) {
        if (!fields.present() || !fields.isObject(example)) {
            return;
        }
        for (String key : fields.keys()) {
            int resource = resources.indexOf(ResourceKeys.resource(key));
            if (resource < 0) {
                fields.at(key)
                        .problem("'" + key + "' is not a resource of the servers; these have "
                                + resources.stream()
                                        .map(ResourceWords::resource)
                                        .collect(Collectors.joining(", ")));
            } else {
                reader.read(fields.at(key), key, resource);
            }
        }
    }

    private void reserve(YamlFields value, String key, int resource) {
        String text = value.requiredText("a part such as 10 %, or an amount");
        if (text.strip().endsWith("%")) {
            reservedPerMillion[resource] = Math.round(MILLIONTH * value.number(0, 0, 0.99));
        } else {
            reserved[resource] = ResourceKeys.amount(key, value);
        }
        said.add(text + " of the " + key + " reserved");
    }

    private void overcommit(YamlFields value, String key, int resource) {
        Function<String, Double> ratio = text -> Units.number(text.replaceFirst("\\s*:\\s*1$", ""));
        double times = value.parsed(1.0, ratio);
        if (!(times >= 1 && times <= MOST_OVERCOMMIT)) {
            value.problem("'" + value.text("")
                    + "' must be from 1 to 1000: how many are promised for each real one, such as 4 or 4:1");
            return;
        }
        overcommit[resource] = BigDecimal.valueOf(times);
        said.add(String.format(Locale.ROOT, "%s overcommitted %s:1", key, text(times)));
    }

    private static String text(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    /** Whether less or more than what is there may be used. */
    boolean says() {
        return !said.isEmpty();
    }

    /**
     * The sites with what may be used of their servers; what was done is added to the notes.
     *
     * @param own which of all blocks say it themselves, and stay as they are
     */
    List<Site> of(YamlFields cluster, List<Site> sites, BitSet own, List<Remark> notes) {
        if (said.isEmpty()) {
            return sites;
        }
        ServerBlock first = sites.get(0).servers().get(0);
        List<Site> usable = new ArrayList<>();
        int next = 0;
        for (Site site : sites) {
            List<ServerBlock> blocks = new ArrayList<>();
            for (ServerBlock block : site.servers()) {
                blocks.add(own.get(next++) ? block : of(block));
            }
            usable.add(new Site(site.name(), blocks, site.pooled()));
        }
        for (int r = 0; r < resources.size(); r++) {
            for (Site site : usable) {
                int resource = r;
                if ((reserved[r] > 0 || reservedPerMillion[r] > 0)
                        && site.servers().stream()
                                .anyMatch(block -> block.capacity().get(resource) == 0)) {
                    cluster.at(RESERVE)
                            .problem("leaves nothing of the " + ResourceWords.resource(resources.get(r))
                                    + " of a server");
                }
            }
        }
        ServerBlock then = usable.get(0).servers().get(0);
        String holds = IntStream.range(0, resources.size())
                .filter(r -> first.capacity().get(r) != then.capacity().get(r))
                .mapToObj(r -> words(
                        resources.get(r),
                        then.capacity().get(r),
                        first.capacity().get(r)))
                .collect(Collectors.joining(", "));
        notes.add(new Remark(
                        Remark.Kind.NAMED,
                        String.join(", ", said)
                                + (holds.isEmpty() ? "" : "; so a server of the first kind holds " + holds))
                .about("servers"));
        return usable;
    }

    private static String words(String resource, long usable, long there) {
        return switch (resource) {
            case "cpu_milli" -> shown(usable, 1000) + " vCPU on " + shown(there, 1000) + " cores";
            case "mem_mib" -> shown(usable, 1024) + " of " + shown(there, 1024) + " GiB memory";
            default -> usable + " of " + there + " " + resource;
        };
    }

    private static String shown(long amount, int unit) {
        return text(Math.round(amount * 100.0 / unit) / 100.0);
    }

    private ServerBlock of(ServerBlock block) {
        long[] there = IntStream.range(0, resources.size())
                .mapToLong(block.capacity()::get)
                .toArray();
        return new ServerBlock(block.count(), Amounts.of(of(there)), block.names(), block.labels());
    }

    /** What may be used of a server with these amounts. */
    long[] of(long[] amounts) {
        long[] usable = new long[resources.size()];
        for (int r = 0; r < usable.length; r++) {
            BigDecimal kept = BigDecimal.valueOf(amounts[r])
                    .multiply(BigDecimal.valueOf(reservedPerMillion[r], 6))
                    .add(BigDecimal.valueOf(reserved[r]));
            usable[r] = BigDecimal.valueOf(amounts[r])
                    .subtract(kept)
                    .max(BigDecimal.ZERO)
                    .multiply(overcommit[r])
                    .longValue();
        }
        return usable;
    }

    /**
     * The sites without those servers that may fail, as if all of them had at the start: the largest {@code spare} by
     * their parts of the largest amounts, and the largest site ({@code spare-site}). What was done is in the notes.
     */
    static List<Site> withoutSpare(YamlFields cluster, List<Site> sites, List<Remark> notes) {
        int spare = (int) cluster.at(SPARE).whole(0, 0, 1_000_000);
        boolean site = cluster.at(SPARE_SITE).flag(false);
        List<ServerBlock> blocks =
                sites.stream().flatMap(each -> each.servers().stream()).toList();
        int[] left = blocks.stream().mapToInt(ServerBlock::count).toArray();
        List<String> lost = new ArrayList<>();
        if (site && sites.size() < 2) {
            cluster.at(SPARE_SITE).problem(SizeReader.oneSite(sites.get(0)));
        } else if (site) {
            Site largest = sites.stream()
                    .max(Comparator.comparingDouble(each -> each.servers().stream()
                            .mapToDouble(block -> block.count() * size(block, blocks))
                            .sum()))
                    .orElseThrow();
            int first = sites.subList(0, sites.indexOf(largest)).stream()
                    .mapToInt(each -> each.servers().size())
                    .sum();
            Arrays.fill(left, first, first + largest.servers().size(), 0);
            lost.add("all of " + largest.name());
        }
        int more = spare;
        for (int b : IntStream.range(0, left.length)
                .boxed()
                .sorted(Comparator.comparingDouble(b -> -size(blocks.get(b), blocks)))
                .toList()) {
            int these = Math.min(more, left[b]);
            left[b] -= these;
            more -= these;
        }
        if (spare > 0) {
            String most = spare == 1 ? "the largest server" : "the " + spare + " largest servers";
            lost.add(site ? most + " of the others" : most);
        }
        if (!lost.isEmpty() && Arrays.stream(left).sum() == 0) {
            cluster.at(SPARE).problem("leaves no server");
        }
        if (lost.isEmpty() || cluster.problems() > 0) {
            return sites;
        }
        notes.add(new Remark(
                Remark.Kind.LOST,
                "left out as lost: " + String.join(" and, at the same time, ", lost) + "; "
                        + Arrays.stream(left).sum() + " of "
                        + blocks.stream().mapToInt(ServerBlock::count).sum() + " servers remain"));
        List<Site> all = new ArrayList<>();
        int next = 0;
        for (Site each : sites) {
            List<ServerBlock> kept = new ArrayList<>();
            for (ServerBlock block : each.servers()) {
                int count = left[next++];
                List<String> names =
                        block.names().isEmpty() ? block.names() : block.names().subList(0, count);
                kept.add(new ServerBlock(count, block.capacity(), names, block.labels()));
            }
            all.add(new Site(each.name(), kept, each.pooled()));
        }
        return all;
    }

    /** The sum of the parts that a server has of the largest amounts. */
    private static double size(ServerBlock block, List<ServerBlock> all) {
        return IntStream.range(0, block.capacity().size())
                .mapToDouble(r -> (double) block.capacity().get(r)
                        / Math.max(
                                1,
                                all.stream()
                                        .mapToLong(each -> each.capacity().get(r))
                                        .max()
                                        .orElse(1)))
                .sum();
    }
}
