package dev.stowage.cli.text;

import java.nio.file.Path;

/** Names made from files. */
public final class Names {
    private Names() {}

    /** Name of a file without its endings, suitable as the name of an experiment and its directory. */
    public static String stem(Path file) {
        String name = String.valueOf(file.getFileName());
        String stem = name.replaceFirst("(\\.(csv|tsv|txt|log|swf|parquet|sqlite|db|gz))+$", "");
        String fit = stem.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[^A-Za-z0-9]+", "");
        return fit.isEmpty() ? "trace" : fit;
    }
}
