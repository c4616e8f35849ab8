package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Setting;
import dev.stowage.service.v1.PlacementGrpc.PlacementBlockingStub;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.SubmitRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/service.md tells Prometheus to read is what a node writes. */
final class MetricsInDocsTest {
    private static final Pattern NAME = Pattern.compile("stowage_[a-z_]+");

    @TempDir
    private Path directory;

    private static Set<String> names(String text, Pattern pattern) {
        return pattern.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String metrics(OneNode service) {
        return service.web().get("/metrics").aggregate().join().contentUtf8();
    }

    @Test
    void alertsUseMetricsThatThereAre() throws IOException {
        String page = Files.readString(Path.of("../docs/service.md"));
        Setting setting =
                new Setting(Cluster.single(1, 10), PolicySpec.of("fifo-ff"), 1, Long.MAX_VALUE / 4, new TreeMap<>());
        try (OneNode service = new OneNode(directory, setting)) {
            String before = metrics(service);
            Set<String> written = names(before, Pattern.compile("(?<=# TYPE )stowage_[a-z_]+"));
            assertThat(written).containsAll(names(page, NAME));
            assertThat(before).doesNotContain("\nstowage_requests_waiting_since_seconds ");
            PlacementBlockingStub placement = service.stub(PlacementBlockingStub.class);
            placement.submit(submit("first"));
            Request waits = placement.submit(submit("second")).getRequest();
            placement.submit(submit("third"));
            assertThat(waits.getState()).isEqualTo(State.WAITING);
            assertThat(metrics(service))
                    .contains(
                            "\nstowage_requests_waiting_since_seconds " + waits.getSinceNanos() / 1_000_000_000 + "\n");
        }
        Set<String> alerts = names(page, Pattern.compile("(?<=\\n        expr: ).+"));
        assertThat(alerts)
                .hasSizeGreaterThanOrEqualTo(6)
                .allMatch(alert -> NAME.matcher(alert).find());
        assertThat(page).contains("job_name: stowage\n");
        assertThat(names(String.join("\n", alerts), Pattern.compile("(?<=job=\")[^\"]+")))
                .containsExactly("stowage");
    }

    private static SubmitRequest submit(String id) {
        return SubmitRequest.newBuilder()
                .setTenant("acme")
                .setRequestId(id)
                .putDemand("r0", 10)
                .build();
    }
}
