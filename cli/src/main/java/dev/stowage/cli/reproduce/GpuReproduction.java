package dev.stowage.cli.reproduce;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.study.fgd.GpuLists;
import dev.stowage.study.fgd.GpuStudy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code stowage reproduce fgd}: the published runs of a cluster with GPUs, repeated, with further policies beside
 * them.
 */
final class GpuReproduction {
    static final String KEY = "fgd";
    static final String WHAT = "GPUs allocated as requests arrive: all published runs for one list of requests";
    static final String CLAIM = "Fragmentation gradient descent allocates more GPUs than five other policies.";

    private static final int SEEDS = 10;
    private static final int QUICK_SEEDS = 2;

    private final Path traces;
    private final Path out;
    private final int seeds;
    private final int threads;
    private final Console console;

    GpuReproduction(Path traces, Path out, boolean quick, int threads, Console console) {
        this.traces = traces;
        this.out = out;
        seeds = quick ? QUICK_SEEDS : SEEDS;
        this.threads = threads;
        this.console = console;
    }

    /** Runs lists, all in the folder if none is named; prints the table, and writes it and the curves. */
    void run(List<String> wanted) {
        if (!GpuLists.present(traces)) {
            throw new BadInputException("skipped: " + Reproduction.missing("openb_node_list_gpu_node.csv", traces));
        }
        GpuLists files = lists();
        List<String> known = files.names();
        List<String> chosen = wanted.isEmpty() ? known : wanted;
        chosen.stream().filter(each -> !known.contains(each)).findFirst().ifPresent(each -> {
            throw new BadInputException("no list " + each + " in " + traces + "; known: " + String.join(", ", known));
        });
        Columns columns = new Columns(GpuStudy.titles());
        StringBuilder page = new StringBuilder(markdown(GpuStudy.titles()));
        page.append("|---".repeat(GpuStudy.titles().length)).append("|\n");
        StringBuilder curves = new StringBuilder(GpuStudy.curveTitles());
        for (String list : chosen) {
            console.note(KEY + " " + list);
            GpuStudy study = StatusLine.during(
                    console, "stowage: running " + list, () -> GpuStudy.of(files, list, seeds, threads));
            for (String[] row : study.rows()) {
                columns.row(row);
                page.append(markdown(row));
            }
            curves.append(study.curves());
        }
        console.out().print(columns.text(console.style()));
        write("fgd.md", page.toString());
        write("fgd-curves.csv", curves.toString());
        console.out().println();
        console.out().println("Table: " + out.resolve("fgd.md") + "; every run: " + out.resolve("fgd-curves.csv"));
    }

    private GpuLists lists() {
        try {
            return new GpuLists(traces);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(String.valueOf(e.getMessage()));
        }
    }

    private static String markdown(String[] cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    private void write(String name, String text) {
        try {
            Files.createDirectories(out);
            Files.writeString(out.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(out.resolve(name) + ": cannot be written: " + e.getMessage(), e);
        }
    }
}
