package dev.stowage.sim.remote;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a foreign cluster engine needs to run tasks.
 *
 * @param master address of the engine
 * @param name under which it shows the work to people
 * @param settings of the engine, which override those that it finds by itself
 * @param programs jars with which tasks run, beside the JDK alone; sent to every machine
 * @param files sent to every machine, under their names here, which must all differ
 * @param worker name of the class in {@code programs} that runs tasks: a {@code Function<String, byte[]>} with a public
 *     constructor {@code (Map<String, String> setup, Path directory)}, where the directory holds {@code files}. A
 *     machine makes one, and calls it from many threads.
 * @param setup for the worker
 * @param patience how long tasks may wait while none of them is running
 */
public record Assignment(
        String master,
        String name,
        Map<String, String> settings,
        List<Path> programs,
        List<Path> files,
        String worker,
        Map<String, String> setup,
        Duration patience) {
    /** Takes copies. */
    public Assignment {
        settings = Map.copyOf(settings);
        programs = List.copyOf(programs);
        files = List.copyOf(files);
        setup = Map.copyOf(setup);
    }
}
