package dev.stowage.core.engine;

import dev.stowage.core.model.Labels;
import dev.stowage.core.model.Requirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Groups of servers that all constraints in use treat alike: same site, same answers to every {@link FixedCondition},
 * and same values of the labels that requests are spread over. Until the first constrained request a group is a site.
 *
 * <p>Servers with the same site and labels share a <em>profile</em>, and groups are made of profiles: a new condition
 * is evaluated once per profile, and the group of a server is found in O(1). Groups only split; they are rebuilt once
 * more selectors were dropped than are in use, or half of the profiles have no server.
 */
final class ServerGroups {
    private static final int SPARE_SELECTORS = 16;
    private static final int SPARE_PROFILES = 8;

    private record Profile(int site, Labels labels) {}

    /** A condition on site and labels: the part of constraints that does not depend on the running requests. */
    static final class FixedCondition {
        private final List<Integer> sites;
        private final List<List<Requirement>> terms;
        private final BitSet profiles = new BitSet();
        private int uses;

        FixedCondition(List<Integer> sites, List<List<Requirement>> terms) {
            this.sites = sites;
            this.terms = terms;
        }

        private boolean admits(Profile profile) {
            return (sites.isEmpty() || sites.contains(profile.site))
                    && (terms.isEmpty()
                            || terms.stream()
                                    .anyMatch(term -> term.stream().allMatch(one -> one.isMetBy(profile.labels))));
        }

        boolean admitsProfile(int profile) {
            return profiles.get(profile);
        }
    }

    private final Servers servers;
    private final Map<List<Object>, FixedCondition> selectors = new LinkedHashMap<>();
    private final Map<String, int[]> keys = new LinkedHashMap<>();
    private final Map<Profile, Integer> profileNumbers = new LinkedHashMap<>();
    private final List<Profile> profiles = new ArrayList<>();
    private int[] groupOfProfile = new int[0];
    /** One profile of each group. */
    private int[] examples = new int[0];

    private int[] profileOfServer = new int[0];
    private int groups;
    private int forgotten;
    private boolean active;
    private long version;

    /** Servers that are not gone, by capacity class and group; computed on demand. */
    private final Map<Long, int[]> present = new LinkedHashMap<>();

    /** Changes whenever the counts may. */
    private long state;

    private long countedAsOf = -1;

    ServerGroups(Servers servers) {
        this.servers = servers;
    }

    /** Changes whenever servers may have moved to other groups although they did not change. */
    long version() {
        return version;
    }

    int count() {
        return active ? groups : servers.sites();
    }

    int group(int server) {
        return active ? groupOfProfile[profileOfServer[server]] : servers.site(server);
    }

    int site(int group) {
        return active ? profiles.get(examples[group]).site : group;
    }

    int profile(int server) {
        return profileOfServer[server];
    }

    /** A profile of the group: every selector in use treats all of its profiles alike. */
    int example(int group) {
        return examples[group];
    }

    Labels labels(int profile) {
        return profiles.get(profile).labels;
    }

    @Nullable
    String value(int profile, String key) {
        return labels(profile).values().get(key);
    }

    /** A server is new, or its labels, capacity or status changed. */
    void changed(int server) {
        state++;
        if (active) {
            assign(server);
        }
    }

    /** From now on groups are maintained. */
    private void activate() {
        if (!active) {
            active = true;
            for (int server = 0; server < servers.count(); server++) {
                assign(server);
            }
            state++;
            version++;
        }
    }

    private void assign(int server) {
        if (server >= profileOfServer.length) {
            profileOfServer = Arrays.copyOf(profileOfServer, Math.max(server + 1, servers.count()));
        }
        Profile profile = new Profile(servers.site(server), servers.labels(server));
        Integer known = profileNumbers.get(profile);
        profileOfServer[server] = known == null ? add(profile) : known;
        if (profiles.size() > 2 * servers.count() + SPARE_PROFILES) {
            makeAnew();
        }
    }

    private int add(Profile profile) {
        int number = profiles.size();
        profiles.add(profile);
        profileNumbers.put(profile, number);
        for (FixedCondition selector : selectors.values()) {
            selector.profiles.set(number, selector.admits(profile));
        }
        if (number >= groupOfProfile.length) {
            groupOfProfile = Arrays.copyOf(groupOfProfile, 2 * number + 16);
        }
        int group = 0;
        while (group < groups && !alike(examples[group], number)) {
            group++;
        }
        groupOfProfile[number] = group;
        if (group == groups) {
            newGroup(number);
        }
        return number;
    }

    private boolean alike(int one, int other) {
        if (profiles.get(one).site != profiles.get(other).site) {
            return false;
        }
        for (FixedCondition selector : selectors.values()) {
            if (selector.profiles.get(one) != selector.profiles.get(other)) {
                return false;
            }
        }
        for (String key : keys.keySet()) {
            if (!Objects.equals(value(one, key), value(other, key))) {
                return false;
            }
        }
        return true;
    }

