package dev.stowage.cli.experiment;

import dev.stowage.study.reproduce.Paper;
import dev.stowage.study.reproduce.PaperFigure;
import dev.stowage.study.reproduce.Papers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The built-in experiments: the files of {@code experiments/}, which the build copies next to this class. */
public final class BuiltInExperiments {
    /** The experiment that {@code stowage run} runs without an argument. */
    static final String QUICKSTART = "quickstart";
    /** Their names, for help texts. */
    public static final String LIST = QUICKSTART + ", sweep-load, maintenance, slotted-uniform, azure-trace";

    /** Prefix of the names of the papers' experiments. */
    public static final String PAPER = "paper/";

    private BuiltInExperiments() {}

    static List<String> names() {
        return List.of(LIST.split(", "));
    }

    /** The names of all, including those of the papers' figures: {@code paper/bestfit-fig3a}. */
    static List<String> all() {
        List<String> all = new ArrayList<>(names());
        for (Paper paper : Papers.ALL) {
            for (PaperFigure figure : paper.figures()) {
                figure.experiments().stream()
                        .map(name -> PAPER + name)
                        .filter(name -> !all.contains(name))
                        .forEach(all::add);
            }
        }
        return all;
    }

    /** The text of one of them. */
    public static String text(String name) {
        String resource = "experiments/" + name + ".yaml";
        try (InputStream in = BuiltInExperiments.class.getResourceAsStream(resource)) {
            byte[] bytes = Objects.requireNonNull(in, resource + " is missing from the build")
                    .readAllBytes();
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
