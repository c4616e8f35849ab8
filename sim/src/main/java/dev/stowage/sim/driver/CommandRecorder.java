package dev.stowage.sim.driver;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.workload.RequestStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes every command of a run to a file and passes it on. The file is text, gz if its name ends so: a line with the
 * format, a line with the setup, a line for every command, before every arrival one with the request's work if that is
 * known (before a gang one for each member), and at the end the digest, which shows that the recording is complete.
 * There is one method for each command of {@link Commands}; each makes it a {@link Command}.
 */
public final class CommandRecorder implements Commands, AutoCloseable {
    /** First line of a recording. */
    static final String FORMAT = "stowage-log 2";

    /** Prefix of the line before an arrival: its work in nanoseconds, which the engine does not get. */
    static final String WORK = "work ";

    /** Prefix of the line after the last command. */
    static final String END = "end digest=";

    /**
     * Prefix of a last line after that: the time at which a recording ended that goes on after its last command.
     * Readers that do not know it stop before it.
     */
    static final String ENDED = "ended at=";

    private final Path file;
    private final Engine engine;
    private final Writer writer;
    private final @Nullable RequestStream works;

    /**
     * Begins a recording.
     *
     * @param works a second cursor over the requests, to read their work; null if it is unknown
     * @throws UncheckedIOException if the file cannot be written
     */
    public CommandRecorder(Path file, RecordedSetup setup, Engine engine, @Nullable RequestStream works) {
        this.file = file;
        this.engine = engine;
        this.works = works;
        try {
            OutputStream out = Files.newOutputStream(file);
            writer = new BufferedWriter(new OutputStreamWriter(
                    file.toString().endsWith(".gz") ? new GZIPOutputStream(out) : out, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw failed(e);
        }
        write(FORMAT);
        write(setup.toJson());
    }

    /**
     * Runs a simulation and writes its recording.
     *
     * @param works a second cursor over the requests, to read their work; null to leave it out
     * @return how it ended
     * @throws UncheckedIOException if the file cannot be written
     */
    public static RunEnd record(Path file, Setup setup, @Nullable RequestStream works) {
        CommandRecorder[] recorder = new CommandRecorder[1];
        RunEnd end = Simulation.run(
                setup,
                Effects.NONE,
                engine -> recorder[0] = new CommandRecorder(file, RecordedSetup.of(setup), engine, works),
                Progress.NONE);
        recorder[0].end();
        recorder[0].close();
        return end;
    }

    /** Ends a complete recording with the engine's digest; a recording without it counts as interrupted. */
    public void end() {
        write(END + String.format(Locale.ROOT, "%016x", engine.digest()));
    }

    /**
     * The same, of a recording that goes on after its last command.
     *
     * @param atNanos when it ended, on the clock of the commands
     */
    public void end(long atNanos) {
        end();
        write(ENDED + atNanos);
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void arrive(long at, long id, int type) {
        writeWork();
        pass(Command.arrive(at, id, type));
    }

    @Override
    public void arrive(
            long at,
            long id,
            int type,
            long[] demand,
            long[] pooledDemand,
            long rewardMicros,
            Constraints constraints) {
        writeWork();
        pass(Command.arriveWith(at, id, type, list(demand), list(pooledDemand), rewardMicros)
                .constrained(constraints));
    }

    @Override
    public void arrive(long at, NewRequest request) {
        writeWork();
        pass(Command.arrive(at, request));
    }

    @Override
    public void arriveTogether(long at, List<NewRequest> members) {
        if (works != null && works.next()) {
            members.forEach(member -> write(WORK + works.workNanos()));
        }
        pass(Command.gang(
                at, members.stream().map(one -> Command.arrive(at, one)).toList()));
    }

    @Override
    public void adopt(long at, NewRequest request, int server, long devices) {
        pass(Command.arrive(at, request).adoptedOn(server).onDevices(devices));
    }

    @Override
    public void started(long at, long id) {
        plain(Command.Kind.STARTED, at, id);
    }

    @Override
    public void startFailed(long at, long id) {
        plain(Command.Kind.START_FAILED, at, id);
    }

    @Override
    public void stop(long at, long id) {
        plain(Command.Kind.STOP, at, id);
    }

    @Override
    public void stopped(long at, long id) {
        plain(Command.Kind.STOPPED, at, id);
    }

    @Override
    public void evict(long at, long id) {
        plain(Command.Kind.EVICT, at, id);
    }

    @Override
    public void leaveTogether(long at, long id) {
        plain(Command.Kind.LEAVE_TOGETHER, at, id);
    }

    @Override
    public void leave(long at, long id) {
        plain(Command.Kind.LEAVE, at, id);
    }

    @Override
    public void tick(long at) {
        plain(Command.Kind.TICK, at, -1);
    }

    @Override
    public void round(long at) {
        plain(Command.Kind.ROUND, at, -1);
    }

    @Override
    public void addServer(long at, int site, long[] capacity, String name, Labels labels) {
        pass(Command.addServer(at, site, list(capacity)).named(name, labels));
    }

    @Override
    public void resizeServer(long at, int server, long[] capacity, long devices) {
        pass(Command.resize(at, server, list(capacity)).onDevices(devices));
    }

    @Override
    public void labelServer(long at, int server, Labels labels) {
        pass(Command.label(at, server, labels));
    }

    @Override
    public void addSite(long at, long[] pooledCapacity) {
        pass(Command.addSite(at, list(pooledCapacity)));
    }

    @Override
    public void drainServer(long at, int server) {
        plain(Command.Kind.DRAIN, at, server);
    }

    @Override
    public void drainServer(long at, int server, long gapNanos) {
        pass(Command.drain(at, server, gapNanos));
    }

    @Override
    public void heartbeat(long at, int server, long incarnation, long leaseNanos, long graceNanos) {
        pass(Command.heartbeat(at, server, incarnation, leaseNanos, graceNanos));
    }

    @Override
    public void report(long at, int server, long incarnation, long... ids) {
        pass(Command.report(at, server, incarnation, list(ids)));
    }

    @Override
    public void renewLeases(long at, long from) {
        pass(Command.renewLeases(at, from));
    }

    @Override
    public void returnServer(long at, int server) {
        plain(Command.Kind.RETURN, at, server);
    }

    @Override
    public void removeServer(long at, int server) {
        plain(Command.Kind.REMOVE, at, server);
    }

    @Override
    public void loseServer(long at, int server) {
        plain(Command.Kind.LOSE, at, server);
    }

    @Override
    public void setPolicy(long at, PolicySpec spec) {
        pass(Command.setPolicy(at, spec));
    }

    private void writeWork() {
        if (works != null && works.next()) {
            write(WORK + works.workNanos());
        }
    }

    private void plain(Command.Kind kind, long at, long subject) {
        pass(Command.plain(kind, at, subject));
    }

    private void pass(Command command) {
        write(command.toString());
        command.send(engine);
    }

    private void write(String line) {
        try {
            writer.write(line);
            writer.write('\n');
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private UncheckedIOException failed(IOException e) {
        return new UncheckedIOException("cannot write the recording " + file + ": " + e.getMessage(), e);
    }

    private static List<Long> list(long[] amounts) {
        return Arrays.stream(amounts).boxed().toList();
    }
}
