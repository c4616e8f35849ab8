package dev.stowage.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** JSON of numbers of servers. */
final class DataTest {
    /** Thirty servers at 100,000,000 yen each cost more than the greatest integer. */
    @Test
    void onlyNumbersOfServersAreLeftOut() {
        long none = Integer.MAX_VALUE;
        String json = Data.jsonOfServers(
                List.of(Map.of(
                        "hours", Map.of("cost", 30 * 100_000_000.0, "occupied", none),
                        "bound", Map.of("mean", (double) none, "count", 1),
                        "boundBy", List.of(7L, none),
                        "servers", none)),
                List.of());
        assertThat(json)
                .contains("\"cost\" : 3000000000", "\"occupied\" : " + none, "\"count\" : 1")
                .contains("\"mean\" : null", "\"boundBy\" : [ 7, null ]", "\"servers\" : null");
    }
}
