package dev.stowage.sim.experiment;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which names are resources. A key of a server block is one if it is known (cpu, memory, ...), declared in
 * {@code cluster.resources}, or demanded by the requests and not a misspelling of another key. Any other key is
 * refused: it would create a resource that nobody demands, and the intended one would be missing.
 */
public final class ResourceNames {
    private ResourceNames() {}

    /** The resources that {@code cluster.resources} declares; a text that cannot be a resource name is a problem. */
    static Set<String> declared(YamlFields cluster) {
        Set<String> names = new TreeSet<>();
        for (YamlFields name : cluster.at("resources").elements()) {
            String text = name.text("");
            if (ResourceKeys.isResource(text)) {
                names.add(text);
            } else {
                name.problem("'" + text + "' is not the name of a resource: lower-case letters, digits and '_'");
            }
        }
        return names;
    }

    /**
     * Notes every key of a server block or pool that is not a resource.
     *
     * @param cluster the part {@code cluster}
     * @param demanded resources that the requests demand
     */
    public static void check(YamlFields cluster, Collection<String> demanded) {
        Set<String> allowed = new TreeSet<>(ResourceKeys.known());
        allowed.addAll(declared(cluster));
        checkBlocks(cluster.at("servers"), allowed, demanded);
        for (YamlFields site : cluster.at("sites").elements()) {
            checkBlocks(site.at("servers"), allowed, demanded);
            check(site.at("pooled"), List.of(), allowed, demanded);
        }
    }

    private static void checkBlocks(YamlFields blocks, Set<String> allowed, Collection<String> demanded) {
        blocks.elements().forEach(block -> check(block, ClusterReader.NOT_RESOURCES, allowed, demanded));
    }

    private static void check(
            YamlFields group, List<String> otherKeys, Set<String> allowed, Collection<String> demanded) {
        Set<String> meant = new TreeSet<>(allowed);
        meant.addAll(otherKeys);
        for (String key : group.keys()) {
            if (meant.contains(key) || !ResourceKeys.isResource(key)) {
                continue;
            }
            if (!demanded.contains(key) || isMisspelling(key, otherKeys)) {
                Set<String> named = new TreeSet<>(meant);
                named.addAll(demanded);
                named.remove(key);
                group.at(key)
                        .onlyProblem("is not a known resource"
                                + (demanded.contains(key) ? "" : ", and no request demands it")
                                + "; " + NearestName.among(key, ResourceKeys.withPlainNames(named))
                                + ". Another resource is declared with cluster.resources: [" + key + "]");
            }
        }
    }

    private static boolean isMisspelling(String key, List<String> otherKeys) {
        Set<String> plain = new TreeSet<>(ResourceKeys.plainNames());
        plain.addAll(otherKeys);
        return NearestName.isMisspelling(key, plain);
    }
}
