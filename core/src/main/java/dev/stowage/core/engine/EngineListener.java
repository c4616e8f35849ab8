package dev.stowage.core.engine;

import dev.stowage.core.policy.View;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Effects that are heard with the view, to look up whom they are about. */
public abstract class EngineListener implements Effects {
    private @Nullable View view;

    @Override
    public void attached(View engineView) {
        view = engineView;
    }

    /** The view of the engine; there is none before {@link #attached}. */
    protected final View view() {
        return Objects.requireNonNull(view, "not attached to an engine");
    }
}
