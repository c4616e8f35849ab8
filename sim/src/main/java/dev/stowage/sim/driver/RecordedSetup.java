package dev.stowage.sim.driver;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * First line of a recorded command log: what the engine was started with.
 *
 * @param cluster with the request types
 * @param policy at the start
 * @param steps continuous or slotted
 * @param slotNanos length of a slot, 0 in continuous time
 * @param speedOneShare share of the divisible resource that gives speed one
 * @param seed of the engine
 */
public record RecordedSetup(
        Cluster cluster, PolicySpec policy, Steps steps, long slotNanos, long speedOneShare, long seed) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What a simulation starts its engine with. */
    public static RecordedSetup of(Setup setup) {
        return new RecordedSetup(
                Simulation.withTypes(setup.cluster(), setup.workload()),
                setup.policy(),
                setup.steps(),
                setup.slotNanos(),
                setup.speedOneShare(),
                setup.seed());
    }

    /** A new engine as this says, at time 0. */
    public Engine start(PolicyFactory policies, Effects effects) {
        return Engine.start(cluster, policy, policies, steps, seed, 0, effects);
    }

    /** One line of JSON. */
    String toJson() {
        SetupLine line = new SetupLine(
                cluster.resources().stream().map(Resource::name).toList(),
                cluster.resources().stream()
                        .filter(Resource::divisible)
                        .map(Resource::name)
                        .toList(),
                devices(cluster.resources()),
                cluster.pooledResources(),
                cluster.sites().stream().map(RecordedSetup::line).toList(),
                cluster.types().stream().map(RecordedSetup::line).toList(),
                policy.name(),
                policy.parameters(),
                steps.name(),
                slotNanos,
                speedOneShare,
                seed);
        try {
            return JSON.writeValueAsString(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a setup cannot be written", e);
        }
    }

    /**
     * The setup of a line.
     *
     * @throws IllegalArgumentException if it is not one
     */
    static RecordedSetup parse(String json) {
        try {
            SetupLine line = JSON.readValue(json, SetupLine.class);
            List<Resource> resources = line.resources().stream()
                    .map(name -> new Resource(name, line.divisible().contains(name), line.deviceAmount(name)))
                    .toList();
            List<Site> sites = new ArrayList<>();
            for (SiteLine site : line.sites()) {
                List<ServerBlock> blocks =
                        site.servers().stream().map(RecordedSetup::block).toList();
                sites.add(new Site(site.name(), blocks, Amounts.of(site.pooled())));
            }
            List<RequestType> types = line.types().stream()
                    .map(type -> new RequestType(
                            type.name(),
                            Amounts.of(type.demand()),
                            Amounts.of(type.pooled()),
                            type.rewardMicros(),
                            type.meanServiceNanos()))
                    .toList();
            return new RecordedSetup(
                    new Cluster(resources, line.pooledResources(), sites, types),
                    PolicySpec.of(line.policy(), line.parameters()),
                    Steps.valueOf(line.steps()),
                    line.slotNanos(),
                    line.speedOneShare(),
                    line.seed());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the setup is not the JSON that a recording begins with", e);
        }
    }

    private static SiteLine line(Site site) {
        List<BlockLine> blocks =
                site.servers().stream().map(RecordedSetup::line).toList();
        return new SiteLine(site.name(), site.pooled().toArray(), blocks);
    }

    private static BlockLine line(ServerBlock block) {
        return new BlockLine(
                block.count(),
                block.capacity().toArray(),
                block.names().isEmpty() ? null : block.names(),
                block.labels().values().isEmpty() ? null : block.labels().toString());
    }

    private static ServerBlock block(BlockLine line) {
        return new ServerBlock(
                line.count(),
                Amounts.of(line.capacity()),
                line.names() == null ? List.of() : line.names(),
                line.labels() == null ? Labels.NONE : Labels.parse(line.labels()));
    }

    private static TypeLine line(RequestType type) {
        return new TypeLine(
                type.name(),
                type.demand().toArray(),
                type.pooledDemand().toArray(),
                type.rewardMicros(),
                type.meanServiceNanos());
    }

    /** The amount of a device by resource, or null if none comes in devices. */
    private static @Nullable Map<String, Long> devices(List<Resource> resources) {
        return resources.stream()
                .filter(Resource::comesInDevices)
                .findFirst()
                .map(one -> Map.of(one.name(), one.deviceAmount()))
                .orElse(null);
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record SetupLine(
            List<String> resources,
            List<String> divisible,
            @Nullable Map<String, Long> devices,
            List<String> pooledResources,
            List<SiteLine> sites,
            List<TypeLine> types,
            String policy,
            Map<String, String> parameters,
            String steps,
            long slotNanos,
            long speedOneShare,
            long seed) {
        SetupLine {
            mustBeThere("resources", resources);
            mustBeThere("divisible", divisible);
            mustBeThere("pooledResources", pooledResources);
            mustBeThere("sites", sites);
            mustBeThere("types", types);
            mustBeThere("policy", policy);
            mustBeThere("parameters", parameters);
            mustBeThere("steps", steps);
        }

        long deviceAmount(String resource) {
            return devices == null ? 0 : devices.getOrDefault(resource, 0L);
        }
    }

    private record SiteLine(String name, long[] pooled, List<BlockLine> servers) {
        SiteLine {
            mustBeThere("name", name);
            mustBeThere("pooled", pooled);
            mustBeThere("servers", servers);
        }
    }

    /** What a line leaves out is null here. */
    private static void mustBeThere(String field, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(field + " is missing");
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record BlockLine(
            int count,
            long[] capacity,
            @Nullable List<String> names,
            @Nullable String labels) {}

    private record TypeLine(String name, long[] demand, long[] pooled, long rewardMicros, long meanServiceNanos) {}
}
