package dev.stowage.study.fgd;

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
 * @param arrivals what arrives, in order
 * @param servers the servers, empty, in order
 * @param random the generator, which goes on for policies that draw
 */
record GpuSequence(List<GpuRequest> list, List<GpuRequest> arrivals, List<GpuServer> servers, GoRandom random) {
    /** What is asked for, as a part of all GPUs. */
    static final double ASKED = 1.3;

    /** Draws of the simulator between requests and servers whose results it does not use. */
    private static final int UNUSED_DRAWS = 10;

    /** The sequence of a seed. */
    static GpuSequence of(List<GpuRequest> list, List<GpuServer> servers, long seed) {
        GoRandom random = new GoRandom(seed);
        random.bits();
        List<GpuRequest> arrivals = new ArrayList<>(list);
        random.shuffle(arrivals);
        long asked = arrivals.stream().mapToLong(GpuRequest::milli).sum();
        double goal =
                ASKED * servers.stream().mapToLong(server -> server.freeMilli).sum();
        if (asked > goal) {
            while (asked > goal) {
                asked -= arrivals.remove(random.below(arrivals.size())).milli();
            }
        } else {
            GpuRequest next = list.get(random.below(list.size()));
            while (asked + next.gpuMilli() <= goal) {
                asked += next.milli();
                arrivals.add(next);
                next = list.get(random.below(list.size()));
            }
        }
        for (int i = 0; i < UNUSED_DRAWS; i++) {
            random.bits();
        }
        int[] places = random.permutation(servers.size());
        GpuServer[] order = new GpuServer[servers.size()];
        for (int i = 0; i < order.length; i++) {
            order[places[i]] = servers.get(i).empty();
        }
        return new GpuSequence(list, List.copyOf(arrivals), List.of(order), random);
    }
}
