package dev.stowage.sim.experiment;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Finds the files that an experiment names: traces, server lists, tables. Remembers which were asked for. */
public final class InputFiles {
    private final Function<String, Path> places;
    private final Map<String, Path> asked = new LinkedHashMap<>();

    private InputFiles(Function<String, Path> places) {
        this.places = places;
    }

    /** Names are resolved against a directory. */
    public static InputFiles in(Path base) {
        return new InputFiles(base::resolve);
    }

    /** Files that were copied to this machine, by the names that the experiment has for them. */
    public static InputFiles brought(Map<String, Path> places) {
        return new InputFiles(name -> places.getOrDefault(name, Path.of(name)));
    }

    /** Where a file is. */
    Path find(String name) {
        return asked.computeIfAbsent(name, places);
    }

    /** The files that were asked for, by name. */
    Map<String, Path> asked() {
        return asked;
    }
}
