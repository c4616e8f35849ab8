package dev.stowage.study.fgd;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * One run: each arrival goes to the server of the greatest score where it fits, or is lost.
 *
 * <p>A score is worked out anew only for servers that have changed since a request of the same shape came last, so
 * that a run takes time for arrivals x servers comparisons, and a score for each change and shape.
 *
 * @param points {@link AllocationCurve#points()}
 * @param lost how many requests found no room: by number of whole GPUs, at 0 those without GPUs, at 9 parts
 * @param servers where each arrival went, -1 for the lost
 */
record GpuRun(double[] points, int[] lost, int[] servers) {
    /** Where {@link #lost} counts parts. */
    static final int PARTS = GpuServer.MOST_GPUS + 1;

    /** The per cent of GPUs allocated in the end. */
    double allocated() {
        return points[points.length - 1];
    }

    /** Runs a policy; a tie goes to the first server in the order. */
    static GpuRun of(GpuSequence sequence, GpuPolicy policy) {
        return run(sequence, policy, new Search(sequence, policy, false));
    }

    /** The same, but a tie goes to the last server in the order. */
    static GpuRun lastOfTies(GpuSequence sequence, GpuPolicy policy) {
        return run(sequence, policy, new Search(sequence, policy, true));
    }

    /** The published random policy: a random server where the request fits, and of it a random GPU. */
    static GpuRun random(GpuSequence sequence) {
        GoRandom random = sequence.random();
        GpuPolicy gpus = new GpuPolicy() {
            @Override
            public double score(GpuServer server, GpuRequest request) {
                return 0;
            }

            @Override
            public int gpuFor(GpuServer server, GpuRequest request) {
                int seen = 0;
                int chosen = -1;
                for (int i = 0; i < server.free.length; i++) {
                    if (server.free[i] >= request.gpuMilli() && random.below(++seen) == 0) {
                        chosen = i;
                    }
                }
                return chosen;
            }
        };
        return run(sequence, gpus, request -> {
            int[] fitting = java.util.stream.IntStream.range(
                            0, sequence.servers().size())
                    .filter(i -> sequence.servers().get(i).fits(request))
                    .toArray();
            return switch (fitting.length) {
                case 0 -> -1;
                case 1 -> fitting[0];
                default -> fitting[random.below(fitting.length)];
            };
        });
    }

    static GpuRun run(GpuSequence sequence, GpuPolicy policy, ToIntFunction<GpuRequest> search) {
        List<GpuServer> servers = sequence.servers();
        AllocationCurve curve = new AllocationCurve(
                servers.stream().mapToInt(each -> each.free.length).sum());
        int[] lost = new int[PARTS + 1];
        int[] placed = new int[sequence.arrivals().size()];
        long asked = 0;
        long allocated = 0;
        for (int i = 0; i < placed.length; i++) {
            GpuRequest request = sequence.arrivals().get(i);
            asked += request.milli();
            policy.arrived(request);
            placed[i] = search.applyAsInt(request);
            if (placed[i] < 0) {
                lost[request.isPart() ? PARTS : request.gpus()]++;
            } else {
                GpuServer server = servers.get(placed[i]);
                server.take(request, request.isPart() ? policy.gpuFor(server, request) : -1);
                allocated += request.milli();
            }
            curve.add(asked, allocated);
        }
        return new GpuRun(curve.points(), lost, placed);
    }

    /** Finds the server of the greatest score. */
    private static final class Search implements ToIntFunction<GpuRequest> {
        private final GpuServer[] servers;
        private final GpuPolicy policy;
        private final boolean last;
        private final double[][] scores;
        /** Of each score: the server's state and the policy's version that it holds for. */
        private final long[][] states;

        Search(GpuSequence sequence, GpuPolicy policy, boolean last) {
            servers = sequence.servers().toArray(new GpuServer[0]);
            this.policy = policy;
            this.last = last;
            int shapes = 1
                    + sequence.list().stream().mapToInt(GpuRequest::shape).max().orElse(0);
            scores = new double[shapes][servers.length];
            states = new long[shapes][servers.length];
            for (long[] each : states) {
                Arrays.fill(each, -1);
            }
        }

        @Override
        public int applyAsInt(GpuRequest request) {
            int shape = request.shape();
            double[] known = scores[shape];
            long[] state = states[shape];
            int best = -1;
            for (int i = 0; i < servers.length; i++) {
                GpuServer server = servers[i];
                if (!server.fits(request)) {
                    continue;
                }
                long now = (long) policy.version() << Integer.SIZE | server.taken;
                if (state[i] != now) {
                    known[i] = policy.score(server, request);
                    state[i] = now;
                }
                if (best < 0 || known[i] > known[best] || (last && known[i] == known[best])) {
                    best = i;
                }
            }
            return best;
        }
    }
}
