package dev.stowage.sim.experiment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the files that an experiment names: traces, server lists, tables. Remembers which were asked for. */
public final class InputFiles {
    private static final Pattern PLACE = Pattern.compile("# file (.+) is (.+)");

    private final Function<String, Path> places;
    private final Map<String, Path> asked = new LinkedHashMap<>();

    private InputFiles(Function<String, Path> places) {
        this.places = places;
    }

    /** Names are resolved against a directory. */
    public static InputFiles in(Path base) {
        return new InputFiles(base::resolve);
    }

    /**
     * The same, and a file that is not in the directory is where the text says that it was ({@link #places}).
     *
     * @param text an experiment
     */
    public static InputFiles in(Path base, String text) {
        Map<String, Path> there = new HashMap<>();
        text.lines()
                .takeWhile(line -> line.startsWith("#"))
                .map(PLACE::matcher)
                .filter(Matcher::matches)
                .forEach(line ->
                        there.put(line.group(1), base.resolve(line.group(2)).normalize()));
        return new InputFiles(name -> {
            Path beside = base.resolve(name);
            return Files.exists(beside) ? beside : there.getOrDefault(name, beside);
        });
    }

    /**
     * Comments that say where files are, as seen from a directory in which an experiment is to be written: a line each.
     *
     * @param files by the name that the experiment has for them
     */
    public static String places(Map<String, Path> files, Path directory) {
        StringBuilder lines = new StringBuilder();
        files.forEach((name, file) -> lines.append("# file ")
                .append(name)
                .append(" is ")
                .append(seen(directory, file))
                .append('\n'));
        return lines.toString();
    }

    /** A file as seen from a directory. */
    public static Path seen(Path directory, Path file) {
        Path from = directory.toAbsolutePath().normalize();
        Path to = file.toAbsolutePath().normalize();
        return from.getRoot().equals(to.getRoot()) ? from.relativize(to) : to;
    }

    /** The text of an experiment without those comments, and that with {@code --plugins}. */
    public static String withoutPlaces(String text) {
        return text.replaceAll("\\A(# (file .+ is|--plugins) .+\\R)+", "");
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
