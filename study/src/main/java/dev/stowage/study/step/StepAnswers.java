package dev.stowage.study.step;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.core.model.Resource;
import dev.stowage.policies.Policies;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.PolicyInfo;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a page asks of recorded runs, answered as JSON: moments, decisions, requests and why, curves. Where the
 * service's API has such a call it has the same path and fields, so that the same components show both. By any thread;
 * those that ask about one run take turns.
 */
public final class StepAnswers {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String REQUESTS = "/v1/requests/";

    private final List<RunMessages> runs;
    /** Made at once: which policies there are depends on the thread that asks. */
    private final JsonNode catalog = catalog();

    /**
     * About these runs, in this order.
     *
     * @param runs of one cluster's resources
     * @throws IllegalArgumentException if there is none, or they have other resources
     */
    public StepAnswers(List<RecordedRun> runs) {
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("there is no recorded run to show");
        }
        List<String> resources = resources(runs.get(0));
        for (RecordedRun run : runs) {
            if (!resources(run).equals(resources)) {
                throw new IllegalArgumentException(runs.get(0).name() + " has the resources " + resources + ", "
                        + run.name() + " has " + resources(run) + ": they cannot be shown side by side");
            }
        }
        this.runs = runs.stream().map(RunMessages::new).toList();
    }

    private static List<String> resources(RecordedRun run) {
        return run.setup().cluster().resources().stream().map(Resource::name).toList();
    }

    /**
     * The answer to a call.
     *
     * @param path of the address
     * @param query its parameters
     * @return JSON
     * @throws IllegalArgumentException if a parameter is unknown, missing or wrong
     * @throws NoSuchElementException if there is no such path, run, server or request
     */
    public String answer(String path, Map<String, String> query) {
        try {
            return MAPPER.writeValueAsString(answered(path, new Asked(query)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer cannot be written", e);
        }
    }

    private JsonNode answered(String path, Asked asked) {
        switch (path) {
            case "/v1/runs" -> {
                asked.only();
                return about();
            }
            case "/v1/policies" -> {
                asked.only();
                return catalog;
            }
            case "/v1/step" -> {
                asked.only("at", "forward");
                return step(asked.number("at"), asked.flag("forward"));
            }
            default -> {
                RunMessages run = run(asked);
                synchronized (run) {
                    return ofRun(run, path, asked);
                }
            }
        }
    }

    private JsonNode ofRun(RunMessages run, String path, Asked asked) {
        switch (path) {
            case "/v1/curves" -> {
                asked.only("run");
                return run.curves();
            }
            case "/v1/moment" -> {
                asked.only("run", "at", "since");
                return run.moment(asked.number("at"), asked.has("since") ? asked.number("since") : null);
            }
            case "/v1/decisions" -> {
                asked.only("run", "at", "before", "behind");
                return run.decisions(asked.number("at"), asked.count("before"), asked.count("behind"));
            }
            case "/v1/servers" -> {
                asked.only("run", "at", "page_size", "page_token");
                return run.server(asked.number("at"), asked.count("page_token"));
            }
            case "/v1/requests" -> {
                asked.only("run", "at", "server", "page_size", "all_tenants");
                return run.requestsOf(asked.number("at"), asked.count("server"), asked.count("page_size"));
            }
            case "/v1/audit" -> {
                asked.only("run", "at");
                return run.changes(asked.number("at"));
            }
            default -> {
                return ofRequest(run, path, asked);
            }
        }
    }

    private static JsonNode ofRequest(RunMessages run, String path, Asked asked) {
        int colon = path.lastIndexOf(':');
        if (path.startsWith(REQUESTS) && colon > REQUESTS.length()) {
            asked.only("run", "at", "tenant");
            long id = number("the request's id", path.substring(REQUESTS.length(), colon));
            switch (path.substring(colon)) {
                case ":history" -> {
                    return run.history(asked.number("at"), id);
                }
                case ":explain" -> {
                    return run.explanation(asked.number("at"), id);
                }
                default -> {}
            }
        }
        throw new NoSuchElementException("there is nothing at " + path);
    }

    private RunMessages run(Asked asked) {
        int run = asked.has("run") ? asked.count("run") : 0;
        if (run >= runs.size()) {
            throw new NoSuchElementException("there is no run " + run + "; the runs are 0 to " + (runs.size() - 1));
        }
        return runs.get(run);
    }

    private JsonNode about() {
        ObjectNode out = JSON.objectNode();
        ArrayNode resources = out.putArray("resources");
        resources(runs.get(0).run()).forEach(resources::add);
        out.put(
                "fromNanos",
                Long.toString(
                        runs.stream().mapToLong(one -> one.run().from()).min().orElse(0)));
        out.put(
                "untilNanos",
                Long.toString(
                        runs.stream().mapToLong(one -> one.run().until()).max().orElse(0)));
        ArrayNode list = out.putArray("runs");
        runs.forEach(one -> list.add(one.about()));
        return out;
    }

    private JsonNode step(long at, boolean forward) {
        ObjectNode out = JSON.objectNode();
        Long best = null;
        for (RunMessages run : runs) {
            Long one;
            synchronized (run) {
                one = run.step(at, forward);
            }
            if (one != null && (best == null || (forward ? one < best : one > best))) {
                best = one;
            }
        }
        return best == null ? out : out.put("atNanos", Long.toString(best));
    }

    private static JsonNode catalog() {
        ObjectNode out = JSON.objectNode();
        ArrayNode policies = out.putArray("policies");
        for (PolicyInfo info : Policies.all()) {
            ObjectNode policy = policies.addObject()
                    .put("name", info.key())
                    .put("summary", info.summary())
                    .put("paper", info.paper())
                    .put("guarantee", info.guarantee());
            ArrayNode parameters = policy.putArray("parameters");
            for (Parameter parameter : info.parameters()) {
                parameters
                        .addObject()
                        .put("name", parameter.name())
                        .put("meaning", parameter.meaning())
                        .put("range", parameter.range())
                        .put("defaultValue", parameter.defaultValue());
            }
        }
        return out;
    }

    private static long number(String name, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " '" + text + "' must be a whole number", e);
        }
    }

    /** The parameters of a call. */
    private record Asked(Map<String, String> query) {
        void only(String... known) {
            Set<String> others = new TreeSet<>(query.keySet());
            others.removeAll(Set.of(known));
            if (!others.isEmpty()) {
                throw new IllegalArgumentException("unknown: " + others + "; known: " + new TreeSet<>(Set.of(known)));
            }
        }

        boolean has(String name) {
            return query.containsKey(name);
        }

        long number(String name) {
            String text = query.get(name);
            if (text == null) {
                throw new IllegalArgumentException(name + " is missing");
            }
            return StepAnswers.number(name, text);
        }

        int count(String name) {
            long number = number(name);
            if (number < 0 || number > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(name + " " + number + " must be 0 to " + Integer.MAX_VALUE);
            }
            return (int) number;
        }

        boolean flag(String name) {
            return Boolean.parseBoolean(query.get(name));
        }
    }
}
