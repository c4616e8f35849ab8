package dev.stowage.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ConstraintsTest {
    @Test
    void inWordsNamesWhatIsAskedFor() {
        assertThat(Constraints.NONE.inWords()).isEmpty();
        assertThat(new Constraints(
                                List.of(1),
                                Constraints.parseTerms("gpu=V100|T4,!spot;zone=a"),
                                List.of(3, 2),
                                List.of())
                        .inWords())
                .isEqualTo("!spot,gpu=T4|V100;zone=a, sites [1], avoids servers [2, 3]");
        assertThat(Constraints.spread(Spread.parse("db:2:zone")).inWords()).isEqualTo("spread [db:2:zone]");
    }
}
