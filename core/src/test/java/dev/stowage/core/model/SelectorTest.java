package dev.stowage.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.Requirement.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SelectorTest {
    @Test
    void theWordsOfKubernetes() {
        assertThat(Selector.parse("gpu in (V100, T4), !spot,zone notin (a),arch=amd64 , disk, tier != gold,x==y"))
                .containsExactly(
                        new Requirement("gpu", Operator.IN, List.of("V100", "T4")),
                        new Requirement("spot", Operator.DOES_NOT_EXIST, List.of()),
                        new Requirement("zone", Operator.NOT_IN, List.of("a")),
                        new Requirement("arch", Operator.IN, List.of("amd64")),
                        new Requirement("disk", Operator.EXISTS, List.of()),
                        new Requirement("tier", Operator.NOT_IN, List.of("gold")),
                        new Requirement("x", Operator.IN, List.of("y")));
        assertThat(Selector.parse("zone NOT IN(a,b)"))
                .containsExactly(new Requirement("zone", Operator.NOT_IN, List.of("a", "b")));
        // Keys that are operators' words, and a value that is empty.
        assertThat(Selector.parse("in in (in), notin, empty="))
                .containsExactly(
                        new Requirement("in", Operator.IN, List.of("in")),
                        new Requirement("notin", Operator.EXISTS, List.of()),
                        new Requirement("empty", Operator.IN, List.of("")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ",",
                "a,",
                ",a",
                "a,,b",
                "a b",
                "gpu in V100",
                "gpu in (V100",
                "gpu in V100)",
                "gpu is (a)",
                "!",
                "!gpu in (a)",
                "gpu > 3",
                "gpu=a=b",
                "gpu in (a) zone",
                "gp u in (a)",
                "gpu in (a;b)",
                "gpu in (a b)"
            })
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> Selector.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void itsTextIsReadBack() {
        Random random = new Random(7);
        List<String> words = List.of("gpu", "in", "notin", "a.b/c", "V-100", "x_y", "7");
        for (int n = 0; n < 2000; n++) {
            List<Requirement> all = new ArrayList<>();
            for (int k = random.nextInt(4); k >= 0; k--) {
                Operator operator = Operator.values()[random.nextInt(4)];
                boolean set = operator == Operator.IN || operator == Operator.NOT_IN;
                List<String> values = IntStream.range(0, set ? 1 + random.nextInt(3) : 0)
                        .mapToObj(i -> random.nextInt(9) == 0 ? "" : words.get(random.nextInt(words.size())))
                        .toList();
                all.add(new Requirement(words.get(random.nextInt(words.size())), operator, values));
            }
            assertThat(Selector.parse(Selector.text(all)))
                    .as(Selector.text(all))
                    .isEqualTo(all);
        }
    }
}
