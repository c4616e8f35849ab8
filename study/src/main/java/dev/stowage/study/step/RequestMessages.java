package dev.stowage.study.step;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.policy.View;
import java.util.List;
import java.util.function.IntToLongFunction;

/** Requests of a recorded run at a moment, with the fields that the service's API has for them. */
final class RequestMessages {
    static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final RecordedRun run;
    private final Story story;
    private final List<String> resources;
    private final List<String> sites;

    RequestMessages(RecordedRun run, List<String> resources, List<String> sites) {
        this.run = run;
        this.resources = resources;
        this.sites = sites;
        story = run.story();
    }

    /** What a row made of a request. */
    private record Standing(String state, String phase, int server) {
        Standing after(Story.What what, int rowServer) {
            return switch (what) {
                case ARRIVED, QUEUED -> new Standing("WAITING", "PLACED", Story.NONE);
                case DISPLACED, START_FAILED, EVICTED -> new Standing("WAITING", "PLACED", Story.NONE);
                case PLACED, MIGRATED -> new Standing("RUNNING", "PLACED", rowServer);
                case ADOPTED, STARTED -> new Standing("RUNNING", "STARTED", rowServer);
                case STOPPING -> new Standing("RUNNING", "STOPPING", rowServer);
                case REJECTED -> new Standing("REJECTED", phase, Story.NONE);
                case LEFT -> new Standing("RELEASED", phase, rowServer);
                case GAVE_UP -> new Standing("EXPIRED", phase, Story.NONE);
                default -> this;
            };
        }
    }

    /** The request whose arrival is this row, as the first {@code rows} rows leave it. */
    ObjectNode request(int arrival, int rows, View view) {
        ArrayNode versions = versions(arrival, rows, view);
        ObjectNode now = (ObjectNode) versions.get(versions.size() - 1);
        int job = run.engine().find(story.id(arrival));
        ArrayNode devices = now.putArray("devices");
        for (long rest = job < 0 ? 0 : view.devicesHeld(job); rest != 0; rest &= rest - 1) {
            devices.add(Long.numberOfTrailingZeros(rest));
        }
        return now;
    }

    /** All that it was, one after the other. */
    ArrayNode versions(int arrival, int rows, View view) {
        ArrayNode all = JSON.arrayNode();
        Standing phase = new Standing("WAITING", "PLACED", Story.NONE);
        int attempt = 0;
        for (int row = arrival; row != Story.NONE; row = story.next(row, rows)) {
            Story.What what = story.what(row);
            attempt += what == Story.What.PLACED || what == Story.What.ADOPTED ? 1 : 0;
            phase = phase.after(what, story.server(row));
            all.add(version(arrival, row, phase, attempt, view));
        }
        return all;
    }

    private ObjectNode version(int arrival, int row, Standing phase, int attempt, View view) {
        Story.Demanded shape = story.shape(arrival);
        List<RequestType> types = run.setup().cluster().types();
        ObjectNode out = JSON.objectNode()
                .put("number", Integer.toString(arrival))
                .put("requestId", Long.toString(story.id(arrival)))
                .put("tenant", "")
                .put("type", shape.type() < 0 ? "" : types.get(shape.type()).name())
                .put("state", phase.state())
                .put("phase", phase.phase())
                .put("agent", shape.agent())
                .put("server", phase.server())
                .put("serverName", phase.server() < 0 ? "" : view.serverName(phase.server()))
                .put("site", phase.server() < 0 ? "" : site(view.site(phase.server())))
                .put("arrivedAtNanos", Long.toString(story.at(arrival)))
                .put("sinceNanos", Long.toString(story.at(row)))
                .put("position", Integer.toString(story.commandOf(row)))
                .put("reason", story.reason(row))
                .put("priority", shape.priority())
                .put("attempt", attempt)
                .put("startFailures", 0);
        out.set("demand", amounts(r -> shape.demand().get(r)));
        out.set("allowedSites", JSON.arrayNode());
        ArrayNode where = out.putArray("where");
        if (!shape.where().isEmpty()) {
            where.add(shape.where());
        }
        return out;
    }

    String site(int site) {
        return site < sites.size() ? sites.get(site) : "site-" + site;
    }

    ObjectNode amounts(IntToLongFunction amount) {
        ObjectNode all = JSON.objectNode();
        for (int r = 0; r < resources.size(); r++) {
            all.put(resources.get(r), Long.toString(amount.applyAsLong(r)));
        }
        return all;
    }

    /** Why it is where it is: the rule that decided, and what the servers had then; of one that waits, have now. */
    ObjectNode explanation(int arrival, int rows, int commands) {
        ObjectNode request = request(arrival, rows, run.after(commands));
        String state = request.get("state").textValue();
        ObjectNode out = JSON.objectNode();
        out.set("request", request);
        int decided = Story.NONE;
        String rule = request.get("reason").textValue();
        for (int row = arrival; row != Story.NONE; row = story.next(row, rows)) {
            Story.What what = story.what(row);
            if (what == Story.What.PLACED || what == Story.What.MIGRATED || what == Story.What.ADOPTED) {
                decided = row;
                rule = story.reason(row);
            }
        }
        SeenServers seen = null;
        if (state.equals("RUNNING") && decided != Story.NONE) {
            seen = run.whenPlaced(decided);
        } else if (state.equals("WAITING") && run.engine().find(story.id(arrival)) >= 0) {
            seen = run.now(story.id(arrival));
        }
        String servers = seen == null
                ? ""
                : "; " + seen.large() + " of " + seen.up()
                        + " servers that are up and that it may use are large enough, " + seen.room() + " of them "
                        + (state.equals("RUNNING") ? "had room when it was placed" : "have room now");
        String by = rule.isEmpty() ? "" : " by the rule '" + rule + "'";
        out.put("rule", rule)
                .put(
                        "summary",
                        switch (state) {
                            case "RUNNING" ->
                                "runs on server " + request.get("server").intValue() + " in site "
                                        + request.get("site").textValue() + by + servers;
                            case "WAITING" -> "waits" + by + servers;
                            case "REJECTED" -> "was rejected" + by;
                            case "EXPIRED" -> "gave up waiting";
                            default -> "has ended; it was placed" + by;
                        })
                .put("policy", run.engine().policy().toString())
                .put("asPlaced", state.equals("RUNNING"))
                .put("serversUp", seen == null ? 0 : seen.up())
                .put("serversLargeEnough", seen == null ? 0 : seen.large())
                .put("serversWithRoom", seen == null ? 0 : seen.room());
        ArrayNode candidates = out.putArray("candidates");
        if (seen != null) {
            View view = run.after(commands);
            Story.Demanded shape = story.shape(arrival);
            seen.nearest().forEach(one -> candidates.add(candidate(one, shape, view)));
        }
        return out;
    }

    private ObjectNode candidate(SeenServers.Seen seen, Story.Demanded shape, View view) {
        ObjectNode out = JSON.objectNode()
                .put("server", seen.server())
                .put("name", view.serverName(seen.server()))
                .put("site", site(view.site(seen.server())))
                .put("runsHere", seen.here())
                .put("keptApart", "")
                .put("lacksDevices", seen.lacksDevices());
        out.set("free", amounts(r -> seen.free()[r]));
        ObjectNode lacks = out.putObject("lacks");
        for (int r = 0; r < resources.size() && !seen.here(); r++) {
            long missing = shape.demand().get(r) - seen.free()[r];
            if (missing > 0) {
                lacks.put(resources.get(r), Long.toString(missing));
            }
        }
        return out;
    }
}
