package dev.stowage.kube.consolidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prices of nodes. */
final class NodePricesTest {
    @TempDir
    Path directory;

    @Test
    void theFirstLineThatAppliesCounts() throws IOException {
        Path file = Files.writeString(
                directory.resolve("prices.csv"),
                "# by the hour\n\nn1, 0.5\ntype=m5.large,0.096\ntype=m5.xlarge,0.192\n");
        NodePrices prices = NodePrices.of(file.toString());
        assertThat(prices.of("n1", Map.of("type", "m5.large"))).hasValue(.5);
        assertThat(prices.of("n2", Map.of("type", "m5.xlarge"))).hasValue(.192);
        assertThat(prices.of("n2", Map.of("type", "m6.large"))).isEmpty();
        assertThat(prices.of("n2", Map.of())).isEmpty();
    }

    @Test
    void aLabelMayHaveThem() throws IOException {
        NodePrices prices = NodePrices.of("label:example.com/price");
        assertThat(prices.of("n1", Map.of("example.com/price", "1.25"))).hasValue(1.25);
        assertThat(prices.of("n1", Map.of("example.com/price", "much"))).isEmpty();
        assertThat(prices.of("n1", Map.of())).isEmpty();
    }

    @Test
    void anotherLineIsRefused() throws IOException {
        for (String line : new String[] {"n1", "n1,-1", "n1,x", "n1,1,2"}) {
            Path file = Files.writeString(directory.resolve("bad.csv"), "n0,1\n" + line + "\n");
            assertThatThrownBy(() -> NodePrices.of(file.toString()))
                    .hasMessageContaining("line 2 '" + line + "' must be NODE,PRICE or LABEL=VALUE,PRICE");
        }
    }
}
