package dev.stowage.sim.experiment;

import dev.stowage.core.policy.Declared;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * How experiments name resources: by a plain name with units (cpu, memory, disk, gpu) or by the name itself, in whole
 * units.
 */
public final class ResourceKeys {
    /**
     * A plain name.
     *
     * @param resource the resource it stands for
     * @param parser whole units from a text
     * @param scale whole units per unit of the plain name (core, GiB)
     */
    private record Alias(String resource, Function<String, Long> parser, long scale) {}

    private static final Map<String, Alias> ALIASES = new TreeMap<>(Map.of(
            "cpu", new Alias("cpu_milli", Units::milli, 1000),
            "memory", new Alias("mem_mib", Units::mebibytes, 1024),
            "disk", new Alias("disk_mib", Units::mebibytes, 1024),
            "gpu", new Alias("gpu_milli", Units::milli, 1000)));
    private static final Pattern RAW = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");

    /** Resources of formats and of the papers, in whole units. */
    private static final List<String> WHOLE_UNITS = List.of("load_ms", "size_ppm", "slots");

    private ResourceKeys() {}

    /** cpu, memory, disk, gpu. */
    static Set<String> plainNames() {
        return ALIASES.keySet();
    }

    /**
     * The names that need no declaration: plain ones, the resources they stand for, and those of formats and papers.
     */
    static Set<String> known() {
        Set<String> known = new TreeSet<>(WHOLE_UNITS);
        ALIASES.forEach((plain, alias) -> {
            known.add(plain);
            known.add(alias.resource());
        });
        return known;
    }

    /** The resources by the names that people write: the plain name if there is one. */
    static Set<String> withPlainNames(Set<String> resources) {
        Set<String> names = new TreeSet<>(resources);
        ALIASES.forEach((plain, alias) -> {
            if (names.remove(alias.resource())) {
                names.add(plain);
            }
        });
        return names;
    }

    /** Whether a key names a resource. */
    static boolean isResource(String key) {
        return RAW.matcher(key).matches();
    }

    /** The resource a key stands for. */
    public static String resource(String key) {
        Alias alias = ALIASES.get(key);
        return alias == null ? key : alias.resource();
    }

    /** Whole units of the resource from a text. */
    public static long amount(String key, String text) {
        Alias alias = ALIASES.get(key);
        return alias == null ? Units.units(text) : alias.parser().apply(text);
    }

    /** The same of a value, with a remark if its unit is one that others count in powers of ten. */
    static long amount(String key, YamlFields value) {
        return value.parsed(0L, text -> {
            long amount = amount(key, text);
            Units.soldUnit(text).ifPresent(value::remark);
            return amount;
        });
    }

    /** Whole units per unit of the key. */
    static long scale(String key) {
        Alias alias = ALIASES.get(key);
        return alias == null ? 1 : alias.scale();
    }

    /**
     * An amount for each resource from an object whose keys name resources; absent ones are 0 (unlimited for resources
     * that tasks only declare); other keys are a problem.
     */
    public static long[] amounts(YamlFields fields, List<String> resources, List<String> otherKeys) {
        long[] amounts = new long[resources.size()];
        for (int r = 0; r < amounts.length; r++) {
            amounts[r] = Declared.isDeclared(resources.get(r)) ? Declared.PLENTY : 0;
        }
        for (String key : fields.keys()) {
            if (otherKeys.contains(key)) {
                continue;
            }
            int index = resources.indexOf(resource(key));
            if (index < 0) {
                fields.at(key)
                        .problem("is not a resource here; " + meant(key, resources, otherKeys) + "the resources are "
                                + String.join(", ", resources)
                                + " (cpu, memory, disk, gpu stand for cpu_milli, mem_mib, disk_mib, gpu_milli)");
            } else {
                amounts[index] = amount(key, fields.at(key));
            }
        }
        return amounts;
    }

    private static String meant(String key, List<String> resources, List<String> otherKeys) {
        Set<String> names = withPlainNames(new TreeSet<>(resources));
        names.addAll(otherKeys);
        return NearestName.nearEnough(key, names)
                .map(name -> "did you mean '" + name + "'? Otherwise ")
                .orElse("");
    }
}
