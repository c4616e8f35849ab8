package dev.stowage.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterTest {
    private static final List<Resource> ONE = List.of(Resource.of("cpu"));
    private static final List<Site> SITE = List.of(Site.of("a", new ServerBlock(1, Amounts.of(1))));

    private static void assertRefused(Runnable making, String... words) {
        assertThatThrownBy(making::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void amountsCompareByValueAndCannotChange() {
        long[] values = {1, 2};
        Amounts amounts = Amounts.of(values);
        values[0] = 9;
        amounts.toArray()[1] = 9;
        assertThat(amounts).isEqualTo(Amounts.of(1, 2)).hasToString("[1, 2]").hasSameHashCodeAs(Amounts.of(1, 2));
        assertThat(amounts).isNotEqualTo(Amounts.of(2, 1));
        assertRefused(() -> Amounts.of(0, -3), "-3", "resource 1");
    }

    @Test
    void everythingHasTheClustersNumberOfAmounts() {
        assertRefused(
                () -> new Cluster(
                        ONE, List.of(), List.of(Site.of("a", new ServerBlock(1, Amounts.of(1, 2)))), List.of()),
                "site a",
                "2 amounts instead of 1");
        assertRefused(
                () -> new Cluster(ONE, List.of("disk"), SITE, List.of()), "site a", "pooled", "0 amounts instead of 1");
        assertRefused(
                () -> new Cluster(ONE, List.of(), SITE, List.of(RequestType.of("vm", 1, 2))),
                "type vm",
                "2 amounts instead of 1");
    }

    @Test
    void numbersAreInRange() {
        assertRefused(() -> Cluster.single(1), "1 to 16 resources", "0");
        assertRefused(() -> Cluster.single(1, new long[17]), "17");
        assertRefused(() -> new Cluster(ONE, List.of(), List.of(), List.of()), "at least one site");
        assertRefused(() -> new ServerBlock(-1, Amounts.of(1)), "-1");
        List<Resource> divisible = List.of(new Resource("a", true), new Resource("b", true));
        assertRefused(() -> new Cluster(divisible, List.of(), List.of(Site.of("s")), List.of()), "divisible");
    }

    @Test
    void namesAreUnique() {
        assertRefused(
                () -> new Cluster(ONE, List.of(), List.of(Site.of("a"), Site.of("a")), List.of()),
                "more than one site is named 'a'");
        assertRefused(
                () -> new Cluster(ONE, List.of(), SITE, List.of(RequestType.of("t", 1), RequestType.of("t", 2))),
                "more than one type is named 't'");
    }
}
