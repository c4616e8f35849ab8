package dev.stowage.cli.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.cli.text.ServerArgument;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.service.v1.Spread;
import dev.stowage.service.v1.SubmitRequest;
import dev.stowage.sim.experiment.ResourceKeys;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that describe a request: its demand, and which servers may run it. */
final class RequestOptions {
    /** What hardly any request or server does without. */
    private static final List<String> BASIC = List.of("cpu_milli", "mem_mib");

    @Option(
            names = "--demand",
            paramLabel = "AMOUNTS",
            description = "As in \"4 cores, 16 GiB, 2 gpus, slots=8\". G and GB mean GiB.")
    private @Nullable String demand;

    @Option(
            names = "--type",
            paramLabel = "NAME",
            description = "A type of the cluster: its demand, unless --demand gives another.")
    private @Nullable String type;

    @Option(
            names = "--sites",
            split = ",",
            paramLabel = "NAME",
            description = "Sites that may run it (default: every site).")
    private List<String> sites = List.of();

    @Rare
    @Option(
            names = "--where",
            paramLabel = "SELECTOR",
            description = "Labels that its server must have, as a label selector of Kubernetes: \"gpu in (V100, T4),"
                    + " !spot\"; also \"zone notin (a)\", \"zone=a\", \"zone!=a\". Repeat the option for alternatives.")
    private List<String> where = List.of();

    @Rare
    @Option(
            names = "--avoid",
            split = ",",
            paramLabel = "SERVER",
            description = "Servers that must not run it, by name or number.")
    private List<String> avoid = List.of();

    @Rare
    @Option(
            names = "--spread",
            paramLabel = "GROUP:MOST[:LABEL]",
            description = "Keep it apart from others of its group: at most this many per server, or per value of a"
                    + " label: \"db:1\", \"db:2:zone\".")
    private List<String> spread = List.of();

    @Rare
    @Option(
            names = "--priority",
            paramLabel = "N",
            description = "Requests of higher priority go first, and may take the place of those of lower priority"
                    + " (default: 0).")
    private int priority;

    @Rare
    @Option(
            names = "--agent",
            description =
                    "An agent on its server starts and stops it, and reports to the service (\"stowage confirm\"). What to"
                            + " run is said to the agent, one command for all: \"stowage agent --run\".")
    private boolean agent;

    @Rare
    @Option(
            names = "--expected",
            paramLabel = "TIME",
            description = "Expected running time, e.g. \"2 h\": not a limit, but used by some policies.")
    private @Nullable String expected;

    /** The request, without the fields that only a submitted one has. */
    SubmitRequest.Builder request(String tenant, String id) {
        SubmitRequest.Builder request =
                SubmitRequest.newBuilder().setTenant(tenant).setRequestId(id).addAllAllowedSites(sites);
        if (type == null && demand == null) {
            throw new BadInputException("say what the request needs: --demand \"4 cores, 16 GiB\", or --type if the"
                    + " service has types");
        }
        if (type != null) {
            request.setType(type);
        }
        if (demand != null) {
            request.putAllDemand(amounts("--demand", demand));
        }
        request.addAllWhere(where)
                .addAllAvoidServers(avoid)
                .setPriority(priority)
                .setAgent(agent);
        if (expected != null) {
            request.setExpectedNanos(ClientOptions.nanos("--expected", expected));
        }
        spread.forEach(text -> request.addSpread(spread(text)));
        return request;
    }

    /** CPU and memory, of those that a service has, that are not named, as people call them. */
    static List<String> unnamed(Set<String> named, Collection<String> resources) {
        return BASIC.stream()
                .filter(name -> resources.contains(name) && !named.contains(name))
                .map(ResourceWords::resource)
                .toList();
    }

    private static Spread spread(String text) {
        try {
            dev.stowage.core.model.Spread one = dev.stowage.core.model.Spread.parse(text);
            return Spread.newBuilder()
                    .setGroup(one.group())
                    .setMost(one.most())
                    .setLabel(one.key())
                    .build();
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--spread: " + e.getMessage(), e);
        }
    }

    /** Amounts by the names of resources. */
    static Map<String, Long> amounts(String option, String text) {
        Map<String, Long> amounts = new LinkedHashMap<>();
        JsonNode block = ServerArgument.parse(option, text, "1 x " + text).get(0);
        for (Map.Entry<String, JsonNode> amount : block.properties()) {
            String key = amount.getKey();
            if (!key.equals("count")) {
                String value = amount.getValue().asText();
                try {
                    amounts.put(ResourceKeys.resource(key), ResourceKeys.amount(key, value));
                } catch (IllegalArgumentException e) {
                    throw new BadInputException(option + ": '" + value + "' " + e.getMessage(), e);
                }
            }
        }
        return amounts;
    }
}
