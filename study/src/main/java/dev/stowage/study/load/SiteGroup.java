package dev.stowage.study.load;

import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.RequestOrigin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The origins whose requests the same sites may run.
 *
 * @param name names of the origins
 * @param origins their numbers
 * @param sites numbers of the sites; none for every site
 */
public record SiteGroup(String name, List<Integer> origins, List<Integer> sites) {
    /** The groups in order of appearance; a single one if nothing is limited. */
    public static List<SiteGroup> of(Origins origins) {
        Map<List<Integer>, List<Integer>> bySites = new LinkedHashMap<>();
        List<RequestOrigin> all = origins.all();
        for (int origin = 0; origin < all.size(); origin++) {
            bySites.computeIfAbsent(all.get(origin).sites(), sites -> new ArrayList<>())
                    .add(origin);
        }
        List<SiteGroup> groups = new ArrayList<>();
        bySites.forEach((sites, members) -> {
            List<String> names =
                    members.stream().map(origin -> all.get(origin).name()).toList();
            groups.add(new SiteGroup(String.join(", ", names), List.copyOf(members), sites));
        });
        return groups;
    }

    /** Index of the group of each origin. */
    static int[] byOrigin(List<SiteGroup> groups) {
        int[] groupOf = new int
                [groups.stream().mapToInt(group -> group.origins().size()).sum()];
        for (int g = 0; g < groups.size(); g++) {
            for (int origin : groups.get(g).origins()) {
                groupOf[origin] = g;
            }
        }
        return groupOf;
    }
}
