package dev.stowage.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Refusal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * {@code experiments/trace/openb-gpu.yaml} on the real files, compared with the models in the files; skipped if they
 * are absent.
 */
final class OpenbGpuTest {
    private static final Path FILE = Path.of("..", "experiments", "trace", "openb-gpu.yaml");
    private static final String NODES = "openb_node_list_all_node.csv.gz";

    /** GPU model by name of the node, read independently. */
    private static Map<String, String> models(Path file) throws IOException {
        Map<String, String> models = new HashMap<>();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            lines.lines().skip(1).map(line -> line.split(",", -1)).forEach(row -> models.put(row[0], row[4]));
        }
        return models;
    }

    @Test
    void everyPodRunsOnAModelThatItAsksFor() throws IOException {
        Path data = Path.of("..", "..", "shared", "data").toAbsolutePath().normalize();
        Assumptions.assumeTrue(Files.exists(data.resolve(NODES)), "skipped: no " + NODES + " in " + data);
        Map<String, String> models = models(data.resolve(NODES));
        Experiment experiment = Experiments.readAt(data, Files.readString(FILE), "sweep=[]")
                .points()
                .get(0);
        for (LabelledPolicy policy : experiment.policies()) {
            List<String> wrong = new ArrayList<>();
            int[] asked = new int[2];
            Experiments.run(
                    experiment,
                    policy,
                    (view, job, server) -> {
                        String name = view.typeName(view.type(job));
                        int where = name.indexOf(" where gpu");
                        if (where >= 0) {
                            asked[0]++;
                            String model = models.get(view.serverName(server));
                            if (!List.of(name.substring(where + 10).split("[^A-Z0-9]+"))
                                    .contains(model)) {
                                wrong.add(name + " on " + model);
                            }
                        }
                    },
                    new Effects() {
                        @Override
                        public void refused(long now, long subject, Refusal refusal, String detail) {
                            asked[1] += refusal == Refusal.FITS_NO_SERVER ? 1 : 0;
                        }
                    });
            assertThat(wrong).isEmpty();
            assertThat(asked[0]).isGreaterThan(1000);
            // One pod asks for G2 and more CPU and memory than any such node has; counted in the files with a separate
            // script.
            assertThat(asked[1]).isEqualTo(1);
        }
    }
}
