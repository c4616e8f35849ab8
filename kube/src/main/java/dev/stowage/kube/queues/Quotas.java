package dev.stowage.kube.queues;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stowage.kube.snapshot.SnapshotException;
import dev.stowage.kube.translate.Quantities;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the workloads of each queue may hold together: limits, each of one queue or of a cohort with all below it.
 *
 * <p>Source: Kueue, API {@code kueue.x-k8s.io/v1beta2}, {@code ClusterQueue} and {@code Cohort}: a queue may hold its
 * nominal quota and what it borrows, at most its borrowing limit; a cohort holds at most the nominal quotas of all
 * below it, its own, and what it borrows of its parent. Flavors of a resource are added up.
 */
final class Quotas {
    private static final String COHORT = "cohort ";

    /** A queue or a cohort; amounts by resource, as {@link Quantities} counts them. */
    private static final class Holder {
        private final String name;
        private @Nullable String parent;
        private final Map<String, Long> nominal = new TreeMap<>();
        /** What may be borrowed, where that is limited. */
        private final Map<String, Long> borrowing = new TreeMap<>();

        Holder(String name) {
            this.name = name;
        }
    }

    /**
     * A limit of what some queues hold together.
     *
     * @param of whose it is, for people: {@code queue team-a}
     * @param most amount by resource
     */
    record Limit(String of, Map<String, Long> most) {}

    private final Map<String, Holder> queues = new LinkedHashMap<>();
    private final Map<String, Holder> cohorts = new LinkedHashMap<>();
    private final Set<String> notes = new LinkedHashSet<>();

    /** @throws SnapshotException if an object is damaged, or cohorts are their own parents */
    Quotas(List<JsonNode> clusterQueues, List<JsonNode> cohortObjects) {
        for (JsonNode cohort : cohortObjects) {
            Holder holder = cohort(name(cohort));
            holder.parent = text(cohort.path("spec"), "parentName", "parent");
            read(holder, COHORT + holder.name, cohort.path("spec"));
        }
        for (JsonNode queue : clusterQueues) {
            Holder holder = new Holder(name(queue));
            if (queues.put(holder.name, holder) != null) {
                throw new SnapshotException("ClusterQueue " + holder.name + " is listed twice");
            }
            JsonNode spec = queue.path("spec");
            holder.parent = text(spec, "cohortName", "cohort");
            read(holder, "queue " + holder.name, spec);
            noteRules(holder.name, spec);
        }
        List<Holder> all = new ArrayList<>(queues.values());
        all.addAll(cohorts.values());
        all.forEach(holder -> {
            if (holder.parent != null) {
                cohort(holder.parent);
            }
        });
        all.forEach(this::ancestors);
    }

    private Holder cohort(String name) {
        return cohorts.computeIfAbsent(name, Holder::new);
    }

    private static @Nullable String text(JsonNode spec, String key, String before) {
        String value = spec.path(key).asText(spec.path(before).asText(""));
        return value.isEmpty() ? null : value;
    }

    static String name(JsonNode object) {
        String name = object.path("metadata").path("name").asText("");
        if (name.isEmpty()) {
            throw new SnapshotException("a " + object.path("kind").asText("object") + " has no metadata.name");
        }
        return name;
    }

    private void read(Holder holder, String what, JsonNode spec) {
        for (JsonNode group : spec.path("resourceGroups")) {
            if (group.path("flavors").size() > 1) {
                notes.add("flavors: quotas of several flavors are added up, and the workloads run on any node");
            }
            for (JsonNode flavor : group.path("flavors")) {
                for (JsonNode resource : flavor.path("resources")) {
                    String name = resource.path("name").asText("");
                    String of = what + ": quota of " + name;
                    holder.nominal.merge(name, amount(of, name, resource.path("nominalQuota")), Long::sum);
                    if (resource.hasNonNull("borrowingLimit")) {
                        holder.borrowing.merge(name, amount(of, name, resource.path("borrowingLimit")), Long::sum);
                    }
                    if (resource.hasNonNull("lendingLimit")) {
                        notes.add("lendingLimit: what a queue keeps for itself is lent here, too (" + what + ")");
                    }
                }
            }
        }
    }