    private int newGroup(int example) {
        if (groups == examples.length) {
            examples = Arrays.copyOf(examples, 2 * groups + 16);
        }
        examples[groups] = example;
        return groups++;
    }

    /** Counts one more use of a selector, and creates it if it is new. */
    FixedCondition use(List<Integer> sites, List<List<Requirement>> terms) {
        List<Object> name = List.of(sites, terms);
        activate();
        FixedCondition selector = selectors.get(name);
        if (selector == null) {
            selector = new FixedCondition(sites, terms);
            for (int profile = 0; profile < profiles.size(); profile++) {
                selector.profiles.set(profile, selector.admits(profiles.get(profile)));
            }
            selectors.put(name, selector);
            FixedCondition added = selector;
            split(profile -> added.admitsProfile(profile));
        }
        selector.uses++;
        return selector;
    }

    /** Counts one more use of a label whose values matter. */
    void useKey(String key) {
        activate();
        int[] uses = keys.get(key);
        if (uses == null) {
            uses = new int[1];
            keys.put(key, uses);
            split(profile -> value(profile, key));
        }
        uses[0]++;
    }

    void forget(FixedCondition selector) {
        if (--selector.uses == 0) {
            selectors.remove(List.of(selector.sites, selector.terms));
            forgotten++;
        }
    }

    void forgetKey(String key) {
        int[] uses = Objects.requireNonNull(keys.get(key));
        if (--uses[0] == 0) {
            keys.remove(key);
            forgotten++;
        }
    }

    private interface Criterion {
        @Nullable
        Object of(int profile);
    }

    /** Members of a group whose answer differs from that of its first form groups of their own. */
    private void split(Criterion answer) {
        if (forgotten > selectors.size() + keys.size() + SPARE_SELECTORS) {
            makeAnew();
            return;
        }
        int before = groups;
        Map<List<Object>, Integer> parts = new LinkedHashMap<>();
        for (int profile = 0; profile < profiles.size(); profile++) {
            int old = groupOfProfile[profile];
            Object its = answer.of(profile);
            if (!Objects.equals(its, answer.of(examples[old]))) {
                List<Object> part = List.of(old, its == null ? List.of() : its);
                Integer group = parts.get(part);
                if (group == null) {
                    group = newGroup(profile);
                    parts.put(part, group);
                }
                groupOfProfile[profile] = group;
            }
        }
        if (groups > before) {
            state++;
            version++;
        }
    }

    private void makeAnew() {
        forgotten = 0;
        forgetProfiles();
        Map<List<Object>, Integer> numbers = new LinkedHashMap<>();
        groups = 0;
        for (int profile = 0; profile < profiles.size(); profile++) {
            List<Object> signature = new ArrayList<>();
            signature.add(profiles.get(profile).site);
            for (FixedCondition selector : selectors.values()) {
                signature.add(selector.admitsProfile(profile));
            }
            for (String key : keys.keySet()) {
                String value = value(profile, key);
                signature.add(value == null ? List.of() : value);
            }
            Integer group = numbers.get(signature);
            if (group == null) {
                group = newGroup(profile);
                numbers.put(signature, group);
            }
            groupOfProfile[profile] = group;
        }
        state++;
        version++;
    }

    /** Keeps the profiles of servers only: each change of labels may leave one behind. */
    private void forgetProfiles() {
        profiles.clear();
        profileNumbers.clear();
        for (int server = 0; server < servers.count(); server++) {
            Profile profile = new Profile(servers.site(server), servers.labels(server));
            profileOfServer[server] = profileNumbers.computeIfAbsent(profile, added -> {
                profiles.add(added);
                return profiles.size() - 1;
            });
        }
        for (FixedCondition selector : selectors.values()) {
            selector.profiles.clear();
            for (int profile = 0; profile < profiles.size(); profile++) {
                selector.profiles.set(profile, selector.admits(profiles.get(profile)));
            }
        }
    }

    /** Changes whenever servers may have changed, or moved to other groups. */
    long state() {
        return state;
    }

    interface Pairs {
        /** Servers of a capacity class and a group that are not gone. */
        void found(int capacityClass, int group, int count);
    }

    /** Looks at the pairs of capacity class and group that have a server that is not gone. */
    void forEachPair(Pairs pairs) {
        if (countedAsOf != state) {
            countedAsOf = state;
            present.clear();
            for (int server = 0; server < servers.count(); server++) {
                if (!servers.isGone(server)) {
                    present.computeIfAbsent(pair(server), first -> new int[1])[0]++;
                }
            }
        }
        present.forEach((pair, count) -> pairs.found((int) (pair >>> Integer.SIZE), pair.intValue(), count[0]));
    }

    private long pair(int server) {
        return ((long) servers.capacityClass(server) << Integer.SIZE) | group(server);
    }
}
