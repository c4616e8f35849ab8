package dev.stowage.cli.log;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import dev.stowage.service.directory.RecordedLog;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.LoggedRun;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.World;
import dev.stowage.sim.driver.Lifetimes;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceBuilder;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.RequestTraits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The load in a service's log: the requests as a trace, and the servers at its end.
 *
 * @param requests those that arrived, and those present when the log began; with their real run times, or, if they were
 *     turned away or have not ended, those that {@link Lifetimes} estimates
 * @param servers the part {@code cluster} of an experiment
 * @param notes assumptions, and what of the log is not included
 */
public record LoggedLoad(Trace requests, ObjectNode servers, List<Remark> notes) {
    private static final long SEED = 1;

    /**
     * Reads the log in a service's data directory; the service may run.
     *
     * @return null if the path has none
     * @throws BadInputException if it cannot be read, or is empty
     */
    public static @Nullable LoggedLoad read(Path path) {
        try {
            RecordedLog log = RecordedLog.in(path);
            if (log == null) {
                return null;
            }
            Heard rows = new Heard();
            ServiceState end = log.replay(new Policies(), rows);
            String halted = end.halted();
            World world = end.world();
            if (halted != null || world == null || rows.all.isEmpty()) {
                throw new BadInputException(path + ": " + (halted == null ? "the log contains no requests" : halted));
            }
            return rows.load(end, world);
        } catch (IOException e) {
            throw new BadInputException(String.valueOf(e.getMessage()), e);
        }
    }

    private static final class Row {
        final Request request;
        final LoggedRun run = new LoggedRun();

        Row(Request request) {
            this.request = request;
        }
    }

    /** Receives the entries of the log. */
    private static final class Heard implements RecordedLog.Listener {
        final Map<Long, Row> all = new LinkedHashMap<>();

        @Override
        public void begun(ServiceState state) {
            World world = state.world();
            if (world != null) {
                world.requests().forEach(this::note);
            }
        }

        @Override
        public void applied(ServiceState state, Batch batch, List<Outcome> outcomes, List<Request> changes) {
            changes.forEach(this::note);
        }

        private void note(Request request) {
            all.computeIfAbsent(request.number(), number -> new Row(request))
                    .run
                    .changed(request);
        }

        LoggedLoad load(ServiceState end, World world) {
            List<Row> rows = new ArrayList<>(all.values());
            long begin = rows.stream()
                    .mapToLong(row -> row.request.arrivedAt())
                    .min()
                    .orElse(0);
            Lifetimes lifetimes = lifetimes(rows, end.now());
            TraceBuilder builder = new TraceBuilder(world.resources());
            long sited = 0;
            long avoiding = 0;
            for (int i = 0; i < rows.size(); i++) {
                Request request = rows.get(i).request;
                long nanos = lifetimes.nanos()[i];
                sited += request.sites().isEmpty() ? 0 : 1;
                avoiding += request.words().avoid().isEmpty() ? 0 : 1;
                builder.add(
                                request.arrivedAt() - begin,
                                nanos == RequestStream.ENDLESS ? Trace.UNKNOWN : nanos,
                                request.demand(),
                                Trace.NO_BATCH,
                                request.type().isEmpty() ? null : request.type(),
                                null,
                                new ConstraintWords(
                                        request.words().where(),
                                        List.of(),
                                        request.words().spread()),
                                new RequestTraits(request.life().priority(), 1, false))
                        .expecting(request.life().expectedNanos());
            }
            List<Remark> notes = new ArrayList<>();
            notes.add(Remark.plain(String.format(
                    Locale.ROOT,
                    "%,d requests of the log; %,d of them (%.1f %%) were rejected or have not ended. Their running time"
                            + " is estimated from others of the same type and demand (Kaplan-Meier). Gang members"
                            + " arrive one by one.",
                    rows.size(),
                    lifetimes.estimated(),
                    100.0 * lifetimes.estimated() / rows.size())));
            if (sited > 0 || avoiding > 0) {
                notes.add(Remark.warning(sited + " requests are limited to sites and " + avoiding
                        + " avoid servers by name; the simulation ignores both"));
            }
            return new LoggedLoad(builder.build(), servers(world), notes);
        }

        private static Lifetimes lifetimes(List<Row> rows, long now) {
            Map<List<Object>, Integer> kinds = new LinkedHashMap<>();
            int[] types = new int[rows.size()];
            long[] seen = new long[types.length];
            boolean[] ended = new boolean[types.length];
            for (int i = 0; i < types.length; i++) {
                Row row = rows.get(i);
                types[i] = kinds.computeIfAbsent(
                        List.of(
                                row.request.type(),
                                Arrays.stream(row.request.demand()).boxed().toList()),
                        kind -> kinds.size());
                ended[i] = row.run.isOver();
                seen[i] = Math.max(0, row.run.nanos(now));
            }
            return Lifetimes.of(types, seen, ended, SEED);
        }

        /** The servers at the end, equal ones as one block. */
        private static ObjectNode servers(World world) {
            View view = world.engine().view();
            Map<Integer, Map<ObjectNode, Integer>> sites = new LinkedHashMap<>();
            for (int server = 0; server < view.servers(); server++) {
                if (view.status(server) != ServerStatus.GONE) {
                    ObjectNode block = JsonNodeFactory.instance.objectNode();
                    for (int r = 0; r < view.resources(); r++) {
                        block.put(world.resources().get(r), view.capacity(server, r));
                    }
                    Map<String, String> labels = view.labels(server).values();
                    if (!labels.isEmpty()) {
                        ObjectNode node = block.putObject("labels");
                        labels.forEach(node::put);
                    }
                    sites.computeIfAbsent(view.site(server), site -> new LinkedHashMap<>())
                            .merge(block, 1, Integer::sum);
                }
            }
            ObjectNode cluster = JsonNodeFactory.instance.objectNode();
            ArrayNode list = cluster.putArray("sites");
            sites.forEach((site, blocks) -> {
                ObjectNode node = list.addObject().put("name", world.sites().get(site));
                ArrayNode servers = node.putArray("servers");
                blocks.forEach((block, count) -> {
                    ObjectNode counted = JsonNodeFactory.instance.objectNode().put("count", count);
                    counted.setAll(block);
                    servers.add(counted);
                });
            });
            return cluster;
        }
    }
}
