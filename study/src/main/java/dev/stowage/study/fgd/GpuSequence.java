package dev.stowage.study.fgd;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import java.util.ArrayList;
import java.util.List;

/**
 * What arrives in a run, and the servers in the order in which they are looked at, as the published simulator draws
 * them from a seed.
 *
 * <p>The requests are sorted by name and shuffled. If they ask for less than the goal, requests drawn from the list
 * are appended until what is asked for, with one GPU's thousandths of the next, would exceed it; if for more, drawn
 * ones are left out until it does not. Then the servers, sorted by name, get a random order.
 *
 * @param list all requests of the list, by name
 * @param arrivals what arrives, in order, each with its place as id
 * @param servers the servers, in order
 * @param random the generator, which goes on for policies that draw
 */
record GpuSequence(List<NewRequest> list, List<NewRequest> arrivals, List<ServerBlock> servers, GoRandom random) {
    /** What is asked for, as a part of all GPUs. */
    static final double ASKED = 1.3;

    /** Draws of the simulator between requests and servers whose results it does not use. */
    private static final int UNUSED_DRAWS = 10;

    /** The sequence of a seed, of requests and servers by name. */
    static GpuSequence of(List<NewRequest> list, List<ServerBlock> servers, long seed) {
        GoRandom random = new GoRandom(seed);
        random.bits();
        List<NewRequest> arrivals = new ArrayList<>(list);
        random.shuffle(arrivals);
        long asked = arrivals.stream().mapToLong(GpuLists::milli).sum();
        double goal = ASKED * capacityMilli(servers);
        if (asked > goal) {
            while (asked > goal) {
                asked -= GpuLists.milli(arrivals.remove(random.below(arrivals.size())));
            }
        } else {
            NewRequest next = list.get(random.below(list.size()));
            while (asked + Math.min(GpuLists.milli(next), GpuLists.WHOLE) <= goal) {
                asked += GpuLists.milli(next);
                arrivals.add(next);
                next = list.get(random.below(list.size()));
            }
        }
        for (int i = 0; i < UNUSED_DRAWS; i++) {
            random.bits();
        }
        int[] places = random.permutation(servers.size());
        ServerBlock[] order = new ServerBlock[servers.size()];
        for (int i = 0; i < order.length; i++) {
            order[places[i]] = servers.get(i);
        }
        return of(list, arrivals, List.of(order), random);
    }

    /** A sequence of these arrivals. */
    static GpuSequence of(
            List<NewRequest> list, List<NewRequest> arrivals, List<ServerBlock> servers, GoRandom random) {
        List<NewRequest> numbered = new ArrayList<>();
        for (NewRequest each : arrivals) {
            numbered.add(NewRequest.of(numbered.size(), each.demand()).constrained(each.constraints()));
        }
        return new GpuSequence(list, List.copyOf(numbered), servers, random);
    }

    /** Thousandths of all GPUs. */
    long capacityMilli() {
        return capacityMilli(servers);
    }

    private static long capacityMilli(List<ServerBlock> servers) {
        return servers.stream()
                .mapToLong(each -> each.capacity().get(GpuLists.GPU))
                .sum();
    }

    /** The servers, in one site. */
    Cluster cluster() {
        return new Cluster(
                List.of(
                        Resource.of("cpu_milli"),
                        Resource.of("mem_mib"),
                        Resource.inDevices("gpu_milli", GpuLists.WHOLE)),
                List.of(),
                List.of(Site.of("site", servers.toArray(ServerBlock[]::new))),
                List.of());
    }
}
