package dev.stowage.cli;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** Has something of each kind, for {@link StableApiTest}. */
@SuppressWarnings("unused")
public abstract class PublicApiSample<T extends Number> implements Supplier<T> {
    public static final int ONE = 1;
    private static final int TWO = 2;

    public PublicApiSample(List<T> values) {}

    @SuppressWarnings("unchecked")
    protected abstract T pick(T... values) throws IOException;

    abstract void hidden();
}
