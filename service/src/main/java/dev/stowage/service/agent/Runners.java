package dev.stowage.service.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The processes on this machine that stand for requests. Each has a runner, a script that ends it when the lease in a
 * file runs out, so that it does not outlive the lease even if the agent is dead or stopped. The state is in files
 * only, so a restarted agent finds it.
 *
 * <p>A stay {@code KEY} has {@code KEY.begun} from before its runner starts until the service knows its end,
 * {@code KEY.pid} while the runner is alive, and {@code KEY.stop} if it must end.
 */
final class Runners {
    private static final String BEGUN = ".begun";
    private static final String RUNNER = "runner.sh";

    private final Path directory;
    private final Path record;
    private final Path script;
    private final Path lease;
    private final List<String> words;
    private final String boot;

    /**
     * Those in a directory.
     *
     * @param directory the agent's own
     * @param words the command that stands for a request
     */
    Runners(Path directory, List<String> words) throws IOException {
        this.directory = Files.createDirectories(directory.resolve("run"));
        this.words = words;
        record = directory.resolve("record");
        script = directory.resolve(RUNNER);
        // After a reboot the uptime is different, and none of the processes exists.
        boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        lease = directory.resolve("lease-" + boot);
        try (InputStream in = Objects.requireNonNull(Runners.class.getResourceAsStream(RUNNER))) {
            replace(script, in.readAllBytes());
        }
    }

    /** When the lease ends, in hundredths since the machine's start; 0 if there is none. */
    long leaseEnd() throws IOException {
        return Files.exists(lease) ? Long.parseLong(Files.readString(lease).strip()) : 0;
    }

    void lease(long until) throws IOException {
        replace(lease, (until + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static void replace(Path file, byte[] content) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.write(next, content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Stays that were begun and whose end has not been recorded. */
    List<Stay> begun() throws IOException {
        List<Stay> stays = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(BEGUN))
                    .sorted()
                    .forEach(name -> stays.add(Stay.ofKey(name.substring(0, name.length() - BEGUN.length()))));
        }
        return stays;
    }

    /**
     * Begins one.
     *
     * @param latest it does not start after this moment, hundredths since the machine's start
     */
    void begin(Stay stay, long latest) throws IOException {
        String key = stay.key();
        Files.deleteIfExists(file(key, ".end"));
        Files.deleteIfExists(file(key, ".stop"));
        Files.writeString(file(key, BEGUN), boot + " " + latest + "\n");
        List<String> all = new ArrayList<>(List.of(
                "bash",
                script.toString(),
                record.toString(),
                lease.toString(),
                directory.toString(),
                key,
                Long.toString(latest)));
        all.addAll(words);
        new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Whether its runner is alive. Another process with the same number is not mistaken for it. */
    boolean runs(Stay stay) throws IOException {
        Path pid = file(stay.key(), ".pid");
        try {
            Path line = Path.of("/proc", Files.readString(pid).strip(), "cmdline");
            return List.of(Files.readString(line).split("\0", -1)).contains(stay.key());
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            // The process ended during this check.
            return Files.exists(pid)
                    && ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                            .isPresent();
        }
    }

    /** Makes it end soon; one that has not started yet never will. */
    void stop(Stay stay) throws IOException {
        if (!Files.exists(file(stay.key(), ".stop"))) {
            Files.writeString(file(stay.key(), ".stop"), "");
        }
    }

    /** Whether it does not run and never will: its runner has ended or died, or it is too late for it to start. */
    boolean isOver(Stay stay) throws IOException {
        if (runs(stay)) {
            return false;
        }
        String[] begun = Files.readString(file(stay.key(), BEGUN)).strip().split(" ", -1);
        return !end(stay).isEmpty()
                || Files.exists(file(stay.key(), ".pid"))
                || !begun[0].equals(boot)
                || begun.length < 2
                || Uptime.now() >= Long.parseLong(begun[1]);
    }

    /**
     * Why it ended: {@code ended}, {@code stopped} or {@code fenced}, {@code late} if it never began, {@code lost} with
     * an earlier lease; empty if it is not known.
     */
    String end(Stay stay) throws IOException {
        Path end = file(stay.key(), ".end");
        return Files.exists(end) ? Files.readString(end).strip() : "";
    }

    /** The lease has run out. What ended for that, or in an unknown way, is lost. Returns whether this is such. */
    boolean lost(Stay stay) throws IOException {
        String end = end(stay);
        if (!end.isEmpty() && !end.equals("fenced")) {
            return false;
        }
        replace(file(stay.key(), ".end"), "lost\n".getBytes(StandardCharsets.UTF_8));
        return true;
    }

    /** Its end was seen. */
    void forget(Stay stay) throws IOException {
        for (String what : List.of(".end", ".pid", BEGUN, ".stop")) {
            Files.deleteIfExists(file(stay.key(), what));
        }
    }

    private Path file(String key, String what) {
        return directory.resolve(key + what);
    }
}
