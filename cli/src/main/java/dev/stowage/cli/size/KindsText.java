package dev.stowage.cli.size;

import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.measure.PricesInUse;
import dev.stowage.study.buy.Offers;
import dev.stowage.study.size.SizeWords;
import dev.stowage.study.size.Unfit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an answer says about the kinds of servers of which it is asked how many, and about kinds of requests. */
final class KindsText {
    private static final int FEW = 3;

    private final Experiment point;
    private final RealHosts hosts;
    private final boolean alone;
    /** Servers by kind in words, in the order of their list. */
    private final Map<String, Long> there = new LinkedHashMap<>();

    /**
     * For an experiment.
     *
     * @param alone whether its servers are kinds without a number, of which none is there
     */
    KindsText(Experiment point, RealHosts hosts, boolean alone) {
        this.point = point;
        this.hosts = hosts;
        this.alone = alone;
        List<String> kinds = SizeWords.kinds(point);
        List<ServerBlock> blocks = Offers.blocks(point);
        for (int b = 0; b < kinds.size(); b++) {
            there.merge(kinds.get(b), (long) blocks.get(b).count(), Long::sum);
        }
    }

    /** How many servers are there. */
    long present() {
        return alone ? 0 : sum(there);
    }

    /** {@code Servers that hold 32 vCPU, 256 GiB (3 are there)}. */
    String asked() {
        long all = sum(there);
        if (there.size() > 1) {
            return "Servers" + (alone ? " (" + as(" + ", false) + ")" : " (there are " + as(" + ", true) + ")");
        }
        return "Servers that hold " + alike(all, "");
    }

    /** The same after a number that is needed: {@code  servers that hold 32 vCPU (3 are there; 1 to spare)}. */
    String asked(long needed) {
        long all = sum(there);
        String spare = needed > 0 && needed < all && !alone ? "; " + number(all - needed) + " to spare" : "";
        String servers = needed == 1 ? " server" : " servers";
        if (there.size() > 1) {
            return servers + " (" + (alone ? as(" + ", false) : number(all) + " are there: " + as(" + ", true) + spare)
                    + ")";
        }
        return servers + (needed == 1 ? " that holds " : " that hold ") + alike(all, spare);
    }

    /** What each of them holds and how many are there, in one bracket. */
    private String alike(long all, String spare) {
        String kind = hosts.both(there.keySet().iterator().next());
        String are = (all == 1 ? "1 is there" : number(all) + " are there") + spare;
        return alone
                ? kind
                : kind.endsWith(")")
                        ? kind.substring(0, kind.length() - 1) + "; " + are + ")"
                        : kind + " (" + are + ")";
    }

    private String as(String between, boolean counted) {
        return there.entrySet().stream()
                .map(each -> (counted ? number(each.getValue()) + " x " : "") + hosts.both(each.getKey()))
                .collect(Collectors.joining(between));
    }

    /**
     * Where those that are there are not enough: which more come, and what one kind alone would take.
     *
     * @param answer how many of each kind the answer has
     * @param sites the same by site; empty where there is one
     * @param only how many of each kind alone suffice; empty if those that are there are enough
     * @param chosen whether the fewest were sought; else the list comes once more
     * @param proven whether it is that those that are there are not enough
     */
    String more(
            Map<String, Long> answer,
            Map<String, Map<String, Long>> sites,
            Map<String, Long> only,
            boolean chosen,
            boolean proven) {
        if (there.size() == 1) {
            return alike(answer, sites, only, proven);
        }
        if (only.isEmpty()) {
            return "";
        }
        List<String> said = new ArrayList<>();
        said.add(
                alone
                        ? "This answer takes the kinds in turn, the largest first, because --servers gives no numbers;"
                                + " other mixes may need fewer."
                        : adds(answer, sites, proven)
                                + (chosen
                                        ? ", the fewest of their kinds that were found."
                                        : ", which is the list once more from its largest; other mixes may need fewer."));
        Map<String, Long> enough = new LinkedHashMap<>();
        only.entrySet().stream()
                .filter(each -> each.getValue() > 0)
                .sorted(Map.Entry.comparingByValue())
                .forEach(each -> enough.put(each.getKey(), each.getValue()));
        if (!enough.isEmpty()) {
            said.add("Of one kind alone " + hosts.of(enough).replace(" + ", ", or ") + " suffice"
                    + (sites.isEmpty() ? "." : ", divided evenly over the sites."));
        }
        List<String> names = SizeWords.kinds(point);
        List<ServerBlock> blocks = Offers.blocks(point);
        there.keySet().stream()
                .map(kind -> never(
                        Unfit.of(point, List.of(blocks.get(names.indexOf(kind)).capacity())), hosts.of(kind)))
                .filter(why -> !why.isEmpty())
                .forEach(said::add);
        if (alone) {
            said.add("--buy instead of --servers finds the best mix.");
        } else if (chosen || sites.isEmpty()) {
            said.add("--buy shows which to buy of other kinds, or for least money.");
        }
        return String.join(" ", said);
    }

    /** Of servers that are alike: what is added at which site, and how many are enough with as many at each. */
    private String alike(
            Map<String, Long> answer, Map<String, Map<String, Long>> sites, Map<String, Long> even, boolean proven) {
        long needed = sum(answer);
        long enough = sum(even);
        return sites.isEmpty() || alone || needed <= sum(there)
                ? ""
                : adds(answer, sites, proven) + "."
                        + (enough == 0 || enough >= needed
                                ? ""
                                : " If they need not stay, " + number(enough)
                                        + " in all are enough, as many at each site.");
    }