    private void noteRules(String queue, JsonNode spec) {
        String stop = spec.path("stopPolicy").asText("None");
        if (!stop.equals("None")) {
            notes.add("stopPolicy: queue " + queue + " is stopped (" + stop + "); here it goes on");
        }
        JsonNode preemption = spec.path("preemption");
        if (isUsed(preemption.path("withinClusterQueue"))
                || isUsed(preemption.path("reclaimWithinCohort"))
                || isUsed(preemption.path("borrowWithinCohort").path("policy"))) {
            notes.add("preemption: what runs is not stopped for another workload, and borrowed quota comes back only"
                    + " when its workload ends");
        }
        if (spec.path("fairSharing").hasNonNull("weight")) {
            notes.add("fairSharing: weights of queues have no effect");
        }
        if (!spec.path("admissionChecks").isEmpty()
                || !spec.path("admissionChecksStrategy").isEmpty()) {
            notes.add("admission checks: workloads do not wait for them");
        }
    }

    private static boolean isUsed(JsonNode policy) {
        return !policy.asText("Never").equals("Never");
    }

    static long amount(String what, String resource, JsonNode value) {
        try {
            return Quantities.amount(resource, Quantity.parse(value.asText("")));
        } catch (IllegalArgumentException e) {
            throw new SnapshotException(what + ": " + e.getMessage(), e);
        }
    }

    /** The cohorts above, nearest first. */
    private List<Holder> ancestors(Holder of) {
        List<Holder> above = new ArrayList<>();
        for (String name = of.parent; name != null; ) {
            Holder cohort = cohort(name);
            if (above.contains(cohort)) {
                throw new SnapshotException("cohort " + name + " is its own parent");
            }
            above.add(cohort);
            name = cohort.parent;
        }
        return above;
    }

    boolean contains(String queue) {
        return queues.containsKey(queue);
    }

    List<String> queues() {
        return List.copyOf(queues.keySet());
    }

    private Holder queue(String name) {
        return Objects.requireNonNull(queues.get(name), name);
    }

    /** The queue's cohort, empty if it has none. */
    String cohortOf(String queue) {
        return Objects.requireNonNullElse(queue(queue).parent, "");
    }

    Map<String, Long> nominal(String queue) {
        return queue(queue).nominal;
    }

    /** All limits that can be reached, those of queues first. */
    List<Limit> limits() {
        List<Limit> limits = new ArrayList<>();
        for (Holder queue : queues.values()) {
            add(limits, "queue " + queue.name, queue, queue.nominal);
        }
        for (Holder cohort : cohorts.values()) {
            add(limits, COHORT + cohort.name, cohort, below(cohort));
        }
        return limits;
    }

    private void add(List<Limit> limits, String of, Holder holder, Map<String, Long> own) {
        Map<String, Long> most = new TreeMap<>();
        own.forEach((resource, amount) -> {
            Long more = holder.parent == null ? Long.valueOf(0) : holder.borrowing.get(resource);
            if (more != null) {
                most.put(resource, amount + more);
            }
        });
        if (!most.isEmpty()) {
            limits.add(new Limit(of, most));
        }
    }

    /** The nominal quotas of a cohort and of all below it. */
    private Map<String, Long> below(Holder cohort) {
        Map<String, Long> sum = new TreeMap<>(cohort.nominal);
        List<Holder> all = new ArrayList<>(queues.values());
        all.addAll(cohorts.values());
        for (Holder holder : all) {
            if (ancestors(holder).contains(cohort)) {
                holder.nominal.forEach((resource, amount) -> sum.merge(resource, amount, Long::sum));
            }
        }
        return sum;
    }

    /** Whether a workload of a queue counts in a limit. */
    boolean counts(String queue, Limit limit) {
        return limit.of().equals("queue " + queue)
                || ancestors(queue(queue)).stream()
                        .anyMatch(cohort -> limit.of().equals(COHORT + cohort.name));
    }

    /** What Kueue would keep and an experiment does not, a sentence each. */
    Set<String> notes() {
        return notes;
    }
}
