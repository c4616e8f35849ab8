package dev.stowage.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What tasks declare, found by the names of resources in any order. */
class DeclaredTest {
    /** Resources by name, the first one divisible; of task t the demand of resource r is 100 t + r. */
    private static View view(String... names) {
        return (View) Proxy.newProxyInstance(
                DeclaredTest.class.getClassLoader(),
                new Class<?>[] {View.class},
                (proxy, method, given) -> switch (method.getName()) {
                    case "resources" -> names.length;
                    case "resourceName" -> names[(int) given[0]];
                    case "divisibleResource" -> 0;
                    case "demand" -> 100L * (int) given[0] + (int) given[1];
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void namesAreFoundWhereverTheyStand() {
        View view = view("speed", "budget_j", "kind", "load_ms", "power_mw", "job");
        Declared declared = new Declared(view);
        assertThat(declared.budget(view, 7)).isEqualTo(701_000);
        assertThat(declared.kind(view, 7)).isEqualTo(702);
        assertThat(declared.load(view, 7)).isEqualTo(703);
        assertThat(declared.power(view, 7)).isEqualTo(0.704);
        assertThat(declared.job(view, 7)).isEqualTo(705);
    }

    /** Load is the first resource that is neither divisible nor declared; nothing else is there. */
    @Test
    void withoutThemThereAreDefaults() {
        View view = view("speed", "job", "memory", "disk");
        Declared declared = new Declared(view);
        assertThat(declared.load(view, 7)).isEqualTo(702);
        assertThat(declared.job(view, 7)).isEqualTo(701);
        assertThat(declared.kind(view, 7)).isZero();
        assertThat(declared.power(view, 7)).isEqualTo(1);
        assertThat(declared.budget(view, 7)).isZero();
        View nothing = view("speed");
        assertThat(new Declared(nothing).load(nothing, 7)).isEqualTo(1);
        View first = view("load_ms", "memory");
        assertThat(new Declared(first).load(first, 0)).isEqualTo(1);
    }

    @Test
    void whatIsDeclared() {
        Map<Boolean, List<String>> names = Map.of(
                true, List.of("load_ms", "job", "kind", "power_mw", "budget_j"), false, List.of("memory", "load", ""));
        names.forEach((declared, all) -> all.forEach(
                name -> assertThat(Declared.isDeclared(name)).as(name).isEqualTo(declared)));
    }
}
