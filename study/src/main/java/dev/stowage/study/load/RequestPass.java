package dev.stowage.study.load;

import dev.stowage.core.model.Resource;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the requests of an experiment that arrive before some time, each served at once: from its arrival until
 * its work is done, or the pass ends. No policy is involved, so this is the load that any policy is offered.
 */
public final class RequestPass {
    private final Experiment experiment;
    private final long seed;
    private final long endNanos;
    private final RequestStream stream;
    private final int[] source;
    private Origins.@Nullable Cursor origins;
    private long taken;
    private int membersLeft;
    private int origin;
    private boolean originIsKnown;

    /**
     * From the beginning.
     *
     * @param endNanos requests that arrive from then on are left out, and earlier ones end then at the latest
     */
    public RequestPass(Experiment experiment, long seed, long endNanos) {
        this.experiment = experiment;
        this.seed = seed;
        this.endNanos = endNanos;
        stream = experiment.workload().open(seed);
        source = sources(experiment.cluster().resources().stream().map(Resource::name), experiment.workload());
    }

    /** Index of resources among those of a workload, -1 for one that no request demands. */
    static int[] sources(Stream<String> resources, Workload workload) {
        return resources.mapToInt(workload.resources()::indexOf).toArray();
    }

    /** Demands in the order of {@code source}; 0 where there is none. */
    static long[] inOrder(int[] source, IntToLongFunction demand) {
        long[] ordered = new long[source.length];
        for (int resource = 0; resource < source.length; resource++) {
            ordered[resource] = source[resource] < 0 ? 0 : demand.applyAsLong(source[resource]);
        }
        return ordered;
    }

    /** Goes to the next request, each member of a gang one by one; false after the last. */
    public boolean next() {
        taken++;
        if (membersLeft > 0) {
            membersLeft--;
            return true;
        }
        if (taken > experiment.end().requests() || !stream.next() || stream.arrivalNanos() >= endNanos) {
            return false;
        }
        membersLeft = experiment.workload().typeTraits(stream.type()).members() - 1;
        originIsKnown = false;
        return true;
    }

    /** When the request arrives. */
    public long arrivalNanos() {
        return stream.arrivalNanos();
    }

    /** When it is over. */
    public long untilNanos() {
        return stream.arrivalNanos() + Math.min(stream.workNanos(), endNanos - stream.arrivalNanos());
    }

    /** In the order of the cluster's resources. */
    public long[] demand() {
        return inOrder(source, stream::demand);
    }

    /** Index of its type. */
    public int type() {
        return stream.type();
    }

    /** Its source's own name; empty where it has none. */
    public String id() {
        return stream.id();
    }

    /** Micro-units per hour. */
    public long rewardMicros() {
        return stream.rewardMicros();
    }

    /** Number of the request's origin; must be called for each request, or for none. */
    int origin() {
        if (origins == null) {
            origins = experiment.origins().open(seed);
        }
        if (!originIsKnown) {
            origin = origins.next(stream.arrivalNanos());
            originIsKnown = true;
        }
        return origin;
    }
}
