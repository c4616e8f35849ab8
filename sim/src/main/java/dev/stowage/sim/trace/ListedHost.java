package dev.stowage.sim.trace;

import dev.stowage.core.model.Labels;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.sim.measure.PricesInUse;
import dev.stowage.sim.result.Remark;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A row of a list of servers.
 *
 * @param site where they are
 * @param count how many there are
 * @param capacity of each, by resource
 * @param name of the one; empty if there is none
 * @param kind what such a server is called: its model or, where it has none, the name that stands in the list
 * @param price of one; 0 if none is given
 * @param lead days from its order until it is delivered; empty if nothing says it
 */
record ListedHost(String site, long count, List<Long> capacity, String name, String kind, double price, String lead) {
    /** So much more memory, in parts of the least, is the same kind: what a firmware keeps differs by some MiB. */
    private static final double SAME = 0.01;

    private static final Pattern HOST = Pattern.compile(
            "(esxi_|vm_)?host(_?name)?|server_?name|node(_?(name|list))?|esxi|vmhost|hypervisor_hostname|servername|rechner(name)?");

    private record Alike(String model, List<Long> others, double price, String lead) {}

    /**
     * The same servers, where those of one model that have the same of all else, and almost the same memory, have all
     * the least of it. Those without a model stay as they are: a request may be made for one of them, to the last MiB.
     *
     * @param memory its place among the resources; -1 if there is none
     * @param note receives which these are, if there are any
     */
    static List<ListedHost> oneKindEach(List<ListedHost> hosts, int memory, Consumer<Remark> note) {
        if (memory < 0) {
            return hosts;
        }
        Map<Alike, List<Integer>> alike = IntStream.range(0, hosts.size())
                .boxed()
                .sorted(Comparator.comparing(i -> hosts.get(i).capacity().get(memory)))
                .collect(Collectors.groupingBy(
                        i -> hosts.get(i).without(memory), LinkedHashMap::new, Collectors.toList()));
        List<ListedHost> all = new ArrayList<>(hosts);
        List<String> said = new ArrayList<>();
        for (List<Integer> some : alike.values()) {
            String model = hosts.get(some.get(0)).model();
            if (model.isEmpty()) {
                continue;
            }
            for (int begin = 0, end; begin < some.size(); begin = end) {
                long least = hosts.get(some.get(begin)).capacity().get(memory);
                end = begin;
                while (end < some.size() && hosts.get(some.get(end)).capacity().get(memory) <= least * (1 + SAME)) {
                    end++;
                }
                long most = hosts.get(some.get(end - 1)).capacity().get(memory);
                if (most > least) {
                    List<Integer> kind = some.subList(begin, end);
                    kind.forEach(i -> all.set(i, hosts.get(i).with(memory, least)));
                    long count =
                            kind.stream().mapToLong(i -> hosts.get(i).count()).sum();
                    said.add(String.format(Locale.ROOT, "%,d x %s (%,d to %,d MiB)", count, model, least, most));
                }
            }
        }
        if (!said.isEmpty()) {
            note.accept(new Remark(
                    Remark.Kind.ALIKE,
                    "servers that are alike but for at most 1 % of their memory are one kind, with the least of it: "
                            + String.join(", ", said)));
        }
        return all;
    }

    /** A handful of cores with much memory for each is a handful of sockets. */
    static Optional<String> sockets(List<ListedHost> hosts, int cpu, int memory, String column) {
        return hosts.stream()
                .filter(host -> host.capacity().get(cpu) <= 8_000
                        && host.capacity().get(memory)
                                >= 32 * 1024 * (host.capacity().get(cpu) / 1000))
                .findFirst()
                .map(host -> String.format(
                        Locale.ROOT,
                        "a server has %s and %s: does column %s count sockets? (then a column of cores per socket is"
                                + " needed, --server-columns per=COLUMN)",
                        ResourceWords.amount(
                                OwnColumns.resource("cpu"), host.capacity().get(cpu)),
                        ResourceWords.amount(
                                OwnColumns.resource("mem"), host.capacity().get(memory)),
                        column));
    }

    /** Whether a column has names of hosts: others may name models. */
    static boolean areHosts(String column) {
        return HOST.matcher(ColumnNames.words(column, "_")).matches();
    }

    /** Names of hosts in more than one row, as where two exports were put together; other columns may name models. */
    static Optional<String> again(List<ListedHost> hosts, String column) {
        Set<String> seen = new HashSet<>();
        Set<String> again = new LinkedHashSet<>();
        if (areHosts(column)) {
            hosts.stream()
                    .map(ListedHost::name)
                    .filter(name -> !name.isEmpty() && !seen.add(name))
                    .forEach(again::add);
        }
        return again.isEmpty()
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "names of servers that occur more than once: %,d, the first %s; each row counts as a server of its"
                                + " own",
                        again.size(),
                        again.iterator().next()));
    }

    private Alike without(int memory) {
        List<Long> others = new ArrayList<>(capacity);
        others.remove(memory);
        return new Alike(model(), others, price, lead);
    }

    private ListedHost with(int memory, long amount) {
        List<Long> amounts = new ArrayList<>(capacity);
        amounts.set(memory, amount);
        return new ListedHost(site, count, amounts, name, kind, price, lead);
    }

    /** What it costs and when it would be delivered. */
    Labels labels(Map<String, String> currency) {
        Map<String, String> labels = new TreeMap<>();
        if (price > 0) {
            labels.putAll(currency);
            labels.put(
                    PricesInUse.LABEL,
                    BigDecimal.valueOf(price).stripTrailingZeros().toPlainString());
        }
        if (!lead.isEmpty()) {
            labels.put(ServerList.LEAD_TIME_DAYS, lead);
        }
        return labels.isEmpty() ? Labels.NONE : Labels.of(labels);
    }

    /** Empty where it has only a name of its own. */
    String model() {
        return kind.equals(name) ? "" : kind;
    }
}
