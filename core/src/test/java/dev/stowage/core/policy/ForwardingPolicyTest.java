package dev.stowage.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is asked of a forwarding policy reaches the policy inside, and its answer comes back. */
class ForwardingPolicyTest {
    private static final Map<Class<?>, Object> ANSWERS =
            Map.of(int.class, 7, Set.class, Set.of(Capability.SITE_LIMITS));

    private record Call(Method method, List<@Nullable Object> arguments) {}

    private final List<Call> heard = new ArrayList<>();

    private final Policy inside = (Policy) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Policy.class}, (proxy, method, given) -> {
                heard.add(new Call(method, given == null ? List.of() : Arrays.asList(given)));
                return ANSWERS.get(method.getReturnType());
            });

    private final ForwardingPolicy outside = new ForwardingPolicy() {
        @Override
        protected Policy policy() {
            return inside;
        }
    };

    static Stream<Method> methods() {
        return Arrays.stream(Policy.class.getMethods()).sorted(Comparator.comparing(Method::getName));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void handsOn(Method method) throws ReflectiveOperationException {
        @Nullable
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(ForwardingPolicyTest::some)
                .toArray();
        assertThat(method.invoke(outside, arguments)).isEqualTo(ANSWERS.get(method.getReturnType()));
        assertThat(heard).containsExactly(new Call(method, Arrays.asList(arguments)));
        if (method.getReturnType() != void.class) {
            assertThat(ANSWERS).containsKey(method.getReturnType());
        }
    }

    /** A number other than its default; null for the rest. */
    private static @Nullable Object some(Class<?> type) {
        if (!type.isPrimitive()) {
            return null;
        }
        Object array = Array.newInstance(type, 1);
        Array.setByte(array, 0, (byte) 5);
        return Array.get(array, 0);
    }
}
