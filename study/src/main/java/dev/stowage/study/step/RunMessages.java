package dev.stowage.study.step;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One recorded run, as what a page asks of it; the same fields as in the service's API where that has them. */
final class RunMessages {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int MOST_TOUCHED = 4096;
    private static final int MOST_ROWS = 500;
    private static final int MOST_REQUESTS = 1000;

    private final RecordedRun run;
    private final Story story;
    private final List<String> resources;
    private final RequestMessages requests;

    /** What servers alike have in common. */
    private record Kind(int capacityClass, Labels labels) {}

    RunMessages(RecordedRun run) {
        this.run = run;
        story = run.story();
        resources =
                run.setup().cluster().resources().stream().map(Resource::name).toList();
        requests = new RequestMessages(
                run,
                resources,
                run.setup().cluster().sites().stream().map(Site::name).toList());
    }

    RecordedRun run() {
        return run;
    }

    /** What it is a run of. */
    ObjectNode about() {
        ObjectNode out = JSON.objectNode()
                .put("name", run.name())
                .put("commands", run.commands())
                .put("fromNanos", Long.toString(run.from()))
                .put("untilNanos", Long.toString(run.until()))
                .put("digest", run.digest())
                .put("whole", run.whole())
                .put("agrees", run.agrees());
        ObjectNode policy =
                out.putObject("policy").put("name", run.setup().policy().name());
        ObjectNode parameters = policy.putObject("parameters");
        run.setup().policy().parameters().forEach(parameters::put);
        run.setup().cluster().resources().stream()
                .filter(Resource::comesInDevices)
                .forEach(resource ->
                        out.put("deviceResource", resource.name()).put("deviceAmount", resource.deviceAmount()));
        ArrayNode demand = out.putArray("medianDemand");
        story.medianDemand(resources.size()).forEach(demand::add);
        return out;
    }

    /** All servers at a moment, and what was counted until then; {@code since} names another moment. */
    ObjectNode moment(long at, @Nullable Long since) {
        int commands = run.commandsUntil(at);
        View view = run.after(commands);
        int rows = story.rowsOf(commands);
        ObjectNode out = JSON.objectNode().put("position", commands).put("nowNanos", Long.toString(at));
        ArrayNode names = out.putArray("resources");
        resources.forEach(names::add);
        columns(out, view);
        counts(out.putObject("figures"), rows, RunCurve.of(at, view));
        ArrayNode touched = out.putArray("touched");
        if (since != null) {
            touched(rows, story.rowsOf(run.commandsUntil(since))).forEach(touched::add);
        }
        return out;
    }

    private void columns(ObjectNode out, View view) {
        Map<Kind, Integer> kinds = new LinkedHashMap<>();
        ArrayNode kind = out.putArray("kind");
        ArrayNode status = out.putArray("status");
        ArrayNode running = out.putArray("running");
        ArrayNode free = out.putArray("free");
        for (int server = 0; server < view.servers(); server++) {
            Kind its = new Kind(view.capacityClass(server), view.labels(server));
            kind.add(kinds.computeIfAbsent(its, one -> kinds.size()));
            // The page has words for these numbers, in this order.
            status.add(view.status(server).ordinal());
            running.add(view.running(server));
            for (int r = 0; r < resources.size(); r++) {
                free.add(view.free(server, r));
            }
        }
        ArrayNode list = out.putArray("kinds");
        kinds.keySet().forEach(one -> {
            ObjectNode message = list.addObject().put("site", requests.site(view.classSite(one.capacityClass())));
            ArrayNode capacity = message.putArray("capacity");
            for (int r = 0; r < resources.size(); r++) {
                capacity.add(view.classCapacity(one.capacityClass(), r));
            }
            ObjectNode labels = message.putObject("labels");
            one.labels().values().forEach(labels::put);
        });
    }

    private void counts(ObjectNode out, int rows, RunCurve.Point point) {
        Story.Counts counts = story.counts(rows);
        out.put("arrived", counts.arrived())
                .put("placed", counts.placed())
                .put("rejected", counts.rejected())
                .put("gaveUp", counts.gaveUp())
                .put("moved", counts.moved())
                .put("waiting", point.waiting())
                .put("running", point.running())
                .put("inUse", point.inUse());
        if (counts.placed() > 0) {
            out.put("meanWaitSeconds", counts.waitSeconds());
        }
        out.set("use", use(point));
    }

    private ArrayNode use(RunCurve.Point point) {
        ArrayNode use = JSON.arrayNode();
        point.use().forEach(part -> {
            if (Double.isFinite(part)) {
                use.add(part);
            } else {
                use.addNull();
            }
        });
        return use;
    }

    private Set<Integer> touched(int rows, int before) {
        Set<Integer> servers = new LinkedHashSet<>();
        for (int row = Math.min(rows, before); row < Math.max(rows, before) && servers.size() < MOST_TOUCHED; row++) {
            if (story.server(row) >= 0) {
                servers.add(story.server(row));
            }
        }
        return servers;
    }

    /** What was decided around a moment: the last rows until then, and the first ones behind. */
    ObjectNode decisions(long at, int before, int behind) {
        int commands = run.commandsUntil(at);
        int rows = story.rowsOf(commands);
        View view = run.after(commands);
        ObjectNode out = JSON.objectNode();
        ArrayNode past = out.putArray("past");
        for (int row = rows - 1; row >= Math.max(0, rows - Math.min(before, MOST_ROWS)); row--) {
            past.add(row(row, view));
        }
        ArrayNode coming = out.putArray("coming");
        for (int row = rows; row < Math.min(story.size(), rows + Math.min(behind, MOST_ROWS)); row++) {
            coming.add(row(row, view));
        }
        return out;
    }

