package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class EffectsFanTest {
    private static final List<Method> EFFECTS = Arrays.stream(Effects.class.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .toList();

    /** For every effect, both receivers get it once, the first one first, with the same arguments. */
    @Test
    void bothHearEveryEffect() throws ReflectiveOperationException {
        assertThat(EFFECTS).hasSizeGreaterThan(15);
        for (Method effect : EFFECTS) {
            List<String> heard = new ArrayList<>();
            Object[] told = new Object[effect.getParameterCount()];
            for (int i = 0; i < told.length; i++) {
                told[i] = value(effect.getParameterTypes()[i], i);
            }
            effect.invoke(new EffectsFan(listener("first", heard), listener("second", heard)), told);
            String what = effect.getName() + " " + Arrays.deepToString(told);
            assertThat(heard).containsExactly("first " + what, "second " + what);
        }
    }

    private static Effects listener(String name, List<String> heard) {
        return (Effects) Proxy.newProxyInstance(
                Effects.class.getClassLoader(), new Class<?>[] {Effects.class}, (proxy, method, arguments) -> {
                    heard.add(name + " " + method.getName() + " " + Arrays.deepToString(arguments));
                    return null;
                });
    }

    /** A different value for each parameter, so that exchanged parameters are noticed. */
    private static @Nullable Object value(Class<?> type, int i) {
        if (type == long.class) {
            return 100L + i;
        } else if (type == int.class) {
            return 10 + i;
        } else if (type == String.class) {
            return "because " + i;
        } else if (type.isEnum()) {
            return Array.get(type.getEnumConstants(), 1);
        }
        return type == long[].class ? new long[] {i} : null;
    }
}
