package com.example.roomiest;

import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.PolicyProvider;
import java.util.List;

/** Tells Stowage which policies this jar has. Its name stands in META-INF/services. */
public final class RoomiestProvider implements PolicyProvider {
    @Override
    public List<Entry> policies() {
        return List.of(Roomiest.ENTRY);
    }
}