    private ObjectNode row(int row, View view) {
        int server = story.server(row);
        Story.What what = story.what(row);
        return JSON.objectNode()
                .put("atNanos", Long.toString(story.at(row)))
                .put("what", what.word())
                .put("requestId", story.id(row) < 0 ? "" : Long.toString(story.id(row)))
                .put("server", server)
                // One that is added only later has no name yet.
                .put("serverName", server < 0 || server >= view.servers() ? "" : view.serverName(server))
                .put("fromServer", story.from(row))
                .put("reason", story.reason(row));
    }

    /** The time of the first decision behind a moment, or the last before it; null if there is none. */
    @Nullable
    Long step(long at, boolean forward) {
        int commands = run.commandsUntil(forward ? at : at - 1);
        int rows = story.rowsOf(commands);
        if (forward) {
            return rows < story.size() ? story.at(rows) : null;
        }
        return rows > 0 ? story.at(rows - 1) : null;
    }

    /** The whole run over time, in some hundred points. */
    ObjectNode curves() {
        ObjectNode out = JSON.objectNode();
        ArrayNode times = out.putArray("times");
        ArrayNode waiting = out.putArray("waiting");
        ArrayNode running = out.putArray("running");
        ArrayNode inUse = out.putArray("inUse");
        ArrayNode use = out.putArray("use");
        run.curve().points().forEach(point -> {
            times.add(Long.toString(point.at()));
            waiting.add(point.waiting());
            running.add(point.running());
            inUse.add(point.inUse());
            use.add(use(point));
        });
        return out;
    }

    /** One server, as in a list of servers. */
    ObjectNode server(long at, int server) {
        View view = run.after(run.commandsUntil(at));
        if (server < 0 || server >= view.servers()) {
            throw new NoSuchElementException("there is no server " + server + " at this moment");
        }
        ObjectNode out = JSON.objectNode().put("nextPageToken", "");
        ObjectNode one = out.putArray("servers")
                .addObject()
                .put("server", server)
                .put("name", view.serverName(server))
                .put("site", requests.site(view.site(server)))
                .put("status", view.status(server).name().toLowerCase(Locale.ROOT))
                .put("overcommitted", view.overcommitted(server))
                .put("running", view.running(server));
        one.set("capacity", requests.amounts(r -> view.capacity(server, r)));
        one.set("free", requests.amounts(r -> view.free(server, r)));
        ArrayNode devices = one.putArray("devices");
        for (long rest = view.devicesOf(server); rest != 0; rest &= rest - 1) {
            int device = Long.numberOfTrailingZeros(rest);
            devices.addObject().put("number", device).put("free", view.deviceFree(server, device));
        }
        ObjectNode labels = one.putObject("labels");
        view.labels(server).values().forEach(labels::put);
        return out;
    }

    /** What runs on a server, then what ran there of late. */
    ObjectNode requestsOf(long at, int server, int most) {
        int commands = run.commandsUntil(at);
        int rows = story.rowsOf(commands);
        View view = run.after(commands);
        ArrayNode list = JSON.arrayNode();
        int wanted = Math.min(most, MOST_REQUESTS);
        List<Long> ids = new ArrayList<>();
        for (int job = server < view.servers() ? view.firstOn(server) : View.NONE;
                job != View.NONE && ids.size() < wanted;
                job = view.next(job)) {
            if (view.id(job) >= 0) {
                ids.add(view.id(job));
            }
        }
        ids.forEach(id -> list.add(requests.request(story.arrivalOf(id, rows), rows, view)));
        int looked = 0;
        for (int row = rows - 1; row >= 0 && list.size() < wanted && looked++ < 100 * wanted; row--) {
            if (story.what(row) == Story.What.LEFT && story.server(row) == server) {
                list.add(requests.request(story.arrivalOf(story.id(row), row), row + 1, view));
            }
        }
        ObjectNode out = JSON.objectNode().put("nextPageToken", "");
        out.set("requests", list);
        return out;
    }

    ObjectNode history(long at, long id) {
        int commands = run.commandsUntil(at);
        int rows = story.rowsOf(commands);
        ObjectNode out = JSON.objectNode().put("complete", true);
        out.set("versions", requests.versions(arrival(id, rows), rows, run.after(commands)));
        return out;
    }

    ObjectNode explanation(long at, long id) {
        int commands = run.commandsUntil(at);
        int rows = story.rowsOf(commands);
        return requests.explanation(arrival(id, rows), rows, commands);
    }

    private int arrival(long id, int rows) {
        int arrival = story.arrivalOf(id, rows);
        if (arrival == Story.NONE) {
            throw new NoSuchElementException("request " + id + " has not arrived at this moment");
        }
        return arrival;
    }

    /** What was done to servers until a moment, the newest last. */
    ObjectNode changes(long at) {
        int rows = story.rowsOf(run.commandsUntil(at));
        ObjectNode out = JSON.objectNode();
        ArrayNode lines = out.putArray("lines");
        for (int row = 0; row < rows; row++) {
            Story.What what = story.what(row);
            if (what == Story.What.SERVER || what == Story.What.SERVER_RESIZED || what == Story.What.SERVER_LABELLED) {
                lines.addObject()
                        .put("atNanos", Long.toString(story.at(row)))
                        .put("position", story.commandOf(row))
                        .put("actor", "")
                        .put("change", what.word() + " server=" + story.server(row))
                        .put("result", story.reason(row));
            }
        }
        return out;
    }
}
