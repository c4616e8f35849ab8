package dev.stowage.cli.advise;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.Spread;
import dev.stowage.study.advise.ClusterServer;
import dev.stowage.study.advise.NeighbourRule;
import dev.stowage.study.advise.ServerAdmission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What constraints of jobs mean for the servers of a cluster: where a job may be, and the rules on its neighbours. All
 * spreads are told ({@link #add}) before any job is asked for.
 */
final class ClusterRules {
    private final List<ClusterServer> servers;
    /** Number of the site of each server. */
    private final int[] sites;

    private final List<NeighbourRule> rules = new ArrayList<>();
    private final Map<String, List<Integer>> rulesOfGroup = new LinkedHashMap<>();
    private final Map<Spread, Integer> ruleNumbers = new LinkedHashMap<>();
    private final Map<List<Object>, ServerAdmission> admissions = new LinkedHashMap<>();

    ClusterRules(List<ClusterServer> servers, int[] sites) {
        this.servers = servers;
        this.sites = sites;
    }

    /** Of a cluster where sites are labels like others. */
    static ClusterRules withoutSites(List<ClusterServer> servers) {
        return new ClusterRules(servers, new int[servers.size()]);
    }

    /** The spreads of a job. */
    void add(Constraints constraints) {
        constraints.spread().forEach(this::add);
    }

    private void add(Spread spread) {
        if (ruleNumbers.putIfAbsent(spread, rules.size()) != null) {
            return;
        }
        Map<String, Integer> values = new LinkedHashMap<>();
        int[] domain = new int[servers.size()];
        for (int s = 0; s < domain.length; s++) {
            String value = spread.perServer()
                    ? Integer.toString(s)
                    : servers.get(s).labels().get(spread.key());
            domain[s] = value == null ? -1 : values.computeIfAbsent(value, first -> values.size());
        }
        rulesOfGroup.computeIfAbsent(spread.group(), first -> new ArrayList<>()).add(rules.size());
        String where = spread.perServer() ? "" : ", or its " + spread.key() + " does,";
        rules.add(NeighbourRule.limit(
                "holds" + where + " " + spread.most() + " of group " + spread.group(),
                domain,
                spread.most(),
                "has no label " + spread.key() + ", over which group " + spread.group() + " is spread"));
    }

    List<NeighbourRule> rules() {
        return rules;
    }

    List<Integer> boundBy(Constraints constraints) {
        return constraints.spread().stream()
                .map(spread -> Objects.requireNonNull(ruleNumbers.get(spread)))
                .toList();
    }

    List<Integer> countedBy(Constraints constraints) {
        return constraints.spread().stream()
                .map(Spread::group)
                .distinct()
                .flatMap(group -> rulesOfGroup.getOrDefault(group, List.of()).stream())
                .toList();
    }

    ServerAdmission admission(Constraints constraints) {
        List<Object> standing = List.of(constraints.sites(), constraints.terms(), constraints.avoid());
        return admissions.computeIfAbsent(standing, first -> {
            List<List<String>> all = new ArrayList<>();
            for (int s = 0; s < servers.size(); s++) {
                List<String> forbidden = new ArrayList<>();
                boolean site =
                        constraints.sites().isEmpty() || constraints.sites().contains(sites[s]);
                if (!site) {
                    forbidden.add("is in a site that it may not use");
                }
                if (site
                        && !constraints.admits(
                                sites[s], Labels.of(servers.get(s).labels()))) {
                    forbidden.add("does not have " + constraints.termsText());
                }
                if (constraints.avoid().contains(s)) {
                    forbidden.add("is one that it avoids");
                }
                all.add(forbidden.isEmpty() ? Collections.emptyList() : forbidden);
            }
            return new ServerAdmission(all);
        });
    }
}
