package dev.stowage.openstack.place;

import dev.stowage.openstack.snapshot.RoomReader;
import dev.stowage.openstack.translate.HostRoom;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers on which host a server goes, from an engine that is kept to what Placement says. Any thread may use it. */
public final class HostService {
    private static final Logger LOG = LoggerFactory.getLogger(HostService.class);
    /** Hosts that are read anew before a server is turned away. */
    private static final int LOOKED_AT_AGAIN = 16;

    private static final int LOGGED = 3;

    private final HostEngine engine;
    private final RoomReader reader;
    private final LongSupplier clock;
    private final long tooOldNanos;
    private final AtomicLong placed = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong failedReadings = new AtomicLong();
    private volatile long readAt;
    private volatile boolean known;

    /**
     * A service that knows nothing until {@link #read}.
     *
     * @param clock nanoseconds, that of the engine
     * @param tooOldNanos it does not answer if the last reading is older
     */
    public HostService(HostEngine engine, RoomReader reader, LongSupplier clock, long tooOldNanos) {
        this.engine = engine;
        this.reader = reader;
        this.clock = clock;
        this.tooOldNanos = tooOldNanos;
    }

    /** Reads all hosts; if that fails the log says so, and what was known stays. Whether it was done. */
    public boolean read() {
        long began = clock.getAsLong();
        try {
            List<HostRoom> rooms = reader.all();
            synchronized (engine) {
                engine.read(rooms, true, began);
            }
            readAt = began;
            known = true;
            return true;
        } catch (RuntimeException e) {
            failedReadings.incrementAndGet();
            LOG.warn("Placement was not read: {}", e.getMessage());
            return false;
        }
    }

    /** Whether it answers. */
    public boolean isReady() {
        return known && clock.getAsLong() - readAt <= tooOldNanos;
    }

    /**
     * The hosts for a server, best first.
     *
     * @throws dev.stowage.openstack.api.CloudException if hosts must be read, and Placement does not answer
     */
    public HostAnswer ask(HostQuestion question) {
        HostAnswer answer;
        List<String> unknown;
        synchronized (engine) {
            unknown = question.nodes().stream()
                    .filter(node -> !engine.knows(node))
                    .limit(LOOKED_AT_AGAIN)
                    .toList();
            answer = unknown.isEmpty() ? engine.ask(question) : new HostAnswer(List.of(), "");
        }
        if (answer.nodes().isEmpty()) {
            // Nova's list is newer than the last reading: a server that has gone since made room.
            long began = clock.getAsLong();
            List<HostRoom> rooms = reader.named(
                    unknown.isEmpty()
                            ? question.nodes().stream().limit(LOOKED_AT_AGAIN).toList()
                            : unknown);
            synchronized (engine) {
                engine.read(rooms, false, began);
                answer = engine.ask(question);
            }
        }
        (answer.nodes().isEmpty() ? refused : placed).incrementAndGet();
        LOG.info(
                "server {} {}: {} (hosts asked about: {})",
                question.server(),
                answer.nodes().isEmpty()
                        ? "has no host"
                        : "goes to "
                                + String.join(
                                        ", else ",
                                        answer.nodes()
                                                .subList(
                                                        0,
                                                        Math.min(
                                                                LOGGED,
                                                                answer.nodes().size()))),
                answer.reason(),
                question.nodes().size());
        return answer;
    }

    /** Figures in the text format of Prometheus. */
    public String metrics() {
        int hosts;
        int promised;
        synchronized (engine) {
            hosts = engine.hosts();
            promised = engine.promised();
        }
        return "# TYPE stowage_openstack_answers_total counter\n"
                + "stowage_openstack_answers_total{result=\"hosts\"} " + placed + "\n"
                + "stowage_openstack_answers_total{result=\"none\"} " + refused + "\n"
                + "# TYPE stowage_openstack_failed_readings_total counter\n"
                + "stowage_openstack_failed_readings_total " + failedReadings + "\n"
                + "# TYPE stowage_openstack_hosts gauge\n"
                + "stowage_openstack_hosts " + hosts + "\n"
                + "# TYPE stowage_openstack_promised_servers gauge\n"
                + "stowage_openstack_promised_servers " + promised + "\n";
    }
}