    /** What comes to those that are there, which are not enough, as far as is known. */
    private String adds(Map<String, Long> answer, Map<String, Map<String, Long>> sites, boolean proven) {
        return (proven
                        ? "The " + number(sum(there)) + " that are there are not enough."
                        : "No way was found to run all of it on the " + number(sum(there))
                                + " that are there; it is not proven that there is none.")
                + " This answer keeps them and adds "
                + (sites.isEmpty() ? hosts.of(added(there, answer)) : added(sites));
    }

    private static long sum(Map<String, Long> servers) {
        return servers.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Numbers by kind, those of the same kind added up. */
    static Map<String, Long> together(Stream<Map.Entry<String, Long>> kinds) {
        return kinds.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Long::sum, LinkedHashMap::new));
    }

    private static Map<String, Long> added(Map<String, Long> there, Map<String, Long> answer) {
        Map<String, Long> added = new LinkedHashMap<>();
        answer.forEach((kind, count) -> added.put(kind, count - there.getOrDefault(kind, 0L)));
        added.values().removeIf(count -> count <= 0);
        return added;
    }

    /** {@code 1 x 64 cores, 512 GiB at Frankfurt}. */
    private String added(Map<String, Map<String, Long>> sites) {
        List<String> names = SizeWords.kinds(point);
        List<String> added = new ArrayList<>();
        int block = 0;
        for (Site site : point.cluster().sites()) {
            Map<String, Long> now = new LinkedHashMap<>();
            for (ServerBlock each : site.servers()) {
                now.merge(names.get(block++), (long) each.count(), Long::sum);
            }
            Map<String, Long> more = added(now, sites.getOrDefault(site.name(), Map.of()));
            if (!more.isEmpty()) {
                added.add(hosts.of(more) + " at " + site.name());
            }
        }
        return added.size() > 2 ? String.join("; ", added) : String.join(", and ", added);
    }

    /** What so many of each kind cost by the prices of their list; empty where some kind has none, or several. */
    String cost(Map<String, Long> servers) {
        Map<String, Set<Double>> prices = new HashMap<>();
        List<String> names = SizeWords.kinds(point);
        List<ServerBlock> blocks = point.cluster().sites().stream()
                .flatMap(site -> site.servers().stream())
                .toList();
        for (int b = 0; b < blocks.size(); b++) {
            prices.computeIfAbsent(names.get(b), kind -> new HashSet<>())
                    .add(PricesInUse.of(blocks.get(b).labels()));
        }
        double cost = 0;
        long all = 0;
        for (Map.Entry<String, Long> each : servers.entrySet()) {
            Set<Double> its = prices.getOrDefault(each.getKey(), Set.of());
            if (its.size() != 1 || its.contains(0.0)) {
                return "";
            }
            all += each.getValue();
            cost += each.getValue() * its.iterator().next();
        }
        return servers.isEmpty()
                ? ""
                : " By the prices of their list " + (all == 1 ? "it costs " : "they cost ")
                        + money(cost, currency(point)) + ".";
    }

    /** How many are at each site, and how many of them are there now; empty where there is one site. */
    String bySite(Map<String, Map<String, Long>> sites) {
        List<String> each = new ArrayList<>();
        for (Site site : point.cluster().sites()) {
            Map<String, Long> its = sites.getOrDefault(site.name(), Map.of());
            int now = site.servers().stream().mapToInt(ServerBlock::count).sum();
            each.add(number(its.values().stream().mapToLong(Long::longValue).sum()) + " at " + site.name()
                    + (its.isEmpty() ? "" : " (" + hosts.of(its) + (alone ? "" : "; " + number(now) + " now") + ")"));
        }
        return sites.isEmpty() ? "" : " By site: " + String.join(", ", each) + ".";
    }

    /** Why servers of a kind alone are never enough; empty if every request fits one. */
    static String never(Unfit unfit, String kind) {
        return unfit.count() == 0
                ? ""
                : kind + " alone is never enough: it has " + unfit.lacking() + " for " + unfit.names() + ".";
    }

    static String money(double amount) {
        return amount == Math.rint(amount)
                ? String.format(Locale.ROOT, "%,.0f", amount)
                : String.format(Locale.ROOT, "%,.2f", amount);
    }

    static String money(double amount, String currency) {
        return money(amount) + (currency.isEmpty() ? "" : " " + currency);
    }

    /** The currency of the prices that the list of an experiment's servers has; empty if nothing says it. */
    static String currency(Experiment point) {
        return point.cluster().sites().stream()
                .flatMap(site -> site.servers().stream())
                .map(block -> block.labels().values().getOrDefault(PricesInUse.CURRENCY, ""))
                .filter(code -> !code.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** The most of them; of many of one each their names alone. */
    static String few(Map<String, Integer> byType) {
        List<String> parts = parts(byType);
        int more = parts.size() - FEW;
        return parts.isEmpty()
                ? "-"
                : String.join(", ", parts.subList(0, Math.min(FEW, parts.size())))
                        + (more <= 0
                                ? ""
                                : ", and " + more
                                        + (areNames(byType) ? " more" : more == 1 ? " other kind" : " other kinds"));
    }

    /** All of them. */
    static String all(Map<String, Integer> byType) {
        return byType.isEmpty() ? "-" : String.join(", ", parts(byType));
    }

    private static List<String> parts(Map<String, Integer> byType) {
        return byType.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .map(each -> (areNames(byType) ? "" : each.getValue() + " x ") + each.getKey())
                .toList();
    }

    private static boolean areNames(Map<String, Integer> byType) {
        return byType.size() > FEW && byType.values().stream().allMatch(each -> each == 1);
    }
}
