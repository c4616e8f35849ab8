package dev.stowage.cli.plan;

import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.policies.parallel.FatTree;
import dev.stowage.policies.parallel.Limits;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The limits of {@code stowage plan}: center, pods, racks, further rows, servers. */
final class PlanLimits {
    private final NamedRows servers;
    private final List<String> names;
    private final double[] capacity;
    private final boolean[] limited;
    private final Limits.Builder limits;

    PlanLimits(NamedRows servers, List<String> names) {
        this.servers = servers;
        this.names = names;
        this.capacity = new double[names.size()];
        this.limited = new boolean[capacity.length];
        this.limits = Limits.over(capacity.length);
        for (int j = 0; j < capacity.length; j++) {
            capacity[j] = servers.positive(servers.row(j), "capacity", "; leave the server out");
        }
    }

    Limits of(PlanInput.LimitSources rows) {
        FatTree tree = rows.fatTree() == null ? null : tree(rows.fatTree());
        addGroups("center", rows.center(), j -> "");
        addGroups("pod", rows.pod(), tree == null ? column("pod") : j -> " " + j / tree.serversPerPod());
        addGroups("rack", rows.rack(), tree == null ? column("rack") : j -> " " + j / tree.serversPerRack());
        if (rows.more() != null) {
            addMore(rows.more());
        }
        if (rows.serverRows()) {
            return limits.capacities(capacity).build();
        }
        for (int j = 0; j < limited.length; j++) {
            if (!limited[j]) {
                throw new BadInputException(
                        "server '" + names.get(j) + "' is in no limit, so a task on it would take no time;"
                                + " add --center, or leave out --no-server-rows");
            }
        }
        return limits.build();
    }

    /** Servers are numbered rack by rack; the last racks may have fewer. */
    private FatTree tree(int arity) {
        FatTree tree = BadInputException.saying("--fat-tree: ", () -> new FatTree(arity));
        if (tree.servers() < capacity.length) {
            throw new BadInputException("--fat-tree " + arity + " has " + tree.servers() + " servers, and "
                    + servers.file() + " " + capacity.length);
        }
        return tree;
    }

    private IntFunction<String> column(String column) {
        return j -> {
            String group = servers.row(j).findField(column).orElse("");
            if (group.isEmpty()) {
                throw new BadInputException(servers.at(servers.row(j)) + "--" + column + " needs the column " + column
                        + " of every server, or --fat-tree");
            }
            return " " + group;
        };
    }

    private void addGroups(String option, @Nullable Double part, IntFunction<String> group) {
        if (part == null) {
            return;
        }
        if (!(part >= NamedRows.LEAST && part <= 1)) {
            throw new BadInputException("--" + option + " must be from 0.000000001 to 1, as in 0.3");
        }
        Map<String, double[]> groups = new LinkedHashMap<>();
        for (int j = 0; j < capacity.length; j++) {
            groups.computeIfAbsent(group.apply(j), unused -> new double[capacity.length])[j] = 1;
        }
        groups.forEach((name, members) -> {
            double sum = 0;
            for (int j = 0; j < members.length; j++) {
                sum += members[j] * capacity[j];
            }
            limits.row(option + name, part * sum, members);
        });
        Arrays.fill(limited, true);
    }

    private void addMore(Path file) {
        NamedRows more = NamedRows.read(file, "row and server", "", "row", "limit", "server");
        more.refuseOthers(List.of("row", "limit", "server", "coefficient"), "row, limit, server and coefficient");
        Map<String, double[]> rows = new LinkedHashMap<>();
        Map<String, Double> bounds = new LinkedHashMap<>();
        for (NamedCsvRecord record : more.all()) {
            String row = record.getField("row");
            int server = names.indexOf(record.getField("server"));
            if (server < 0) {
                throw new BadInputException(more.at(record) + "there is no server '" + record.getField("server")
                        + "' in " + servers.file());
            }
            double bound = more.positive(record, "limit", ": row '" + row + "' would allow nothing");
            Double before = bounds.putIfAbsent(row, bound);
            if (before != null && before != bound) {
                throw new BadInputException(
                        more.at(record) + "limit " + bound + " of row '" + row + "' contradicts " + before + " above");
            }
            double coefficient = more.has("coefficient") ? more.number(record, "coefficient") : 1;
            double[] coefficients = rows.computeIfAbsent(row, unused -> new double[names.size()]);
            if (coefficients[server] != 0) {
                throw new BadInputException(
                        more.at(record) + "server '" + names.get(server) + "' is in row '" + row + "' twice");
            }
            coefficients[server] = coefficient;
            limited[server] |= coefficient > 0;
        }
        rows.forEach((row, coefficients) -> limits.row(row, bounds.getOrDefault(row, 0.0), coefficients));
    }
}
