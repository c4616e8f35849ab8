package dev.stowage.study.step;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.View;
import dev.stowage.sim.driver.RecordedSetup;
import dev.stowage.sim.driver.RecordingReader;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A recorded run that can be brought to any of its moments: the engine does the recorded commands again, from the
 * nearest of some saved states on. These are at most {@value #MOST_SAVED}, and {@value #MOST_BYTES} bytes; the
 * commands are in a temporary file. For one thread at a time.
 */
public final class RecordedRun implements AutoCloseable {
    private static final int MOST_SAVED = 64;
    private static final long MOST_BYTES = 192L << 20;
    private static final int FIRST_INTERVAL = 256;
    private static final int TOLD_EVERY = 1 << 14;

    /** The state after so many commands, and where the next one begins in the file of commands. */
    private record Saved(int commands, long offset, byte[] state) {}

    private final String name;
    private final RecordedSetup setup;
    private final PolicyFactory policies;
    private final Path lines;
    private final Story story = new Story();
    private final RunCurve curve = new RunCurve();
    private final SeenServers candidates = new SeenServers();
    private final List<Saved> saved = new ArrayList<>();
    private long[] times = new long[FIRST_INTERVAL];
    private int commands;
    private String digest = "";
    private @Nullable String recordedDigest;

    private Engine engine;
    private int position;
    private @Nullable BufferedReader next;

    private RecordedRun(String name, RecordingReader reader, PolicyFactory policies, IntConsumer progress)
            throws IOException {
        this.name = name;
        this.policies = policies;
        setup = reader.setup();
        lines = Files.createTempFile("stowage-commands-", ".log");
        try {
            engine = read(reader, progress);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(lines);
            throw e;
        }
    }

    /**
     * Reads a recording and does all of it once.
     *
     * @param name what it is called
     * @param progress hears how many commands were done
     * @throws dev.stowage.sim.driver.RecordingException if it is none, or damaged
     * @throws UncheckedIOException if the temporary file cannot be written
     */
    public static RecordedRun read(Path file, String name, PolicyFactory policies, IntConsumer progress) {
        try (RecordingReader reader = RecordingReader.open(file)) {
            return new RecordedRun(name, reader, policies, progress);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": its commands cannot be kept: " + e.getMessage(), e);
        }
    }

    private Engine read(RecordingReader reader, IntConsumer progress) throws IOException {
        Engine first;
        try {
            first = setup.start(policies, story);
        } catch (IllegalArgumentException e) {
            throw reader.wrong(e);
        }
        int interval = FIRST_INTERVAL;
        long offset = 0;
        keep(first, offset);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(lines))) {
            for (Command command = reader.next(); command != null; command = reader.next()) {
                byte[] line = (reader.text() + "\n").getBytes(StandardCharsets.UTF_8);
                out.write(line);
                offset += line.length;
                if (commands == times.length) {
                    times = Arrays.copyOf(times, Math.addExact(commands, commands / 2));
                }
                times[commands++] = command.at();
                story.command(commands);
                try {
                    command.send(first);
                } catch (IllegalArgumentException e) {
                    throw reader.wrong(e);
                }
                if (curve.due(command.at())) {
                    curve.add(command.at(), first.view());
                }
                if (commands % interval == 0) {
                    keep(first, offset);
                    interval = thinned(interval);
                }
                if (commands % TOLD_EVERY == 0) {
                    progress.accept(commands);
                }
            }
        }
        story.end();
        if (commands > 0) {
            curve.add(until(), first.view());
        }
        digest = String.format(Locale.ROOT, "%016x", first.digest());
        recordedDigest = reader.end();
        position = -1;
        return first;
    }

    private void keep(Engine present, long offset) {
        saved.add(new Saved(commands, offset, present.save()));
    }

    private int thinned(int interval) {
        int doubled = interval;
        while (saved.size() > MOST_SAVED
                || (saved.size() > 2
                        && saved.stream().mapToLong(one -> one.state().length).sum() > MOST_BYTES)) {
            doubled = Math.multiplyExact(doubled, 2);
            int kept = doubled;
            saved.removeIf(one -> one.commands() % kept != 0);
        }
        return doubled;
    }

    /** What it is called: the name of its file, or its policy. */
    public String name() {
        return name;
    }

    RecordedSetup setup() {
        return setup;
    }

    Story story() {
        return story;
    }

    RunCurve curve() {
        return curve;
    }

    /** Number of commands. */
    public int commands() {
        return commands;
    }

    /** Time of the first command, nanoseconds; 0 without commands. */
    long from() {
        return commands == 0 ? 0 : times[0];
    }

    /** Time of the last command, nanoseconds; 0 without commands. */
    long until() {
        return commands == 0 ? 0 : times[commands - 1];
    }

    /** Digest of the replay. */
    String digest() {
        return digest;
    }

    /** Whether the replay does exactly what was recorded, as far as the recording says. */
    public boolean agrees() {
        return recordedDigest == null || digest.equals(recordedDigest);
    }

    /** Whether the recording has an end. */
    public boolean whole() {
        return recordedDigest != null;
    }

    /** Commands until a moment, those at this very moment included. */
    int commandsUntil(long at) {
        int low = 0;
        int high = commands;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times[middle] <= at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The state after so many commands. */
    View after(int count) {
        int target = Math.max(0, Math.min(commands, count));
        Saved nearest = saved.get(0);
        for (Saved one : saved) {
            nearest = one.commands() <= target ? one : nearest;
        }
        try {
            if (position < 0 || position > target || nearest.commands() > position) {
                restore(nearest);
            }
        } catch (IOException e) {
            throw lost(e);
        }
        while (position < target) {
            again();
        }
        return engine.view();
    }

    /** Does the next command. */
    private void again() {
        try {
            String line = next == null ? null : next.readLine();
            if (line == null) {
                throw new IOException("the temporary file " + lines + " ends too early");
            }
            Command.parse(line).send(engine);
            position++;
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private UncheckedIOException lost(IOException e) {
        position = -1;
        return new UncheckedIOException("cannot read the commands again: " + e.getMessage(), e);
    }

    private void restore(Saved from) throws IOException {
        closeReader();
        position = -1;
        engine = Engine.restore(from.state(), policies, candidates);
        FileChannel channel = FileChannel.open(lines);
        channel.position(from.offset());
        next = new BufferedReader(new InputStreamReader(
                new BufferedInputStream(Channels.newInputStream(channel)), StandardCharsets.UTF_8));
        position = from.commands();
    }

    /** The engine at the moment that {@link #after} brought it to. */
    Engine engine() {
        return engine;
    }

    /** What the servers had for a request when a row of its story placed it. */
    SeenServers whenPlaced(int row) {
        int command = story.commandOf(row);
        int before = 0;
        for (int r = row - 1; r >= 0 && story.commandOf(r) == command; r--) {
            Story.What what = story.what(r);
            boolean placing = what == Story.What.PLACED || what == Story.What.MIGRATED;
            before += placing && story.id(r) == story.id(row) ? 1 : 0;
        }
        after(command - 1);
        candidates.await(story.id(row), before);
        again();
        return candidates;
    }

    /** What the servers have now for a request that waits; the run is at that moment. */
    SeenServers now(long id) {
        candidates.look(engine.view(), engine.find(id), Story.NONE);
        return candidates;
    }

    private void closeReader() throws IOException {
        if (next != null) {
            next.close();
            next = null;
        }
    }

    @Override
    public void close() {
        try {
            closeReader();
            Files.deleteIfExists(lines);
        } catch (IOException e) {
            throw new UncheckedIOException("the temporary file " + lines + " cannot be deleted", e);
        }
    }
}
