package dev.stowage.bench.peers;

import com.netflix.fenzo.ConstraintEvaluator;
import com.netflix.fenzo.TaskRequest;
import com.netflix.fenzo.VMTaskFitnessCalculator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request as Fenzo wants to see it: cores and MiB, nothing else, no constraints. */
final class Task implements TaskRequest {
    private final int request;
    private final String id;
    private final double cores;
    private final double memMib;

    Task(int request, int cpuMilli, int memMib) {
        this.request = request;
        this.id = id(request);
        this.cores = cpuMilli / 1000.0;
        this.memMib = memMib;
    }

    static String id(int request) {
        return Integer.toString(request);
    }

    int request() {
        return request;
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public String taskGroupName() {
        return "";
    }

    @Override
    public double getCPUs() {
        return cores;
    }

    @Override
    public double getMemory() {
        return memMib;
    }

    @Override
    public double getNetworkMbps() {
        return 0;
    }

    @Override
    public double getDisk() {
        return 0;
    }

    @Override
    public int getPorts() {
        return 0;
    }

    @Override
    public Map<String, Double> getScalarRequests() {
        return Map.of();
    }

    @Override
    public Map<String, NamedResourceSetRequest> getCustomNamedResources() {
        return Map.of();
    }

    @Override
    public List<? extends ConstraintEvaluator> getHardConstraints() {
        return List.of();
    }

    @Override
    public List<? extends VMTaskFitnessCalculator> getSoftConstraints() {
        return List.of();
    }

    @Override
    public void setAssignedResources(@Nullable AssignedResources resources) {
        // Only named resource sets have something to keep here, and there are none.
    }

    @Override
    public @Nullable AssignedResources getAssignedResources() {
        return null;
    }
}
